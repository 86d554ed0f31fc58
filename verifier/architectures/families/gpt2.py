"""GPT-2: matrices saved [in, out], queries, keys and values in one, learned positions."""

from __future__ import annotations

from typing import Any

from ..blocks import plain
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("gpt2", "openai-gpt", "gpt-sw3")


def build(c: Config) -> Architecture:

    s = sizes_of(c, own_head_dim=False, kv_heads=c.size("num_attention_heads"), inner=inner_size(c))
    first = c.model_type == "openai-gpt"

    def make(path: str, count: Any) -> list[Part]:
        return [plain(f"{path}.mlp.c_fc", f"{path}.mlp.c_proj", s.width, s.inner, transposed=True, count=count)]

    a = decoder(
        c,
        sizes=s,
        model="transformer",
        layers="h",
        tokens="tokens_embed" if first else "wte",
        positions=("positions_embed" if first else "wpe", c.size("n_positions")),
        attn="attn",
        attention_names={"fused": "c_attn", "o": "c_proj", "transposed": True},
        bias=True,
        norm_kind="layer",
        norms=("ln_1", "ln_2"),
        final_norm=None if first else "ln_f",
        feed_forward=make,
    )
    if first:
        a.caches.clear()
    return a


def inner_size(c: Config) -> Any:
    """`n_inner`, four times the width where it is null or absent."""
    return c.size("n_inner", 4 * c.size("hidden_size"))
