"""StarCoder2: layer norms, two-matrix feed-forward, one flag for every bias."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("starcoder2",)


def build(c: Config) -> Architecture:

    bias = c.flag("use_bias")
    window = c.get("sliding_window")
    seen = {window if type(window) is int and window > 0 else None: c.size("num_hidden_layers")}
    return decoder(
        c,
        bias=bias,
        norm_kind="layer",
        feed_forward="plain",
        mlp_names=("c_fc", "c_proj"),
        mlp_bias=bias,
        windows=seen,
        rotary="full",
    )
