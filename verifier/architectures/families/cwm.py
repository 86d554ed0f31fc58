"""CWM: Llama with every fourth layer seeing everything, the others behind a window."""

from __future__ import annotations

from ..decoder import decoder, layer_windows
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("cwm",)


def build(c: Config) -> Architecture:
    number = min(c.number("num_hidden_layers"), 100_000)
    types = ["full_attention" if i % 4 == 0 else "sliding_attention" for i in range(number)]
    seen = layer_windows(c, c.size("num_hidden_layers"), types)
    return decoder(c, mlp_bias=c.flag("mlp_bias"), windows=seen, rotary="full")
