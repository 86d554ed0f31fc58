"""Llama 4's language model: experts in some layers beside one that every token visits, chunked attention in most."""

from __future__ import annotations

from typing import Any

from ..blocks import experts, shared_expert
from ..decoder import decoder, layer_windows, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("llama4_text",)


def build(c: Config) -> Architecture:
    s = sizes_of(c, inner=c.size("intermediate_size_mlp"))
    number = min(c.number("num_hidden_layers"), 100_000)
    step = c.number("interleave_moe_layer_step", 1)
    listed = c.list("moe_layers")
    count = len([i for i in listed if type(i) is int and i < number]) if listed else len(range(step - 1, number, step))

    def make(path: str, layers: Any) -> list[Part]:
        inner, own = c.size("intermediate_size"), f"{path}.feed_forward"
        layouts = ("e d_model (2 d_ff)", "e d_ff d_model")
        # Every expert works every token, weighed by its score: transformers runs all of them.
        e = c.size("num_local_experts")
        parts = experts(own, s.width, inner, e, e, router="router", layouts=layouts, count=layers)
        return parts + shared_expert(f"{own}.shared_expert", s.width, inner, count=layers)

    every = c.number("no_rope_layer_interval", 4)
    turned = c.list("no_rope_layers") or [int((i + 1) % every != 0) for i in range(number)]
    types = ["chunked_attention" if t else "full_attention" for t in turned]
    seen = layer_windows(c, s.layers, types)
    a = decoder(
        c, sizes=s, bias=c.flag("attention_bias"), mlp="feed_forward", sparse=(count, make), windows=seen, rotary="full"
    )
    a.facts["chosen_experts"] = c.number("num_experts_per_tok")
    return a
