"""Llama, and the families that differ from it in no tensor."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("llama", "granite", "internlm3", "exaone", "iquestcoder")


def build(c: Config) -> Architecture:
    bias = c.flag("attention_bias") if c.model_type != "internlm3" else c.flag("qkv_bias")
    return decoder(
        c,
        bias=bias,
        bias_o=None if c.model_type != "internlm3" else c.flag("bias"),
        mlp_bias=c.flag("mlp_bias"),
        rotary="full",
    )
