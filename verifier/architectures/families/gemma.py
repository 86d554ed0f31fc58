"""Gemma: Llama with tied embeddings and a head size of its own."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("gemma",)


def build(c: Config) -> Architecture:

    return decoder(c, bias=c.flag("attention_bias"), rotary="full")
