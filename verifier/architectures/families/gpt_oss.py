"""gpt-oss: biased attention with a learned sink for each head, biased experts, every second layer behind a window."""

from __future__ import annotations

from typing import Any

from ..blocks import bias_alone, experts
from ..decoder import decoder, layer_windows, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("gpt_oss",)


def build(c: Config) -> Architecture:

    s = sizes_of(c)

    def make(path: str, count: Any) -> list[Part]:
        return experts(
            f"{path}.mlp",
            s.width,
            s.inner,
            c.size("num_local_experts"),
            c.size("num_experts_per_tok"),
            router="router",
            bias_router=True,
            bias=True,
            layouts=("e d_model (2 d_ff)", "e d_ff d_model"),
            count=count,
        )

    number = min(c.number("num_hidden_layers"), 100_000)
    types = ["full_attention" if i % 2 else "sliding_attention" for i in range(number)]
    seen = layer_windows(c, s.layers, types)
    a = decoder(c, sizes=s, bias=c.flag("attention_bias", True), windows=seen, feed_forward=make, rotary="full")
    a.add(bias_alone("model.layers.*.self_attn.sinks", s.heads, count=s.layers, role="attention"))
    return a
