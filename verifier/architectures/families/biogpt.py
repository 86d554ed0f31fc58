"""BioGPT, XGLM and OPT-like decoders: BART"s names, learned positions two rows longer."""

from __future__ import annotations

from typing import Any

from ..blocks import plain
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("biogpt",)


def build(c: Config) -> Architecture:

    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("num_attention_heads"))

    def make(path: str, count: Any) -> list[Part]:
        return [plain(f"{path}.fc1", f"{path}.fc2", s.width, s.inner, count=count)]

    return decoder(
        c,
        sizes=s,
        model="biogpt",
        positions=("embed_positions", c.size("max_position_embeddings") + 2),
        attention_names={"o": "out_proj"},
        bias=True,
        norm_kind="layer",
        norms=("self_attn_layer_norm", "final_layer_norm"),
        final_norm="layer_norm",
        feed_forward=make,
        head_name="output_projection",
    )
