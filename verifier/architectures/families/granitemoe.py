"""Granite MoE, with and without shared experts."""

from __future__ import annotations

from typing import Any

from ..blocks import experts, gated
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("granitemoe", "granitemoeshared")


def build(c: Config) -> Architecture:

    s = sizes_of(c)

    def make(path: str, count: Any) -> list[Part]:
        e, k = c.size("num_local_experts"), c.size("num_experts_per_tok")
        parts = experts(f"{path}.block_sparse_moe", s.width, s.inner, e, k, router="router", count=count)
        shared = c.get("shared_intermediate_size") if c.model_type != "granitemoe" else 0
        if shared:
            inner = c.size("shared_intermediate_size")
            both: dict[str, Any] = {"fused": "input_linear", "down": "output_linear"}
            parts.append(gated(f"{path}.shared_mlp", s.width, inner, count=count, role="shared experts", **both))
        return parts

    return decoder(c, sizes=s, bias=c.flag("attention_bias"), feed_forward=make, rotary="full")
