"""GPT-NeoX and Pythia: fused queries, keys and values, part of each head turned."""

from __future__ import annotations

from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("gpt_neox",)


def build(c: Config) -> Architecture:

    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("num_attention_heads"))
    return decoder(
        c,
        sizes=s,
        model="gpt_neox",
        tokens="embed_in",
        attn="attention",
        attention_names={"fused": "query_key_value", "o": "dense"},
        bias=c.flag("attention_bias"),
        norm_kind="layer",
        final_norm="final_layer_norm",
        feed_forward="plain",
        mlp_names=("dense_h_to_4h", "dense_4h_to_h"),
        mlp_bias=True,
        rotary="partial",
    )
