"""GPTBigCode (StarCoder): GPT-2 with one key/value head, matrices saved [out, in]."""

from __future__ import annotations

from typing import Any

from ..blocks import plain
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part
from .gpt2 import inner_size

MODEL_TYPES = ("gpt_bigcode",)


def build(c: Config) -> Architecture:
    heads = c.size("num_attention_heads")
    kv_heads = 1 if c.flag("multi_query", True) else heads
    s = sizes_of(c, own_head_dim=False, kv_heads=kv_heads, inner=inner_size(c))

    def make(path: str, count: Any) -> list[Part]:
        return [plain(f"{path}.mlp.c_fc", f"{path}.mlp.c_proj", s.width, s.inner, count=count)]

    return decoder(
        c,
        sizes=s,
        model="transformer",
        layers="h",
        tokens="wte",
        positions=("wpe", c.size("n_positions")),
        attn="attn",
        attention_names={"fused": "c_attn", "o": "c_proj"},
        bias=True,
        norm_kind="layer",
        norms=("ln_1", "ln_2"),
        final_norm="ln_f",
        feed_forward=make,
    )
