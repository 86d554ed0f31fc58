"""EXAONE MoE, GLM-4.5 and Solar Open: DeepSeek's experts on grouped-query attention."""

from __future__ import annotations

from typing import Any

from ..blocks import experts, shared_expert
from ..decoder import alternating, decoder, layer_windows, sizes_of
from ..fields import Config
from ..part import Architecture, Part
from .deepseek import deepseek_experts

MODEL_TYPES = ("exaone_moe", "glm4_moe", "solar_open", "sarvam_moe")


def build(c: Config) -> Architecture:
    s = sizes_of(c)
    count = sparse_count(c)

    def make(path: str, layers: Any) -> list[Part]:
        if c.model_type == "exaone_moe":
            inner, e = c.size("moe_intermediate_size"), c.size("num_experts")
            parts = experts(f"{path}.mlp", s.width, inner, e, c.size("num_experts_per_tok"), count=layers)
            shared = c.size("num_shared_experts", 1) * inner
            return parts + shared_expert(f"{path}.mlp.shared_experts", s.width, shared, count=layers)
        return deepseek_experts(c, f"{path}.mlp", s.width, layers)

    normed = c.model_type in ("exaone_moe", "sarvam_moe") or (c.model_type == "glm4_moe" and c.flag("use_qk_norm"))
    bias = c.flag("attention_bias") and c.model_type != "exaone_moe"
    seen = layer_windows(c, s.layers, windows(c))
    a = decoder(
        c,
        sizes=s,
        bias=bias,
        bias_o=False,
        qk_norm="head" if normed else None,
        sparse=(count, make),
        windows=seen,
        rotary="partial",
    )
    a.buffers = count * c.number("num_experts" if c.model_type == "exaone_moe" else "n_routed_experts")
    return a


def sparse_count(c: Config) -> int:
    """Layers with experts, from `mlp_layer_types` or all but the first few."""
    kinds, number = c.list("mlp_layer_types"), c.number("num_hidden_layers")
    if kinds is not None:
        return sum(kind == "sparse" for kind in kinds[:number])
    return max(number - c.number("first_k_dense_replace", 0, least=0), 0)


def windows(c: Config) -> list[str] | None:
    if c.model_type != "exaone_moe" or c.get("sliding_window") is None:
        return None
    pattern = c.get("sliding_window_pattern")
    every = len(pattern) if isinstance(pattern, str) else pattern if type(pattern) is int else 4
    return alternating(c, every) if every else None
