"""Arcee and Jais 2: Llama with squared ReLU between two matrices; Jais 2 with layer norms."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("arcee", "jais2")


def build(c: Config) -> Architecture:
    kind = "layer" if c.model_type == "jais2" else "rms"
    bias, mlp_bias = c.flag("attention_bias"), c.flag("mlp_bias")
    return decoder(c, bias=bias, norm_kind=kind, feed_forward="plain", mlp_bias=mlp_bias, rotary="full")
