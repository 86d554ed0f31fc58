"""GPT-Neo: global and local layers in the order of `attention_types`, learned positions."""

from __future__ import annotations

from ..decoder import sizes_of
from ..fields import Config
from ..gpt import gpt
from ..part import Architecture

MODEL_TYPES = ("gpt_neo",)


def build(c: Config) -> Architecture:

    width = c.size("hidden_size")
    s = sizes_of(
        c, own_head_dim=False, kv_heads=c.size("num_attention_heads"), inner=c.size("intermediate_size", 4 * width)
    )
    names = {"o": "out_proj"}
    positions, windows = c.size("max_position_embeddings"), {None: s.layers}
    return gpt(c, s, positions, attn="attn.attention", attention_names=names, bias_o=True, windows=windows)
