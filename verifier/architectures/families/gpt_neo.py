"""GPT-Neo: global and local layers in the order of `attention_types`, learned positions."""

from __future__ import annotations

from typing import Any

from ..blocks import plain
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("gpt_neo",)


def build(c: Config) -> Architecture:

    width = c.size("hidden_size")
    s = sizes_of(
        c, own_head_dim=False, kv_heads=c.size("num_attention_heads"), inner=c.size("intermediate_size", 4 * width)
    )

    def make(path: str, count: Any) -> list[Part]:
        return [plain(f"{path}.mlp.c_fc", f"{path}.mlp.c_proj", s.width, s.inner, count=count)]

    return decoder(
        c,
        sizes=s,
        model="transformer",
        layers="h",
        tokens="wte",
        positions=("wpe", c.size("max_position_embeddings")),
        attn="attn.attention",
        attention_names={"o": "out_proj"},
        bias_o=True,
        norm_kind="layer",
        norms=("ln_1", "ln_2"),
        final_norm="ln_f",
        feed_forward=make,
        windows={None: s.layers},
    )
