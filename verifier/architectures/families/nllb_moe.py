"""NLLB-MoE: M2M-100 with experts in some layers."""

from __future__ import annotations

from typing import Any

from ..blocks import attention, cross_attention, embedding, head, norm, plain, project
from ..encoder_decoder import facts
from ..fields import Config, FieldError
from ..part import Architecture, Cache, Part, Weight

MODEL_TYPES = ("nllb-moe",)


def build(c: Config) -> Architecture:
    a = Architecture()
    width, vocabulary = c.size("d_model"), c.size("vocab_size")
    base = "" if c.architecture.endswith("Model") else "model."
    a.add(embedding(f"{base}shared.weight", vocabulary, width))
    for side in ("encoder", "decoder"):
        decoding = side == "decoder"
        layers, heads = c.size(f"{side}_layers"), c.size(f"{side}_attention_heads")
        tokens, dim = "new" if decoding else "source", width // heads
        path = f"{base}{side}.layers.*"
        own: dict[str, Any] = {
            "o": "out_proj",
            "bias": True,
            "causal": decoding,
            "tokens": tokens,
            "count": layers,
            "stage": side,
        }
        a.add(attention(f"{path}.self_attn", width, heads, dim, **own))
        a.add(norm(f"{path}.self_attn_layer_norm", width, "layer", count=layers))
        if decoding:
            a.add(cross_attention(f"{path}.cross_attention", width, heads, dim, count=layers))
            a.add(norm(f"{path}.cross_attention_layer_norm", width, "layer", count=layers))
            a.caches += [Cache((width, width), layers), Cache((width, width), layers, cross=True)]
        inner, number = c.size(f"{side}_ffn_dim"), c.number(f"{side}_layers")
        step = c.number(f"{side}_sparse_step", 4, least=0)
        sparse = sum(1 for i in range(number) if step and (i + 1) % step == 0)
        feed = f"{path}.ffn"
        if number > sparse:
            dense = layers if not sparse else number - sparse
            a.add(plain(f"{feed}.fc1", f"{feed}.fc2", width, inner, count=dense, tokens=tokens, stage=side))
        if sparse:
            e = c.size("num_experts")
            if c.number("num_experts") > 4096:
                raise FieldError("num_experts", "num_experts is above 4096", remedy="128, say")
            a.add(
                project(f"{feed}.router.classifier", width, e, bias=False, count=sparse, tokens=tokens, role="router")
            )
            a.add(separate_experts(f"{feed}.experts", width, inner, e, 2, sparse, tokens, side))
        a.add(norm(f"{path}.ff_layer_norm", width, "layer", count=layers))
        a.add(norm(f"{base}{side}.layer_norm", width, "layer"))
    if base:
        tied = c.tied(True)
        a.add(head("lm_head", width, vocabulary, tied=tied))
    return facts(a, c, tied=c.tied(True))


def separate_experts(
    name: str, width: Any, inner: Any, e: Any, k: Any, count: Any, tokens: Any, stage: str
) -> list[Part]:
    """Experts saved one by one: expert_0.fc1, expert_1.fc1, ..."""
    sizes = {"n": tokens, "d_model": width, "d_ff": inner, "e": e, "k": k}
    optional = frozenset({"b_in", "b_out"})
    parts = [Part("experts", "routed_plain_experts", sizes, (), optional, count=count, stage=stage)]
    if type(e) is int:
        one = {"d_model": width, "d_ff": inner, "d_out": width, "n": 0}
        for i in range(e):
            weights = tuple(
                Weight(f"{name}.expert_{i}.{tensor}", layout, (argument,))
                for tensor, layout, argument in (
                    ("fc1.weight", "d_ff d_model", "W_in"),
                    ("fc1.bias", "d_ff", "b_in"),
                    ("fc2.weight", "d_model d_ff", "W_out"),
                    ("fc2.bias", "d_model", "b_out"),
                )
            )
            parts.append(Part("experts", "feed_forward", one, weights, optional, count=count, stage=stage))
    return parts
