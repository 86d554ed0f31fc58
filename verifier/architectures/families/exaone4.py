"""EXAONE 4: norms after each sub-layer and on each head's queries and keys, one layer in four seeing everything."""

from __future__ import annotations

from ..decoder import alternating, decoder, layer_windows
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("exaone4",)


def build(c: Config) -> Architecture:
    norms = ("post_attention_layernorm", "post_feedforward_layernorm")
    every = c.number("sliding_window_pattern", 4, least=0) if c.get("sliding_window") is not None else 0
    types = alternating(c, every) if every else None
    seen = layer_windows(c, c.size("num_hidden_layers"), types)
    return decoder(c, qk_norm="head", norms=norms, windows=seen, rotary="full")
