"""CLIP's towers, alone or together: a causal text tower and a vision tower with a class token."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..blocks import bias_alone, embedding, norm, prepended, project
from ..decoder import number_of_labels
from ..fields import Config
from ..part import Architecture, Weight
from ..vision import patch_part, patches
from .siglip import tower

MODEL_TYPES = ("clip", "clip_text_model", "clip_vision_model")


def build(c: Config) -> Architecture:
    a = Architecture()
    if c.model_type == "clip_text_model":
        projected = "WithProjection" in c.architecture
        text_tower(a, c, "text_model." if projected else "")
        if projected:
            a.add(
                project(
                    "text_projection",
                    c.size("hidden_size"),
                    c.size("projection_dim"),
                    bias=False,
                    tokens=1,
                    role="head",
                )
            )
        a.kind = "encoder"
        return facts(a, c)
    if c.model_type == "clip_vision_model":
        projected = "WithProjection" in c.architecture
        vision_tower(a, c, "vision_model." if projected else "")
        if projected:
            width, out = c.size("hidden_size"), c.size("projection_dim")
            a.add(project("visual_projection", width, out, bias=False, tokens=1, role="head"))
        a.kind = "vision"
        return facts(a, c)
    text, vision = c.inner("text_config", "clip_text_model"), c.inner("vision_config", "clip_vision_model")
    if "ImageClassification" in c.architecture:
        vision_tower(a, vision, "vision_model.")
        a.add(project("classifier", vision.size("hidden_size"), number_of_labels(c), tokens=1, role="head"))
        a.kind = "vision"
        return facts(a, vision)
    out = c.size("projection_dim")
    a.add(bias_alone("logit_scale", 1))
    a.parts[-1] = replace(a.parts[-1], weights=(Weight("logit_scale", "", ("bias",)),))
    text_tower(a, text, "text_model.")
    vision_tower(a, vision, "vision_model.")
    a.add(project("visual_projection", vision.size("hidden_size"), out, bias=False, tokens=1, role="head"))
    a.add(project("text_projection", text.size("hidden_size"), out, bias=False, tokens=1, role="head"))
    a.kind = "vision"
    a.notes.append("one image and one text a sequence; the text is as long as --seq")
    return facts(a, vision)


def facts(a: Architecture, c: Config) -> Architecture:
    """The sizes of one tower."""
    width, heads = c.size("hidden_size"), c.size("num_attention_heads")
    a.facts.update(width=width, layers=c.size("num_hidden_layers"), heads=heads, kv_heads=heads)
    a.facts.update(head_dim=width // heads, inner=c.size("intermediate_size"), tied=False, rotary=None)
    return a


def text_tower(a: Architecture, c: Config, base: str) -> None:
    """Token and position tables, layers with norms first, a norm at the end."""
    width = c.size("hidden_size")
    a.add(embedding(f"{base}embeddings.token_embedding.weight", c.size("vocab_size"), width))
    rows = c.size("max_position_embeddings")
    a.add(embedding(f"{base}embeddings.position_embedding.weight", rows, width, role="position"))
    layers(a, c, f"{base}encoder.layers.*", "new")
    a.add(norm(f"{base}final_layer_norm", width, "layer"))


def vision_tower(a: Architecture, c: Config, base: str) -> None:
    """Patches without a bias, a class token, norms before and after the layers."""
    width = c.size("hidden_size")
    rows, columns, _, _ = patches(c)
    tokens = rows * columns + 1
    a.add(prepended(f"{base}embeddings.class_embedding", 1, width, "d_model"))
    a.add(patch_part(c, f"{base}embeddings.patch_embedding", width, bias=False))
    a.add(embedding(f"{base}embeddings.position_embedding.weight", tokens, width, role="position"))
    a.add(norm(f"{base}pre_layrnorm", width, "layer", tokens=tokens))
    layers(a, c, f"{base}encoder.layers.*", tokens)
    a.add(norm(f"{base}post_layernorm", width, "layer", tokens=1))


def layers(a: Architecture, c: Config, path: str, tokens: Any) -> None:
    width, heads, inner = c.size("hidden_size"), c.size("num_attention_heads"), c.size("intermediate_size")
    tower(a, path, width, heads, inner, c.size("num_hidden_layers"), tokens)
