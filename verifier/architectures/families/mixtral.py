"""Mixtral: Mistral with routed experts in every layer."""

from __future__ import annotations

from typing import Any

from ..blocks import experts
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("mixtral",)


def build(c: Config) -> Architecture:

    s = sizes_of(c)

    def make(path: str, count: Any) -> list[Part]:
        e, k = c.size("num_local_experts"), c.size("num_experts_per_tok")
        return experts(f"{path}.mlp", s.width, s.inner, e, k, count=count)

    window = c.get("sliding_window")
    seen = {window if type(window) is int and window > 0 else None: s.layers}
    return decoder(c, sizes=s, windows=seen, feed_forward=make, rotary="full")
