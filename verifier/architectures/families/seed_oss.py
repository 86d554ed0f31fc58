"""Seed-OSS: biases of queries, keys and values apart from that of the output."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("seed_oss",)


def build(c: Config) -> Architecture:

    bias, bias_o = c.flag("attention_bias"), c.flag("attention_out_bias")
    return decoder(c, bias=bias, bias_o=bias_o, mlp_bias=c.flag("mlp_bias"), rotary="full")
