"""Jamba: Mamba layers with an attention layer now and then, experts in every second feed-forward."""

from __future__ import annotations

from typing import Any

from ..blocks import experts
from ..decoder import Sizes, decoder, sizes_of
from ..fields import Config
from ..part import Architecture, Part
from ..state_space import keeps, selective
from .mamba import expanded, step_rank

MODEL_TYPES = ("jamba",)


def build(c: Config) -> Architecture:
    s = sizes_of(c, own_head_dim=False)
    number = c.number("num_hidden_layers")
    attending = periodic(c, "attn_layer", number)
    mixing = number - attending
    routed = periodic(c, "expert_layer", number) if c.number("num_experts", 1) > 1 else 0

    def make(path: str, count: Any) -> list[Part]:
        e, k = c.size("num_experts"), c.size("num_experts_per_tok")
        return experts(f"{path}.feed_forward", s.width, s.inner, e, k, router="router", count=count)

    def extra(a: Architecture, path: str, s: Sizes) -> None:
        if not mixing:
            return
        inner, state, window = expanded(c, s.width, "mamba_expand"), c.size("mamba_d_state"), c.size("mamba_d_conv")
        rank = step_rank(c, s.width, "mamba_dt_rank")
        biases = {"bias": c.flag("mamba_proj_bias", False), "conv_bias": c.flag("mamba_conv_bias", True)}
        a.add(selective(f"{path}.mamba", s.width, inner, state, rank, window, mixing, norms=True, **biases))
        keeps(a, inner * (state + window), mixing)

    return decoder(
        c,
        sizes=s,
        windows={None: attending},
        mlp="feed_forward",
        sparse=(routed, make),
        norms=("input_layernorm", "pre_ff_layernorm"),
        final_norm="final_layernorm",
        extra=extra,
    )


def periodic(c: Config, name: str, number: int) -> int:
    """How many layers have the index `offset` modulo `period`."""
    period, offset = c.number(f"{name}_period"), c.number(f"{name}_offset", least=0)
    return sum(1 for i in range(number) if i % period == offset)
