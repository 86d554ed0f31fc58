"""Persimmon: fused queries, keys and values, layer norms, norms on queries and keys."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("persimmon",)


def build(c: Config) -> Architecture:

    return decoder(
        c,
        own_head_dim=False,
        attention_names={"fused": "query_key_value", "o": "dense"},
        bias=True,
        norm_kind="layer",
        final_norm="final_layernorm",
        qk_norm="head" if c.flag("qk_layernorm") else None,
        qk_names=("q_layernorm", "k_layernorm"),
        feed_forward="plain",
        mlp_names=("dense_h_to_4h", "dense_4h_to_h"),
        mlp_bias=True,
        rotary="partial",
    )
