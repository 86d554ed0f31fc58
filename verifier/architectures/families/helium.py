"""Helium: Llama whose output projection keeps the width."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("helium",)


def build(c: Config) -> Architecture:

    return decoder(c, bias=c.flag("attention_bias"), bias_o=False, mlp_bias=c.flag("mlp_bias"), rotary="full")
