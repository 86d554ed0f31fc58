"""Nemotron-H: each layer is one thing alone: Mamba 2, attention, a feed-forward, or experts."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..blocks import attention, embedding, head, norm, plain, project
from ..decoder import ending
from ..fields import Config, FieldError
from ..part import Architecture, Cache, Part, Weight
from ..state_space import keeps, scalar_decay

MODEL_TYPES = ("nemotron_h",)
LETTERS = {"M": "linear_attention", "*": "full_attention", "-": "mlp", "E": "moe"}
OLDER = {"mamba": "linear_attention", "attention": "full_attention"}


def build(c: Config) -> Architecture:
    a = Architecture(kind="decoder")
    width, vocabulary = c.size("hidden_size"), c.size("vocab_size")
    kinds = layer_kinds(c)
    number = Counter(kinds)
    base = "model." if ending(c) != "base" else ""
    path = f"{base}layers.*"
    a.add(embedding(f"{base}embeddings.weight", vocabulary, width))
    a.add(norm(f"{path}.norm", width, count=len(kinds)))
    name = f"{path}.mixer"
    if mixing := number["linear_attention"]:
        heads, dim, groups = c.size("mamba_num_heads"), c.size("mamba_head_dim"), c.size("n_groups")
        state, window = c.size("ssm_state_size"), c.size("conv_kernel")
        biases = {"bias": c.flag("use_bias", False), "conv_bias": c.flag("use_conv_bias", True)}
        chunk = c.number("chunk_size")
        a.add(scalar_decay(name, width, heads, dim, groups, state, window, chunk, mixing, **biases))
        keeps(a, heads * dim * state + (heads * dim + 2 * groups * state) * window, mixing)
    heads, kv = c.size("num_attention_heads"), c.size("num_key_value_heads", c.size("num_attention_heads"))
    dim = c.size("head_dim", width // heads)
    if attending := number["full_attention"]:
        # transformers builds these projections without biases, whatever attention_bias says.
        a.add(attention(name, width, heads, dim, kv_heads=kv, count=attending))
        a.caches.append(Cache((kv * dim, kv * dim), attending))
    if number["mlp"]:
        inner, bias = c.size("intermediate_size"), c.flag("mlp_bias", False)
        a.add(plain(f"{name}.up_proj", f"{name}.down_proj", width, inner, bias=bias, count=number["mlp"]))
    if number["moe"]:
        a.add(experts_of(c, name, width, number["moe"]))
        a.buffers = number["moe"] * c.number("n_routed_experts")
    a.add(norm(f"{base}norm_f", width))
    # Nor does it tie the head of this family.
    if ending(c) == "lm":
        a.add(head("lm_head", width, vocabulary, tied=False))
    a.facts.update(width=width, layers=len(kinds), heads=heads, kv_heads=kv, head_dim=dim)
    a.facts.update(inner=c.size("intermediate_size"), vocabulary=vocabulary, tied=False, rotary=None)
    return a


def layer_kinds(c: Config) -> list[str]:
    """What each layer is: `layers_block_type`, or the letters of `hybrid_override_pattern` (M, *, -, E)."""
    given = c.list("layers_block_type")
    if given is None:
        pattern = c.raw.get("hybrid_override_pattern")
        given = list(pattern) if isinstance(pattern, str) else ["M", "E", "*", "-"]
        given = [LETTERS.get(letter, letter) for letter in given]
    kinds = [OLDER.get(kind, kind) if isinstance(kind, str) else str(kind) for kind in given]
    for i, kind in enumerate(kinds):
        if kind not in LETTERS.values():
            field = c.written("layers_block_type") if c.given("layers_block_type") else "hybrid_override_pattern"
            known = ", ".join(sorted({*LETTERS.values(), *OLDER}))
            raise FieldError(field, f"{field}[{i}] = {kind!r} is no kind of layer", remedy=f"one of {known}")
    return kinds


def experts_of(c: Config, name: str, width: Any, count: int) -> list[Part]:
    """Routed networks of two matrices, in a smaller space where `moe_latent_size` says so, and a shared one."""
    e, k, inner = c.size("n_routed_experts"), c.size("num_experts_per_tok"), c.size("moe_intermediate_size")
    bias = c.flag("mlp_bias", False)
    span = c.size("moe_latent_size", width)
    score = (Weight(f"{name}.gate.weight", "e d_model", ("W_router",)),)
    stored = (
        Weight(f"{name}.experts.up_proj", "e d_ff d_model", ("W_in",)),
        Weight(f"{name}.experts.down_proj", "e d_model d_ff", ("W_out",)),
    )
    sizes = {"n": "new", "d_model": span, "d_ff": inner, "e": e, "k": k}
    shared = f"{name}.shared_experts"
    wide = c.size("moe_shared_expert_intermediate_size")
    parts = [
        Part("router", "router_scores", {"n": "new", "d_model": width, "e": e}, score, count=count),
        Part("experts", "routed_plain_experts", sizes, stored, count=count),
        plain(f"{shared}.up_proj", f"{shared}.down_proj", width, wide, bias=bias, count=count, role="shared experts"),
    ]
    if c.get("moe_latent_size") is not None:
        parts.append(project(f"{name}.fc1_latent_proj", width, span, bias=bias, count=count, role="experts"))
        parts.append(project(f"{name}.fc2_latent_proj", span, width, bias=bias, count=count, role="experts"))
    return parts
