"""Qwen2: Llama with biases on queries, keys and values, whose upper layers may have a window."""

from __future__ import annotations

from typing import Any

from ..decoder import decoder, layer_windows
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("qwen2",)


def build(c: Config) -> Architecture:

    return decoder(c, bias=True, bias_o=False, windows=upper_windows(c), rotary="full")


def upper_windows(c: Config) -> dict[int | None, Any]:
    """Layers from `max_window_layers` on have the window, where `use_sliding_window` says so."""
    layers = c.size("num_hidden_layers")
    if not c.flag("use_sliding_window"):
        return {None: layers}
    number = min(c.number("num_hidden_layers"), 100_000)
    whole = c.number("max_window_layers", number, least=0)
    types = ["sliding_attention" if i >= whole else "full_attention" for i in range(number)]
    return layer_windows(c, layers, types)
