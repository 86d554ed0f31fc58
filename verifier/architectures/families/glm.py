"""GLM-4: gate and up in one tensor, half the head size turned."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("glm", "glm4")


def build(c: Config) -> Architecture:

    norms = ["input_layernorm", "post_attention_layernorm"]
    if c.model_type == "glm4":
        norms += ["post_self_attn_layernorm", "post_mlp_layernorm"]
    bias = c.flag("attention_bias")
    return decoder(c, bias=bias, bias_o=False, norms=norms, feed_forward="fused", rotary="partial")
