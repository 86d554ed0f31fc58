"""Falcon: one key/value head, some, or all, as its flags say; some versions store them broadcast."""

from __future__ import annotations

from typing import Any

from ..blocks import plain
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("falcon",)


def build(c: Config) -> Architecture:

    new = c.flag("new_decoder_architecture")
    heads = c.size("num_attention_heads")
    old = 1 if c.flag("multi_query", True) else heads
    kv_heads = c.size("num_kv_heads", heads) if new else old
    width = c.size("hidden_size")
    s = sizes_of(c, own_head_dim=False, kv_heads=kv_heads, inner=c.size("ffn_hidden_size", 4 * width))
    bias = c.flag("bias")

    def make(path: str, count: Any) -> list[Part]:
        first, second = f"{path}.mlp.dense_h_to_4h", f"{path}.mlp.dense_4h_to_h"
        return [plain(first, second, s.width, s.inner, bias=bias, count=count)]

    return decoder(
        c,
        sizes=s,
        model="transformer",
        layers="h",
        tokens="word_embeddings",
        attn="self_attention",
        attention_names={"fused": "query_key_value", "o": "dense"},
        bias=bias,
        norm_kind="layer",
        norms=layer_norms(c, new=new),
        final_norm="ln_f",
        feed_forward=make,
        cache_heads=heads if new else None,
        rotary=None if c.flag("alibi") else "full",
    )


def layer_norms(c: Config, *, new: bool) -> tuple[str, ...]:
    """One norm for both sub-layers, one each, or the old order of two."""
    if new and c.get("num_ln_in_parallel_attn", None) in (None, 2):
        return ("ln_attn", "ln_mlp")
    if new or c.flag("parallel_attn", True):
        return ("input_layernorm",)
    return ("input_layernorm", "post_attention_layernorm")
