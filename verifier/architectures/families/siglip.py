"""SigLIP towers: text with a head on the last token, vision with one query that pools the patches."""

from __future__ import annotations

from typing import Any

from ..blocks import attention, embedding, norm, plain, prepended, project
from ..fields import Config
from ..part import Architecture, Part, Weight
from ..vision import patch_part, patches, vision_facts

MODEL_TYPES = ("siglip_text_model", "siglip_vision_model")


def build(c: Config) -> Architecture:

    a = Architecture()
    width, layers, heads = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("num_attention_heads")
    inner = c.size("intermediate_size")
    if c.model_type == "siglip_text_model":
        tokens: Any = "new"
        a.add(embedding("embeddings.token_embedding.weight", c.size("vocab_size"), width))
        a.add(
            embedding("embeddings.position_embedding.weight", c.size("max_position_embeddings"), width, role="position")
        )
    else:
        rows, columns, _, _ = patches(c)
        tokens = rows * columns
        a.add(patch_part(c, "embeddings.patch_embedding", width))
        a.add(embedding("embeddings.position_embedding.weight", tokens, width, role="position"))
    tower(a, "encoder.layers.*", width, heads, inner, layers, tokens)
    if c.model_type == "siglip_text_model":
        a.add(norm("final_layer_norm", width, "layer"))
        a.add(project("head", width, c.size("projection_size", width), tokens=1, role="head", gradient=False))
        a.kind = "encoder"
        a.facts.update(width=width, layers=layers, heads=heads, kv_heads=heads, head_dim=width // heads, inner=inner)
        a.facts.update(vocabulary=c.size("vocab_size"), tied=False, rotary=None)
        return a
    a.add(norm("post_layernorm", width, "layer", tokens=tokens))
    if c.flag("vision_use_head", True):
        a.add(pooling_head(width, heads, inner, tokens))
    a.lengths = {"new": tokens}
    return vision_facts(a, c, width, layers, heads, inner)


def tower(a: Architecture, path: str, width: Any, heads: Any, inner: Any, layers: Any, tokens: Any) -> None:
    """Layers with norms before each sub-layer, as in CLIP."""
    own = f"{path}.self_attn"
    dim = width // heads
    a.add(norm(f"{path}.layer_norm1", width, "layer", count=layers, tokens=tokens))
    a.add(attention(own, width, heads, dim, o="out_proj", bias=True, causal=False, tokens=tokens, count=layers))
    a.add(norm(f"{path}.layer_norm2", width, "layer", count=layers, tokens=tokens))
    a.add(plain(f"{path}.mlp.fc1", f"{path}.mlp.fc2", width, inner, count=layers, tokens=tokens))


def pooling_head(width: Any, heads: Any, inner: Any, tokens: Any) -> list[Part]:
    """One learned query over all patches, saved as torch's fused multi-head attention, and a feed-forward on it."""
    dim = width // heads
    memory = {"m": tokens, "g": heads, "d_encoder": width, "d_k": dim, "d_v": dim}
    query = {"n": 1, "m": tokens, "h": heads, "d_model": width, "d_k": dim, "d_v": dim, "d_out": width}
    fused = {**query, "g": heads}
    weights = (
        Weight("head.attention.in_proj_weight", "(h d_k + g d_k + g d_v) d_model", ("W_Q", "W_K", "W_V")),
        Weight("head.attention.in_proj_bias", "(h d_k + g d_k + g d_v)", ("b_Q", "b_K", "b_V")),
        Weight("head.attention.out_proj.weight", "d_out (h d_v)", ("W_O",)),
        Weight("head.attention.out_proj.bias", "d_out", ("b_O",)),
    )
    return [
        prepended("head.probe", 1, width, role="head"),
        Part("head", "project_memory", memory, optional=frozenset({"b_K", "b_V"}), gradient=False),
        Part("head", "attend_to_memory", fused, weights, frozenset({"b_Q", "b_O"}), gradient=False),
        norm("head.layernorm", width, "layer", tokens=1, role="head"),
        plain("head.mlp.fc1", "head.mlp.fc2", width, inner, tokens=1, role="head", gradient=False),
    ]
