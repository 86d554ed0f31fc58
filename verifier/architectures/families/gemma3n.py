"""Gemma 3n and Gemma 4: embeddings of each layer's own, and upper layers that read the keys and values of lower ones.

Gemma 3n keeps several residual streams (AltUp) and a low-rank path (LAuReL); Gemma 4 has larger heads in its full
layers, and experts beside the feed-forward where `enable_moe_block` says so.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..blocks import attention, embedding, experts, gated, head, norm, project
from ..decoder import ending
from ..fields import Config, FieldError
from ..part import Architecture, Cache, Part, Weight

MODEL_TYPES = ("gemma3n_text", "gemma4_text")


def build(c: Config) -> Architecture:
    a = Architecture(kind="decoder")
    newer = c.model_type == "gemma4_text"
    width, heads, vocabulary = c.size("hidden_size"), c.size("num_attention_heads"), c.size("vocab_size")
    number = c.number("num_hidden_layers")
    base = "model." if ending(c) != "base" else ""
    path = f"{base}layers.*"
    shared = min(c.number("num_kv_shared_layers", 0, least=0), number)
    a.add(embedding(f"{base}embed_tokens.weight", vocabulary, width))
    a.add(attending(a, c, f"{path}.self_attn", layer_kinds(c, number), number - shared))
    norms = ["input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"]
    for inner, count in feed_forward_widths(c, number, shared).items():
        a.add(gated(f"{path}.mlp", width, inner, count=count))
    if newer and c.flag("enable_moe_block"):
        a.add(routed(c, path, width, number))
        norms += ["post_feedforward_layernorm_1", "post_feedforward_layernorm_2", "pre_feedforward_layernorm_2"]
    a.add([norm(f"{path}.{name}", width, count=number) for name in norms])
    if not newer:
        a.add(streams(c, base, path, width, number))
    if c.get("hidden_size_per_layer_input") or not newer:
        a.add(own_embeddings(c, base, path, width, number))
    a.add(norm(f"{base}norm", width))
    tied = c.tied()
    if ending(c) == "lm":
        a.add(head("lm_head", width, vocabulary, tied=tied))
        if tied:
            a.tied.append((f"{base}embed_tokens.weight", "lm_head.weight"))
    if newer:
        a.buffers = number
    a.facts.update(width=width, layers=number, heads=heads, kv_heads=c.size("num_key_value_heads"))
    a.facts.update(head_dim=c.size("head_dim"), vocabulary=vocabulary, tied=tied, rotary="full")
    a.facts["windows"] = {str(cache.window): cache.layers for cache in a.caches if cache.window}
    return a


def layer_kinds(c: Config, number: int) -> list[str]:
    """Sliding and full layers: every fifth is full in Gemma 3n, every sixth and the last in Gemma 4."""
    newer = c.model_type == "gemma4_text"
    every = 6 if newer else 5
    kinds = c.list("layer_types")
    if kinds is None:
        kinds = ["sliding_attention" if (i + 1) % every else "full_attention" for i in range(number)]
    kinds = [str(kinds[i]) if i < len(kinds) else "full_attention" for i in range(number)]
    return [*kinds[:-1], "full_attention"] if newer else kinds


def attending(a: Architecture, c: Config, name: str, kinds: list[str], first_shared: int) -> list[Part]:
    """Attention of every kind of layer; those from `first_shared` on have queries alone."""
    if set(kinds[first_shared:]) - set(kinds[:first_shared]):
        fact = f"num_kv_shared_layers = {len(kinds) - first_shared} leaves no layer of one kind to take the keys from"
        raise FieldError("num_kv_shared_layers", fact, remedy="share fewer layers, or give layer_types")
    width, heads, newer = c.size("hidden_size"), c.size("num_attention_heads"), c.model_type == "gemma4_text"
    bias, window = c.flag("attention_bias"), c.number("sliding_window")
    parts: list[Part] = []
    for (kind, shared), count in Counter((k, i >= first_shared) for i, k in enumerate(kinds)).items():
        full = kind == "full_attention"
        dim, kv = c.size("head_dim"), c.size("num_key_value_heads")
        if newer and full:
            dim = c.size("global_head_dim", 512) if c.given("global_head_dim") else 512
            kv = c.size("num_global_key_value_heads", kv) if c.flag("attention_k_eq_v") else kv
        parts.append(norm(f"{name}.q_norm", dim, count=count))
        one_projection = newer and full and c.flag("attention_k_eq_v")
        if shared or one_projection:
            span = "all" if full else f"all:{window}"
            parts.append(queries_alone(name, width, heads, dim, span, count, bias=bias))
            if shared:
                continue
            parts.append(project(f"{name}.k_proj", width, kv * dim, bias=bias, count=count, role="attention"))
        else:
            seen = {None if full else window: count}
            parts += attention(name, width, heads, dim, kv_heads=kv, bias=bias, windows=seen)
        parts.append(norm(f"{name}.k_norm", dim, count=count))
        a.caches.append(Cache((kv * dim, kv * dim), count, None if full else window))
    return parts


def queries_alone(name: str, width: Any, heads: Any, dim: Any, span: str, count: int, *, bias: bool) -> Part:
    """Attention over keys and values that another layer, or another part, has made."""
    weights = [
        Weight(f"{name}.q_proj.weight", "(h d_k) d_model", ("W_Q",)),
        Weight(f"{name}.o_proj.weight", "d_out (h d_v)", ("W_O",)),
    ]
    if bias:
        weights.append(Weight(f"{name}.q_proj.bias", "(h d_k)", ("b_Q",)))
        weights.append(Weight(f"{name}.o_proj.bias", "d_out", ("b_O",)))
    sizes = {"n": "new", "m": span, "d_model": width, "d_out": width, "h": heads, "d_k": dim, "d_v": dim}
    optional = frozenset({"b_Q", "b_O"} if bias else ())
    return Part("attention", "attend_to_memory", sizes, tuple(weights), optional, count=count)


def feed_forward_widths(c: Config, number: int, shared: int) -> dict[Any, int]:
    """How many layers have which inner width: a list of one a layer, or twice as wide where keys are shared."""
    given = c.list("intermediate_size")
    if given is not None:
        if len(given) != number or any(type(g) is not int or g < 1 for g in given):
            fact = f"intermediate_size has {len(given)} entries for {number} layers, each a width of at least 1"
            raise FieldError("intermediate_size", fact, remedy="one whole number a layer, or one for all")
        return dict(Counter(given))
    inner = c.size("intermediate_size")
    if c.model_type == "gemma4_text" and c.flag("use_double_wide_mlp") and shared:
        return {w: n for w, n in ((inner, number - shared), (2 * inner, shared)) if n}
    return {inner: number}


def routed(c: Config, path: str, width: Any, number: int) -> list[Part]:
    """Experts beside the feed-forward: a scaled router, and a factor for each expert."""
    e, k, inner = c.size("num_experts"), c.size("top_k_experts"), c.size("moe_intermediate_size")
    return [
        norm(f"{path}.router", width, "scale", count=number, weight="scale", role="router"),
        norm(f"{path}.router", e, "scale", count=number, weight="per_expert_scale", role="router"),
        *experts(path, width, inner, e, k, router="router.proj", count=number),
    ]


def own_embeddings(c: Config, base: str, path: str, width: Any, number: int) -> list[Part]:
    """A second table with a row for each layer, and what each layer does with its own."""
    own = c.size("hidden_size_per_layer_input")
    rows = c.size("vocab_size_per_layer_input")
    once: dict[str, Any] = {"bias": False}
    return [
        embedding(f"{base}embed_tokens_per_layer.weight", rows, number * own),
        project(f"{base}per_layer_model_projection", width, number * own, **once),
        norm(f"{base}per_layer_projection_norm", own),
        project(f"{path}.per_layer_input_gate", width, own, count=number, **once),
        project(f"{path}.per_layer_projection", own, width, count=number, **once),
        norm(f"{path}.post_per_layer_input_norm", width, count=number),
    ]


def streams(c: Config, base: str, path: str, width: Any, number: int) -> list[Part]:
    """AltUp's k residual streams, predicted before a layer and corrected after it, and LAuReL's low-rank path."""
    k, rank, altup, laurel = c.size("altup_num_inputs"), c.size("laurel_rank"), f"{path}.altup", f"{path}.laurel"
    each: dict[str, Any] = {"bias": False, "count": number}
    ends: dict[str, Any] = {"bias": False, "count": k - 1}
    router = (Weight(f"{altup}.modality_router.weight", "d_out d_in", ("W",)),)
    sizes = {"n": "new", "d_in": width, "d_out": k}
    return [
        Part("streams", "linear", sizes, router, count=number, runs=2 * number),
        project(f"{altup}.prediction_coefs", k, k * k, **each),
        Part("streams", "mix_streams", {"k": k, "n": "new", "d": width}, count=number),
        project(f"{altup}.correction_coefs", k, k, **each),
        norm(altup, width, "scale", count=number, weight="correct_output_scale"),
        norm(f"{altup}.router_norm", width, count=number),
        project(f"{laurel}.linear_left", width, rank, **each),
        project(f"{laurel}.linear_right", rank, width, **each),
        norm(f"{laurel}.post_laurel_norm", width, count=number),
        project(f"{base}altup_projections.*", width, width, **ends),
        project(f"{base}altup_unembed_projections.*", width, width, **ends),
    ]
