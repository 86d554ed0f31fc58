"""MPT: ALiBi, no bias anywhere, norms with a gain alone."""

from __future__ import annotations

from typing import Any

from ..blocks import plain
from ..decoder import sizes_of
from ..fields import Config
from ..gpt import mosaic
from ..part import Architecture, Part

MODEL_TYPES = ("mpt",)


def build(c: Config) -> Architecture:
    width = c.size("d_model")
    inner = c.size("expansion_ratio", 4) * width
    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("num_attention_heads"), inner=inner)

    def make(path: str, count: Any) -> list[Part]:
        return [plain(f"{path}.ffn.up_proj", f"{path}.ffn.down_proj", s.width, s.inner, bias=False, count=count)]

    return mosaic(c, s, make)
