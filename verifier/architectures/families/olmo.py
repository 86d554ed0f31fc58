"""OLMo: Llama whose layer norms have no parameters."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("olmo",)


def build(c: Config) -> Architecture:

    return decoder(c, bias=c.flag("attention_bias"), norms=(), final_norm=None, rotary="full")
