"""Qwen3-MoE: Qwen3 with routed experts in most layers."""

from __future__ import annotations

from typing import Any

from ..blocks import experts
from ..decoder import FeedForward, Sizes, decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part
from .qwen2 import upper_windows

MODEL_TYPES = ("qwen3_moe",)


def build(c: Config) -> Architecture:

    s = sizes_of(c)
    return decoder(
        c, sizes=s, bias=c.flag("attention_bias"), qk_norm="head", windows=upper_windows(c), sparse=sparse_part(c, s)
    )


def sparse_part(c: Config, s: Sizes) -> tuple[Any, FeedForward]:
    """Layers with experts: every `decoder_sparse_step`-th, except those in `mlp_only_layers`."""
    number, step = min(c.number("num_hidden_layers"), 100_000), c.number("decoder_sparse_step", 1, least=0)
    only = c.list("mlp_only_layers") or []
    total = c.number("num_experts", 0, least=0)
    count = sum(1 for i in range(number) if total > 0 and i not in only and step and (i + 1) % step == 0)

    def make(path: str, layers: Any) -> list[Part]:
        e, k, inner = c.size("num_experts"), c.size("num_experts_per_tok"), c.size("moe_intermediate_size")
        return experts(f"{path}.mlp", s.width, inner, e, k, count=layers)

    return (s.layers if count == number else count), make
