"""Megatron-LM's GPT as its arguments describe it: gated or not, with biases or not, grouped heads or not."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("megatron",)


def build(c: Config) -> Architecture:
    bias = c.flag("bias", False)
    learned = c.flag("learned_positions", False)
    return decoder(
        c,
        positions=("embed_positions", c.size("max_position_embeddings")) if learned else None,
        bias=c.flag("qkv_bias", bias),
        bias_o=bias,
        norm_kind="rms" if c.text("norm") == "rms" else "layer",
        feed_forward="gated" if c.flag("gated", False) else "plain",
        mlp_bias=bias,
        rotary=None if learned else "full",
    )
