"""Phi 1 to 2: one norm a layer, two-matrix feed-forward, part of each head turned, a bias on the logits."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("phi",)


def build(c: Config) -> Architecture:

    qk = c.flag("qk_layernorm")
    return decoder(
        c,
        own_head_dim=False,
        attention_names={"o": "dense"},
        bias=True,
        norm_kind="layer",
        norms=("input_layernorm",),
        final_norm="final_layernorm",
        qk_norm="head" if qk else None,
        qk_names=("q_layernorm", "k_layernorm"),
        feed_forward="plain",
        mlp_names=("fc1", "fc2"),
        mlp_bias=True,
        head_bias=True,
        rotary="partial",
    )
