"""nanoGPT: GPT-2's layout with matrices saved [out, in], and one flag for every bias and norm bias."""

from __future__ import annotations

from typing import Any

from ..blocks import plain
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("nanogpt",)


def build(c: Config) -> Architecture:
    bias = c.flag("bias", True)
    width = c.size("n_embd")
    c.aliases = {
        "hidden_size": "n_embd",
        "num_hidden_layers": "n_layer",
        "num_attention_heads": "n_head",
        "max_position_embeddings": "n_positions",
    }
    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("n_head"), inner=4 * width)

    def make(path: str, count: Any) -> list[Part]:
        return [plain(f"{path}.mlp.c_fc", f"{path}.mlp.c_proj", s.width, s.inner, bias=bias, count=count)]

    return decoder(
        c,
        sizes=s,
        model="transformer",
        layers="h",
        tokens="wte",
        positions=("wpe", c.size("n_positions")),
        attn="attn",
        attention_names={"fused": "c_attn", "o": "c_proj"},
        bias=bias,
        norm_kind="layer" if bias else "gain",
        norms=("ln_1", "ln_2"),
        final_norm="ln_f",
        feed_forward=make,
        tied=True,
    )
