"""ERNIE 4.5: Llama with one flag for every bias."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("ernie4_5",)


def build(c: Config) -> Architecture:

    bias = c.flag("use_bias")
    return decoder(c, bias=bias, mlp_bias=bias, rotary="full")
