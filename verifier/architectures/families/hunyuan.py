"""Hunyuan, dense and with experts: norms on each head's queries and keys."""

from __future__ import annotations

from typing import Any

from ..blocks import experts, shared_expert
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("hunyuan_v1_dense", "hunyuan_v1_moe")


def build(c: Config) -> Architecture:
    s = sizes_of(c)

    def make(path: str, count: Any) -> list[Part]:
        e, k = c.size("num_experts"), c.get("moe_topk")
        chosen = k[0] if isinstance(k, list) and k else c.size("moe_topk", 1)
        parts = experts(f"{path}.mlp", s.width, s.inner, e, chosen, router="gate.wg", count=count)
        return parts + shared_expert(f"{path}.mlp.shared_mlp", s.width, s.inner, count=count)

    names = ("query_layernorm", "key_layernorm")
    feed = make if c.model_type == "hunyuan_v1_moe" else "gated"
    bias = c.flag("attention_bias")
    return decoder(c, sizes=s, bias=bias, qk_norm="head", qk_names=names, feed_forward=feed, rotary="full")
