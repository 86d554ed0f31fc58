"""BLOOM: ALiBi, fused queries, keys and values, a norm after the embedding."""

from __future__ import annotations

from typing import Any

from ..blocks import plain
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("bloom",)


def build(c: Config) -> Architecture:
    width = c.size("hidden_size")
    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("num_attention_heads"), inner=4 * width)

    def make(path: str, count: Any) -> list[Part]:
        first, second = f"{path}.mlp.dense_h_to_4h", f"{path}.mlp.dense_4h_to_h"
        return [plain(first, second, s.width, s.inner, count=count)]

    return decoder(
        c,
        sizes=s,
        model="transformer",
        layers="h",
        tokens="word_embeddings",
        embedding_norm="word_embeddings_layernorm",
        attn="self_attention",
        attention_names={"fused": "query_key_value", "o": "dense"},
        bias=True,
        norm_kind="layer",
        final_norm="ln_f",
        feed_forward=make,
    )
