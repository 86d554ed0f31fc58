"""FlexOlmo: OLMo 2 with routed experts."""

from __future__ import annotations

from typing import Any

from ..blocks import experts
from ..decoder import decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("flex_olmo",)


def build(c: Config) -> Architecture:
    s = sizes_of(c)

    def make(path: str, count: Any) -> list[Part]:
        e, k = c.size("num_experts"), c.size("num_experts_per_tok")
        return experts(f"{path}.mlp", s.width, s.inner, e, k, count=count)

    norms = ("post_attention_layernorm", "post_feedforward_layernorm")
    return decoder(
        c, sizes=s, bias=c.flag("attention_bias"), qk_norm="width", norms=norms, feed_forward=make, rotary="full"
    )
