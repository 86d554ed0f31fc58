"""CTRL: sinusoidal positions, a feed-forward saved as a sequence of two, a bias on the tied logits."""

from __future__ import annotations

from typing import Any

from ..blocks import plain
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("ctrl",)


def build(c: Config) -> Architecture:

    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("num_attention_heads"), inner=c.size("dff"))

    def make(path: str, count: Any) -> list[Part]:
        return [plain(f"{path}.ffn.*", f"{path}.ffn.*", s.width, s.inner, count=count)]

    return decoder(
        c,
        sizes=s,
        model="transformer",
        layers="h",
        tokens="w",
        attn="multi_head_attention",
        attention_names={"q": "Wq", "k": "Wk", "v": "Wv", "o": "dense"},
        bias=True,
        norm_kind="layer",
        norms=("layernorm1", "layernorm2"),
        final_norm="layernorm",
        feed_forward=make,
        head_bias=True,
    )
