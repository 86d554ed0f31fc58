"""JetMoE: experts in attention too, each with queries and output of its own over shared keys and values."""

from __future__ import annotations

from typing import Any

from ..blocks import bias_alone, embedding, experts, head, norm, project
from ..decoder import ending
from ..fields import Config
from ..part import Architecture, Cache, Part, Weight

MODEL_TYPES = ("jetmoe",)


def build(c: Config) -> Architecture:

    width, layers, inner = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("intermediate_size")
    e, k = c.size("num_local_experts"), c.size("num_experts_per_tok")
    groups, dim, vocabulary = c.size("num_key_value_heads"), c.size("kv_channels"), c.size("vocab_size")
    span, heads = groups * dim, groups * k
    top = ending(c)
    base = "" if top == "base" else "model."
    path = f"{base}layers.*"
    a = Architecture(kind="decoder")
    a.add(embedding(f"{base}embed_tokens.weight", vocabulary, width))
    feed: dict[str, Any] = {"gate_up": "input_linear.weight", "down": "output_linear.weight", "router": "router.layer"}
    a.add(experts(f"{path}.mlp", width, inner, e, k, count=layers, **feed))
    a.add(bias_alone(f"{path}.mlp.bias", width, count=layers, role="experts"))
    for name in ("input_layernorm", "post_attention_layernorm"):
        a.add(norm(f"{path}.{name}", width, count=layers))
    own = f"{path}.self_attention.experts"
    a.add(bias_alone(f"{own}.bias", width, count=layers, role="attention"))
    routed: dict[str, Any] = {"n": "new", "k": k, "e": e}
    for name, inside, outside in (("input_linear", width, span), ("output_linear", span, width)):
        weight = Weight(f"{own}.{name}.weight", "e d_out d_in", ("W",))
        sizes = {**routed, "d_in": inside, "d_out": outside}
        a.add(Part("attention", "routed_projection", sizes, (weight,), count=layers))
    sizes = {"n": "new", "d_model": width, "e": e}
    weight = Weight(f"{own}.router.layer.weight", "e d_model", ("W_router",))
    a.add(Part("router", "router_scores", sizes, (weight,), count=layers))
    a.add(project(f"{path}.self_attention.kv_proj", width, 2 * span, bias=False, count=layers, role="attention"))
    a.add(
        Part("attention", "cached_scores", {"n": "new", "t": "past", "h": heads, "d_k": dim, "d_v": dim}, count=layers)
    )
    a.add(norm(f"{base}norm", width))
    tied = c.tied()
    if top == "lm":
        a.add(head("lm_head", width, vocabulary, tied=tied))
        if tied:
            a.tied.append((f"{base}embed_tokens.weight", "lm_head.weight"))
    a.caches.append(Cache((span, span), layers))
    a.facts.update(width=width, layers=layers, heads=heads, kv_heads=groups, head_dim=dim, inner=inner, tied=tied)
    a.facts.update(vocabulary=vocabulary, rotary="full")
    return a
