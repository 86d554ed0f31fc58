"""XGLM: BART's names, sinusoidal positions that are not saved."""

from __future__ import annotations

from typing import Any

from ..blocks import plain
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("xglm",)


def build(c: Config) -> Architecture:
    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("num_attention_heads"), inner=c.size("ffn_dim"))

    def make(path: str, count: Any) -> list[Part]:
        return [plain(f"{path}.fc1", f"{path}.fc2", s.width, s.inner, count=count)]

    return decoder(
        c,
        sizes=s,
        attention_names={"o": "out_proj"},
        bias=True,
        norm_kind="layer",
        norms=("self_attn_layer_norm", "final_layer_norm"),
        final_norm="layer_norm",
        feed_forward=make,
    )
