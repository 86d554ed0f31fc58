"""SmolLM3: Llama in which every fourth layer has no rotary embedding."""

from __future__ import annotations

from ..decoder import decoder, layer_windows
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("smollm3",)


def build(c: Config) -> Architecture:

    number = min(c.number("num_hidden_layers"), 100_000)
    interval = c.number("no_rope_layer_interval", 4)
    turned = c.list("no_rope_layers") or [int((i + 1) % interval != 0) for i in range(number)]
    windowed = c.flag("use_sliding_window") and c.get("sliding_window") is not None
    types = ["sliding_attention" if windowed and not t else "full_attention" for t in turned]
    bias = c.flag("attention_bias")
    seen = layer_windows(c, c.size("num_hidden_layers"), types)
    return decoder(c, bias=bias, mlp_bias=c.flag("mlp_bias"), windows=seen, rotary="full")
