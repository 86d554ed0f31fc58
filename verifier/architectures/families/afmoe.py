"""AFMoE: attention with a gate on its output, four norms a layer, experts after a few dense layers."""

from __future__ import annotations

from typing import Any

from ..blocks import bias_alone, experts, project, shared_expert
from ..decoder import alternating, decoder, layer_windows, sizes_of
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("afmoe",)


def build(c: Config) -> Architecture:
    s = sizes_of(c)
    count = max(c.number("num_hidden_layers") - c.number("num_dense_layers", 0, least=0), 0)

    def make(path: str, layers: Any) -> list[Part]:
        inner, e = c.size("moe_intermediate_size"), c.size("num_experts")
        parts = [bias_alone(f"{path}.mlp.expert_bias", e, count=layers, role="router")]
        k = c.size("num_experts_per_tok")
        parts += experts(f"{path}.mlp", s.width, inner, e, k, router="router.gate", count=layers)
        shared = c.size("num_shared_experts", 1) * inner
        return parts + shared_expert(f"{path}.mlp.shared_experts", s.width, shared, count=layers)

    norms = ("input_layernorm", "post_attention_layernorm", "pre_mlp_layernorm", "post_mlp_layernorm")
    seen = layer_windows(c, s.layers, alternating(c, c.number("global_attn_every_n_layers", 4)))
    a = decoder(
        c,
        sizes=s,
        bias=c.flag("attention_bias"),
        qk_norm="head",
        norms=norms,
        sparse=(count, make),
        windows=seen,
        rotary="full",
    )
    gate = project("model.layers.*.self_attn.gate_proj", s.width, s.heads * s.head_dim, bias=False, count=s.layers)
    a.add(gate)
    return a
