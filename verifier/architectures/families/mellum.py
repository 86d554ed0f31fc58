"""Mellum: norms on each head's queries and keys, experts in the layers that `mlp_layer_types` calls sparse."""

from __future__ import annotations

from typing import Any

from ..blocks import experts
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("mellum",)


def build(c: Config) -> Architecture:
    s, number = sizes_of(c), c.number("num_hidden_layers")
    kinds = c.list("mlp_layer_types") or ["sparse"] * number
    count = sum(1 for i in range(number) if i < len(kinds) and kinds[i] == "sparse")

    def make(path: str, layers: Any) -> list[Part]:
        e, k, inner = c.size("num_experts"), c.size("num_experts_per_tok"), c.size("moe_intermediate_size")
        return experts(f"{path}.mlp", s.width, inner, e, k, count=layers)

    sparse = (s.layers if count == number else count), make
    return decoder(c, sizes=s, bias=c.flag("attention_bias"), qk_norm="head", sparse=sparse, rotary="full")
