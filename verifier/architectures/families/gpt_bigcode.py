"""GPTBigCode (StarCoder): GPT-2 with one key/value head, matrices saved [out, in]."""

from __future__ import annotations

from ..decoder import sizes_of
from ..fields import Config
from ..gpt import gpt
from ..part import Architecture
from .gpt2 import inner_size

MODEL_TYPES = ("gpt_bigcode",)


def build(c: Config) -> Architecture:
    heads = c.size("num_attention_heads")
    kv_heads = 1 if c.flag("multi_query", True) else heads
    s = sizes_of(c, own_head_dim=False, kv_heads=kv_heads, inner=inner_size(c))
    return gpt(c, s, c.size("n_positions"), bias=True)
