"""Phi-3.5-MoE: Mixtral with layer norms and a bias on the logits."""

from __future__ import annotations

from typing import Any

from ..blocks import experts
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("phimoe",)


def build(c: Config) -> Architecture:
    s = sizes_of(c)

    def make(path: str, count: Any) -> list[Part]:
        e, k = c.size("num_local_experts"), c.size("num_experts_per_tok")
        return experts(f"{path}.mlp", s.width, s.inner, e, k, router="router", count=count)

    bias, head_bias = c.flag("attention_bias"), c.flag("lm_head_bias")
    window = c.get("sliding_window")
    seen = {window if type(window) is int and window > 0 else None: s.layers}
    return decoder(
        c, sizes=s, bias=bias, norm_kind="layer", windows=seen, feed_forward=make, head_bias=head_bias, rotary="full"
    )
