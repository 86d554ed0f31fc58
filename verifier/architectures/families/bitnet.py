"""BitNet: Llama with a norm before each output projection."""

from __future__ import annotations

from ..blocks import norm
from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("bitnet",)


def build(c: Config) -> Architecture:
    a = decoder(c, bias=c.flag("attention_bias"), rotary="full")
    layers = a.facts["layers"]
    a.add(norm("model.layers.*.self_attn.attn_sub_norm", a.facts["width"], count=layers))
    a.add(norm("model.layers.*.mlp.ffn_sub_norm", a.facts["inner"], count=layers))
    return a
