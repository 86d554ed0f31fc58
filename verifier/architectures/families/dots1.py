"""dots.llm1: DeepSeek"s experts on grouped-query attention."""

from __future__ import annotations

from typing import Any

from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part
from .deepseek import deepseek_experts

MODEL_TYPES = ("dots1",)


def build(c: Config) -> Architecture:

    s = sizes_of(c)
    first = c.number("first_k_dense_replace", 0, least=0)
    number = c.number("num_hidden_layers")
    count = max(number - first, 0)

    def make(path: str, layers: Any) -> list[Part]:
        return deepseek_experts(c, f"{path}.mlp", s.width, layers)

    a = decoder(c, sizes=s, bias=c.flag("attention_bias"), qk_norm="head", sparse=(count, make), rotary="full")
    a.buffers = count * c.number("n_routed_experts")
    return a
