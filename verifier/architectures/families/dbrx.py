"""DBRX: experts saved as three flat tensors, sizes inside `attn_config` and `ffn_config`."""

from __future__ import annotations

from typing import Any

from ..blocks import experts
from ..decoder import sizes_of
from ..fields import Config
from ..gpt import mosaic
from ..part import Architecture, Part

MODEL_TYPES = ("dbrx",)


def build(c: Config) -> Architecture:

    attn = c.inner("attn_config", "dbrx_attn")
    ffn = c.inner("ffn_config", "dbrx_ffn")
    s = sizes_of(c, own_head_dim=False, kv_heads=attn.size("kv_n_heads", 1), inner=ffn.size("ffn_hidden_size", 3584))
    e, k = ffn.size("moe_num_experts", 4), ffn.size("moe_top_k", 1)

    def make(path: str, count: Any) -> list[Part]:
        return experts(
            f"{path}.ffn",
            s.width,
            s.inner,
            e,
            k,
            router="router.layer",
            split=("experts.mlp.w1", "experts.mlp.v1", "experts.mlp.w2"),
            layouts=("(e d_ff) d_model", "(e d_ff) d_model"),
            count=count,
        )

    norms = ("norm_attn_norm.norm_1", "norm_attn_norm.norm_2")
    return mosaic(c, s, make, attn="norm_attn_norm.attn", norms=norms, rotary="full")
