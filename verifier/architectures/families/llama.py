"""Llama, and the families that differ from it in no tensor."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("llama", "granite")


def build(c: Config) -> Architecture:

    return decoder(c, bias=c.flag("attention_bias"), mlp_bias=c.flag("mlp_bias"), rotary="full")
