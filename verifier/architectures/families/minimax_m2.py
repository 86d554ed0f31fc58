"""MiniMax M2: routed experts, norms on the whole width of queries and keys."""

from __future__ import annotations

from typing import Any

from ..blocks import experts
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("minimax_m2",)


def build(c: Config) -> Architecture:
    s = sizes_of(c)

    def make(path: str, count: Any) -> list[Part]:
        e, k = c.size("num_local_experts"), c.size("num_experts_per_tok")
        return experts(f"{path}.mlp", s.width, s.inner, e, k, count=count)

    a = decoder(c, sizes=s, qk_norm="width", feed_forward=make, rotary="partial")
    a.buffers = c.number("num_hidden_layers") * c.number("num_local_experts")
    return a
