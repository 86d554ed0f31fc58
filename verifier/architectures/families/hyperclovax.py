"""HyperCLOVA X: Llama with norms after each sub-layer where `use_post_norm` says so."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("hyperclovax",)


def build(c: Config) -> Architecture:
    norms = ["input_layernorm", "post_attention_layernorm"]
    if c.flag("use_post_norm"):
        norms += ["post_norm1", "post_norm2"]
    bias, mlp_bias = c.flag("attention_bias"), c.flag("mlp_bias")
    return decoder(c, bias=bias, mlp_bias=mlp_bias, norms=norms, rotary="full")
