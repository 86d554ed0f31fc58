"""RecurrentGemma (Griffin): two gated linear recurrences for each layer of attention behind a window."""

from __future__ import annotations

from typing import Any

from ..blocks import attention, embedding, gated, head, norm, project
from ..decoder import ending
from ..fields import Config, FieldError
from ..part import Architecture, Cache, Part, Weight
from ..state_space import convolution, keeps

MODEL_TYPES = ("recurrent_gemma",)


def build(c: Config) -> Architecture:
    a = Architecture(kind="decoder")
    width, heads, vocabulary = c.size("hidden_size"), c.size("num_attention_heads"), c.size("vocab_size")
    kv, number, dim = c.size("num_key_value_heads", heads), c.number("num_hidden_layers"), width // heads
    inner: Any = c.size("intermediate_size", 3 * 2560) // 2
    recurrent = count_recurrent(c, number)
    base = "model." if ending(c) != "base" else ""
    path = f"{base}layers.*"
    a.add(embedding(f"{base}embed_tokens.weight", vocabulary, width))
    a.add([norm(f"{path}.{name}", width, count=number) for name in ("temporal_pre_norm", "channel_pre_norm")])
    if recurrent:
        a.add(recurrence(c, f"{path}.temporal_block", width, heads, recurrent))
        lru = c.size("lru_width", width)
        keeps(a, lru + lru * c.size("conv1d_width"), recurrent)
    if attending := number - recurrent:
        window = c.number("attention_window_size")
        bias = c.flag("attention_bias")
        names: dict[str, Any] = {"kv_heads": kv, "bias": bias, "bias_o": True, "windows": {window: attending}}
        a.add(attention(f"{path}.temporal_block", width, heads, dim, **names))
        a.caches.append(Cache((kv * dim, kv * dim), attending, window))
    a.add(gated(f"{path}.mlp_block", width, inner, bias=True, count=number))
    a.add(norm(f"{base}final_norm", width))
    tied = c.tied()
    if ending(c) == "lm":
        a.add(head("lm_head", width, vocabulary, tied=tied))
        if tied:
            a.tied.append((f"{base}embed_tokens.weight", "lm_head.weight"))
    a.facts.update(width=width, layers=number, heads=heads, kv_heads=kv, head_dim=dim, inner=inner)
    a.facts.update(vocabulary=vocabulary, tied=tied, rotary="partial")
    return a


def count_recurrent(c: Config, number: int) -> int:
    """Layers that are recurrent: `block_types` again and again."""
    kinds = c.list("block_types") or ["recurrent", "recurrent", "attention"]
    for i, kind in enumerate(kinds):
        if kind not in ("recurrent", "attention"):
            fact = f"block_types[{i}] = {kind!r:.40} is no kind of layer"
            raise FieldError("block_types", fact, remedy='"recurrent" or "attention"')
    return sum(kinds[i % len(kinds)] == "recurrent" for i in range(number))


def recurrence(c: Config, name: str, width: Any, heads: Any, layers: int) -> list[Part]:
    """A gate, a short convolution and a recurrence whose own gates are matrices of a block of channels each."""
    lru = c.size("lru_width", width)
    own = f"{name}.rg_lru"
    weights = (
        Weight(f"{own}.recurrent_param", "(h d)", ("W_decay",)),
        Weight(f"{own}.input_gate_weight", "h d d", ("W_input",)),
        Weight(f"{own}.input_gate_bias", "h d", ("b_input",)),
        Weight(f"{own}.recurrent_gate_weight", "h d d", ("W_recurrent",)),
        Weight(f"{own}.recurrent_gate_bias", "h d", ("b_recurrent",)),
    )
    sizes = {"n": "new", "h": heads, "d": lru // heads}
    each: dict[str, Any] = {"count": layers, "role": "recurrence"}
    return [
        project(f"{name}.linear_y", width, lru, **each),
        project(f"{name}.linear_x", width, lru, **each),
        project(f"{name}.linear_out", lru, width, **each),
        convolution(f"{name}.conv_1d", lru, c.size("conv1d_width"), bias=True, count=layers),
        Part("recurrence", "gated_recurrence_step", sizes, weights, count=layers),
    ]
