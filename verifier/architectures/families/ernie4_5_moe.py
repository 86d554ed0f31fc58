"""ERNIE 4.5 MoE: experts from one layer to another, with shared ones; the router's correction is a parameter."""

from __future__ import annotations

from typing import Any

from ..blocks import experts, shared_expert
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part, Weight

MODEL_TYPES = ("ernie4_5_moe",)


def build(c: Config) -> Architecture:
    s = sizes_of(c)
    number, bias = c.number("num_hidden_layers"), c.flag("use_bias")
    first, last = c.number("moe_layer_start_index", 1, least=0), c.number("moe_layer_end_index", -1, least=-1)
    every = c.number("moe_layer_interval", 1)
    last = number - 1 if last == -1 else last
    count = sum(1 for i in range(min(number, 100_000)) if (i + 1) % every == 0 and first <= i <= last)

    def make(path: str, layers: Any) -> list[Part]:
        inner, e = c.size("moe_intermediate_size"), c.size("moe_num_experts")
        parts = experts(f"{path}.mlp", s.width, inner, e, c.size("moe_k"), count=layers)
        name = f"{path}.mlp.gate.moe_statics.e_score_correction_bias"
        weight = (Weight(name, "1 d", ("bias",)),)
        parts.append(Part("router", "learned_bias", {"n": "new", "d": e}, weight, count=layers))
        shared = c.number("moe_num_shared_experts", 0, least=0)
        if shared:
            parts += shared_expert(f"{path}.mlp.shared_experts", s.width, shared * inner, bias=bias, count=layers)
        return parts

    return decoder(c, sizes=s, bias=bias, mlp_bias=bias, sparse=(count, make), head_bias=bias, rotary="full")
