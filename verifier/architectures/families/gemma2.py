"""Gemma 2 and VaultGemma: norms before and after each sub-layer, every second layer behind a window."""

from __future__ import annotations

from ..decoder import decoder, layer_windows
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("gemma2", "vaultgemma")


def build(c: Config) -> Architecture:

    norms = ["input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"]
    if c.model_type == "vaultgemma":
        norms = [norms[0], norms[2]]
    number = min(c.number("num_hidden_layers"), 100_000)
    types = ["full_attention" if i % 2 else "sliding_attention" for i in range(number)]
    seen = layer_windows(c, c.size("num_hidden_layers"), types)
    return decoder(c, bias=c.flag("attention_bias"), norms=norms, windows=seen, rotary="full")
