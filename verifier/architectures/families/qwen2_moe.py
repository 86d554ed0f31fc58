"""Qwen 1.5 and 2 MoE: routed experts beside one that every token visits, weighed by a score of its own."""

from __future__ import annotations

from typing import Any

from ..blocks import shared_expert
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part
from .qwen2 import upper_windows
from .qwen3_moe import sparse_part

MODEL_TYPES = ("qwen2_moe",)


def build(c: Config) -> Architecture:
    s = sizes_of(c)
    count, make = sparse_part(c, s)

    def with_shared(path: str, layers: Any) -> list[Part]:
        inner = c.size("shared_expert_intermediate_size")
        own = f"{path}.mlp.shared_expert"
        return make(path, layers) + shared_expert(own, s.width, inner, gate=f"{own}_gate", count=layers)

    bias = c.flag("qkv_bias", True)
    return decoder(
        c, sizes=s, bias=bias, bias_o=False, windows=upper_windows(c), sparse=(count, with_shared), rotary="full"
    )
