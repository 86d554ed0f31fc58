"""Apertus: norms on queries and keys, two matrices with an activation that learns two numbers."""

from __future__ import annotations

from ..blocks import bias_alone
from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("apertus",)


def build(c: Config) -> Architecture:
    norms = ("attention_layernorm", "feedforward_layernorm")
    a = decoder(
        c,
        own_head_dim=True,
        bias=c.flag("attention_bias"),
        qk_norm="head",
        norms=norms,
        feed_forward="plain",
        rotary="full",
    )
    for name in ("alpha_p", "alpha_n"):
        a.add(bias_alone(f"model.layers.*.mlp.act_fn.{name}", 1, count=a.facts["layers"], role="feed-forward"))
    # Two fixed numbers of the activation are saved with each layer.
    a.buffers = 2 * a.facts["layers"]
    return a
