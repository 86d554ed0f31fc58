"""Mistral: Llama without biases, every layer behind a window where one is given."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("mistral", "ministral", "ministral3")


def build(c: Config) -> Architecture:

    window = c.get("sliding_window")
    seen = {window if type(window) is int and window > 0 else None: c.size("num_hidden_layers")}
    return decoder(c, windows=seen if c.list("layer_types") is None else None, rotary="full")
