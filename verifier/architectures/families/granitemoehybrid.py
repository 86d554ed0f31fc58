"""Granite 4: Mamba 2 in most layers, attention in the others, and experts beside a shared network in each."""

from __future__ import annotations

from typing import Any

from ..blocks import experts, gated
from ..decoder import Sizes, decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part
from .bamba import mixer

MODEL_TYPES = ("granitemoehybrid",)
MIXING = ("mamba", "linear_attention", "mamba2")


def build(c: Config) -> Architecture:
    s = sizes_of(c, own_head_dim=False)
    number = c.number("num_hidden_layers")
    kinds = c.list("layer_types") or ["mamba"] * number
    mixing = sum(1 for i in range(number) if i < len(kinds) and kinds[i] in MIXING)

    def make(path: str, count: Any) -> list[Part]:
        both: dict[str, Any] = {"fused": "input_linear", "down": "output_linear"}
        inner = c.size("shared_intermediate_size")
        parts = [gated(f"{path}.shared_mlp", s.width, inner, count=count, role="shared experts", **both)]
        if c.number("num_local_experts", 0, least=0):
            e, k = c.size("num_local_experts"), c.size("num_experts_per_tok")
            parts += experts(f"{path}.block_sparse_moe", s.width, s.inner, e, k, router="router", count=count)
        return parts

    def extra(a: Architecture, path: str, s: Sizes) -> None:
        mixer(a, c, f"{path}.mamba", s.width, mixing)

    attending = number - mixing
    rotary = "full" if c.get("position_embedding_type") == "rope" else None
    bias = c.flag("attention_bias", False)
    return decoder(c, sizes=s, bias=bias, windows={None: attending}, feed_forward=make, extra=extra, rotary=rotary)
