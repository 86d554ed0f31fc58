"""Qwen3: Llama with a norm on each head"s queries and keys."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture
from .qwen2 import upper_windows

MODEL_TYPES = ("qwen3",)


def build(c: Config) -> Architecture:

    return decoder(c, bias=c.flag("attention_bias"), qk_norm="head", windows=upper_windows(c), rotary="full")
