"""Nemotron: layer norms, squared ReLU between two matrices, half of each head turned."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("nemotron",)


def build(c: Config) -> Architecture:

    return decoder(
        c,
        bias=c.flag("attention_bias"),
        norm_kind="layer",
        feed_forward="plain",
        mlp_bias=c.flag("mlp_bias"),
        rotary="partial",
    )
