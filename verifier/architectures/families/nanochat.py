"""nanochat: norms without parameters, squared ReLU between two matrices."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("nanochat",)


def build(c: Config) -> Architecture:

    return decoder(
        c,
        own_head_dim=False,
        bias=c.flag("attention_bias"),
        norms=(),
        final_norm=None,
        feed_forward="plain",
        mlp_names=("fc1", "fc2"),
        rotary="full",
    )
