"""Gemma 3: Gemma 2 with a norm on each head"s queries and keys, one layer in six seeing everything."""

from __future__ import annotations

from ..decoder import alternating, decoder, layer_windows
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("gemma3_text",)


def build(c: Config) -> Architecture:

    norms = ("input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm")
    types = alternating(c, c.number("sliding_window_pattern", 6))
    seen = layer_windows(c, c.size("num_hidden_layers"), types)
    return decoder(c, bias=c.flag("attention_bias"), norms=norms, qk_norm="head", windows=seen, rotary="full")
