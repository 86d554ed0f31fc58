"""Phi 3 and 4: queries, keys and values in one tensor, gate and up in another."""

from __future__ import annotations

from ..decoder import decoder
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("phi3",)


def build(c: Config) -> Architecture:

    window = c.get("sliding_window")
    seen = {window if type(window) is int and window > 0 else None: c.size("num_hidden_layers")}
    return decoder(c, attention_names={"fused": "qkv_proj"}, feed_forward="fused", windows=seen, rotary="partial")
