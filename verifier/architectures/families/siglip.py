"""SigLIP towers: text with a head on the last token, vision with one query that pools the patches."""

from __future__ import annotations

from typing import Any

from ..blocks import attention, bias_alone, embedding, norm, plain, prepended, project
from ..decoder import number_of_labels
from ..fields import Config
from ..part import Architecture, Part, Weight
from ..vision import patch_part, patches, vision_facts

MODEL_TYPES = ("siglip", "siglip_text_model", "siglip_vision_model")


def build(c: Config) -> Architecture:

    a = Architecture()
    if c.model_type == "siglip":
        return both(a, c)
    width, layers, heads = c.size("hidden_size"), c.size("num_hidden_layers"), c.size("num_attention_heads")
    inner = c.size("intermediate_size")
    if c.model_type == "siglip_text_model":
        text_tower(a, c, "")
        a.kind = "encoder"
        a.facts.update(width=width, layers=layers, heads=heads, kv_heads=heads, head_dim=width // heads, inner=inner)
        a.facts.update(vocabulary=c.size("vocab_size"), tied=False, rotary=None)
        return a
    tokens = vision_tower(a, c, "")
    a.lengths = {"new": tokens}
    return vision_facts(a, c, width, layers, heads, inner)


def both(a: Architecture, c: Config) -> Architecture:
    """Both towers with a scale and a shift of their products, or the vision tower with a classifier."""
    text, vision = c.inner("text_config", "siglip_text_model"), c.inner("vision_config", "siglip_vision_model")
    width, layers, heads = (vision.size(n) for n in ("hidden_size", "num_hidden_layers", "num_attention_heads"))
    if "ImageClassification" in c.architecture:
        vision_tower(a, vision, "vision_model.")
        a.add(project("classifier", width, number_of_labels(c), tokens=1, role="head"))
        a.lengths = {}
        return vision_facts(a, vision, width, layers, heads, vision.size("intermediate_size"))
    for name in ("logit_scale", "logit_bias"):
        a.add(bias_alone(name, 1))
    text_tower(a, text, "text_model.")
    vision_tower(a, vision, "vision_model.")
    a.notes.append("one image and one text a sequence; the text is as long as --seq")
    return vision_facts(a, vision, width, layers, heads, vision.size("intermediate_size"))


def text_tower(a: Architecture, c: Config, base: str) -> None:
    """Tables, layers, a norm and a head on the last token."""
    width, heads, inner = c.size("hidden_size"), c.size("num_attention_heads"), c.size("intermediate_size")
    a.add(embedding(f"{base}embeddings.token_embedding.weight", c.size("vocab_size"), width))
    rows = c.size("max_position_embeddings")
    a.add(embedding(f"{base}embeddings.position_embedding.weight", rows, width, role="position"))
    tower(a, f"{base}encoder.layers.*", width, heads, inner, c.size("num_hidden_layers"), "new")
    a.add(norm(f"{base}final_layer_norm", width, "layer"))
    out = c.size("projection_size", width)
    a.add(project(f"{base}head", width, out, tokens=1, role="head", gradient=False))


def vision_tower(a: Architecture, c: Config, base: str) -> int:
    """Patches, layers, a norm and the pooling head; gives the number of patches."""
    width, heads, inner = c.size("hidden_size"), c.size("num_attention_heads"), c.size("intermediate_size")
    rows, columns, _, _ = patches(c)
    tokens = rows * columns
    a.add(patch_part(c, f"{base}embeddings.patch_embedding", width))
    a.add(embedding(f"{base}embeddings.position_embedding.weight", tokens, width, role="position"))
    tower(a, f"{base}encoder.layers.*", width, heads, inner, c.size("num_hidden_layers"), tokens)
    a.add(norm(f"{base}post_layernorm", width, "layer", tokens=tokens))
    if c.flag("vision_use_head", True):
        a.add(pooling_head(f"{base}head", width, heads, inner, tokens))
    return tokens


def tower(a: Architecture, path: str, width: Any, heads: Any, inner: Any, layers: Any, tokens: Any) -> None:
    """Layers with norms before each sub-layer, as in CLIP."""
    own = f"{path}.self_attn"
    dim = width // heads
    a.add(norm(f"{path}.layer_norm1", width, "layer", count=layers, tokens=tokens))
    a.add(attention(own, width, heads, dim, o="out_proj", bias=True, causal=False, tokens=tokens, count=layers))
    a.add(norm(f"{path}.layer_norm2", width, "layer", count=layers, tokens=tokens))
    a.add(plain(f"{path}.mlp.fc1", f"{path}.mlp.fc2", width, inner, count=layers, tokens=tokens))


def pooling_head(name: str, width: Any, heads: Any, inner: Any, tokens: Any) -> list[Part]:
    """One learned query over all patches, saved as torch's fused multi-head attention, and a feed-forward on it."""
    dim = width // heads
    memory = {"m": tokens, "g": heads, "d_encoder": width, "d_k": dim, "d_v": dim}
    query: dict[str, Any] = {"n": 1, "m": tokens, "h": heads, "d_model": width, "d_k": dim, "d_v": dim, "d_out": width}
    fused = {**query, "g": heads}
    # Queries of the second part, keys and values of the first, in one tensor: it holds no part's arguments alone.
    weights = (
        Weight(f"{name}.attention.in_proj_weight", "(h d_k + g d_k + g d_v) d_model", ()),
        Weight(f"{name}.attention.in_proj_bias", "(h d_k + g d_k + g d_v)", ()),
        Weight(f"{name}.attention.out_proj.weight", "d_out (h d_v)", ("W_O",)),
        Weight(f"{name}.attention.out_proj.bias", "d_out", ("b_O",)),
    )
    return [
        prepended(f"{name}.probe", 1, width, role="head"),
        Part("head", "project_memory", memory, optional=frozenset({"b_K", "b_V"}), gradient=False),
        Part("head", "attend_to_memory", fused, weights, frozenset({"b_Q", "b_O"}), gradient=False),
        norm(f"{name}.layernorm", width, "layer", tokens=1, role="head"),
        plain(f"{name}.mlp.fc1", f"{name}.mlp.fc2", width, inner, tokens=1, role="head", gradient=False),
    ]
