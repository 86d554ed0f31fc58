"""DeepSeek V2, V3, V3.2, Kimi K2 and GLM-5: latent attention, routed and shared experts after a few dense layers."""

from __future__ import annotations

from typing import Any

from ..blocks import bias_alone, embedding, experts, gated, head, norm, project, shared_expert
from ..decoder import ending, number_of_labels
from ..fields import Config
from ..part import Architecture, Bound, Cache, Part, Weight

MODEL_TYPES = (
    "deepseek_v2",
    "deepseek_v3",
    "deepseek_v32",
    "kimi_k2",
    "glm4_moe_lite",
    "glm_moe_dsa",
    "youtu",
    "minicpm3",
    "sarvam_mla",
)
INDEXED = ("deepseek_v32", "glm_moe_dsa")
"""Families in which a small attention chooses the keys."""


def build(c: Config) -> Architecture:
    a = Architecture(kind="decoder")
    width, layers, heads = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("num_attention_heads")
    vocabulary, inner = c.size("vocab_size"), c.size("intermediate_size")
    top = ending(c)
    base = "" if top == "base" else "model."
    path = f"{base}layers.*"
    a.add(embedding(f"{base}embed_tokens.weight", vocabulary, width))
    a.add(latent(c, f"{path}.self_attn", width, heads, layers, bias=c.flag("attention_bias")))
    if c.model_type in INDEXED:
        a.add(indexer(c, f"{path}.self_attn.indexer", width, layers))
        a.caches.append(Cache((c.size("index_head_dim"),), layers))
        a.notes.append(f"FLOPs score every key; of these only index_topk = {c.get('index_topk')} need be attended to")
    number = c.number("num_hidden_layers")
    sparse = sparse_count(c, number)
    if number > sparse:
        a.add(gated(f"{path}.mlp", width, inner, bias=c.flag("mlp_bias", False), count=number - sparse))
    if sparse:
        a.add(deepseek_experts(c, f"{path}.mlp", width, sparse))
    for name in ("input_layernorm", "post_attention_layernorm"):
        a.add(norm(f"{path}.{name}", width, count=layers))
    a.add(norm(f"{base}norm", width))
    tied = c.tied()
    if top == "lm":
        a.add(head("lm_head", width, vocabulary, tied=tied))
        if tied:
            a.tied.append((f"{base}embed_tokens.weight", "lm_head.weight"))
    elif top in ("classify", "token"):
        a.add(head("score", width, number_of_labels(c), tied=False, bias=top == "token"))
    rank, turned = c.size("kv_lora_rank"), c.size("qk_rope_head_dim")
    a.caches.append(Cache((rank, turned), layers))
    if c.flag("router_bias_is_parameter", False) and sparse:
        a.add(bias_alone(f"{path}.mlp.gate.bias", c.size("n_routed_experts"), count=sparse, role="router"))
    elif sparse and c.model_type != "deepseek_v2":
        a.buffers = sparse * c.number("n_routed_experts")
    a.facts.update(
        width=width,
        layers=layers,
        heads=heads,
        kv_heads=heads,
        head_dim=c.size("qk_nope_head_dim") + turned,
        value_dim=c.size("v_head_dim"),
        inner=inner,
        vocabulary=vocabulary,
        tied=tied,
        rotary="latent",
        latent_rank=rank,
    )
    return a


def sparse_count(c: Config, number: int) -> int:
    """Layers with experts: none in a dense model, those that `mlp_layer_types` names, or all but the first few."""
    if c.model_type in ("youtu", "minicpm3"):
        return 0
    kinds = c.list("mlp_layer_types")
    if kinds is not None:
        return sum(kind == "sparse" for kind in kinds[:number])
    return max(number - c.number("first_k_dense_replace", 1 if c.model_type == "glm4_moe_lite" else 0, least=0), 0)


def latent(c: Config, name: str, width: Bound, heads: Bound, layers: Bound, *, bias: bool = False) -> list[Part]:
    """Latent attention; with `q_lora_rank` null the queries are not compressed."""
    rank, turned = c.size("kv_lora_rank"), c.size("qk_rope_head_dim")
    plain, value = c.size("qk_nope_head_dim"), c.size("v_head_dim")
    parts: list[Part] = []
    compressed = c.get("q_lora_rank") is not None
    queries = width
    if compressed:
        queries = c.size("q_lora_rank")
        down = [Weight(f"{name}.q_a_proj.weight", "d_out d_in", ("W",))]
        if bias:
            down.append(Weight(f"{name}.q_a_proj.bias", "d_out", ("bias",)))
        sizes = {"n": "new", "d_in": width, "d_out": queries}
        parts.append(Part("attention", "linear", sizes, tuple(down), frozenset({"bias"} if bias else ()), count=layers))
        parts.append(norm(f"{name}.q_a_layernorm", queries, count=layers, role="attention"))
    weights = [
        Weight(f"{name}.{'q_b_proj' if compressed else 'q_proj'}.weight", "(h d_n + h d_r) q", ("W_UQ", "W_QR")),
        Weight(f"{name}.kv_a_proj_with_mqa.weight", "(r + d_r) d_model", ("W_DKV", "W_KR")),
        Weight(f"{name}.kv_a_layernorm.weight", "r", ("gain",)),
        Weight(f"{name}.kv_b_proj.weight", "(h d_n + h d_v) r", ("W_UK", "W_UV")),
        Weight(f"{name}.o_proj.weight", "d_model (h d_v)", ("W_O",)),
    ]
    if bias:
        weights.append(Weight(f"{name}.kv_a_proj_with_mqa.bias", "(r + d_r)", ("b_DKV", "b_KR")))
        weights.append(Weight(f"{name}.o_proj.bias", "d_model", ("b_O",)))
    sizes = {"n": "new", "t": "past", "q": queries, "d_model": width, "r": rank, "d_r": turned}
    sizes |= {"h": heads, "d_n": plain, "d_v": value}
    optional = frozenset({"b_DKV", "b_KR", "b_O"} if bias else ())
    parts.append(Part("attention", "latent_attention", sizes, tuple(weights), optional, count=layers))
    return parts


def indexer(c: Config, name: str, width: Bound, layers: Bound) -> list[Part]:
    """The lightning indexer: heads of queries against one small key a token, its keys cached beside the latents."""
    heads, dim, rank = c.size("index_n_heads"), c.size("index_head_dim"), c.size("q_lora_rank")
    own: dict[str, Any] = {"bias": False, "count": layers, "role": "attention"}
    sizes = {"n": "new", "m": "all", "h": heads, "d": dim}
    return [
        project(f"{name}.wq_b", rank, heads * dim, **own),
        project(f"{name}.wk", width, dim, **own),
        norm(f"{name}.k_norm", dim, "layer", count=layers, role="attention"),
        project(f"{name}.weights_proj", width, heads, **own),
        Part("attention", "index_scores", sizes, count=layers, gradient=False),
    ]


def deepseek_experts(c: Config, name: str, width: Bound, layers: Any) -> list[Part]:
    """Routed experts beside `n_shared_experts` that every token visits, kept as one wider network."""
    inner = c.size("moe_intermediate_size")
    parts = experts(name, width, inner, c.size("n_routed_experts"), c.size("num_experts_per_tok"), count=layers)
    if c.get("n_shared_experts"):
        shared = c.size("n_shared_experts") * inner
        parts += shared_expert(f"{name}.shared_experts", width, shared, count=layers)
    return parts
