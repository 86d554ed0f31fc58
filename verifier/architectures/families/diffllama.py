"""DiffLlama: Llama whose attention is the difference of two, weighed by learned vectors."""

from __future__ import annotations

from ..blocks import bias_alone
from ..decoder import decoder
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("diffllama",)


def build(c: Config) -> Architecture:
    a = decoder(c, bias=c.flag("attention_bias"), rotary="full")
    heads, dim, layers = a.facts["heads"], a.facts["head_dim"], a.facts["layers"]
    # Each head's weights mix two values of a head: the values of both groups side by side.
    twice = {"n": "new", "m": "2*all", "h": heads, "d_v": dim}
    a.add(Part("attention", "mix_values", twice, count=layers))
    for name in ("lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"):
        own = f"model.layers.*.self_attn.{name}"
        a.add(bias_alone(own, a.facts["head_dim"], count=a.facts["layers"], role="attention"))
    return a
