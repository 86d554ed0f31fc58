"""OLMo 2 and 3: norms after each sub-layer, and on the whole width of queries and keys."""

from __future__ import annotations

from ..decoder import alternating, decoder, layer_windows
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("olmo2", "olmo3")


def build(c: Config) -> Architecture:

    norms = ("post_attention_layernorm", "post_feedforward_layernorm")
    types = alternating(c, 4) if c.model_type == "olmo3" else None
    seen = layer_windows(c, c.size("num_hidden_layers"), types)
    return decoder(c, bias=c.flag("attention_bias"), norms=norms, qk_norm="width", windows=seen, rotary="full")
