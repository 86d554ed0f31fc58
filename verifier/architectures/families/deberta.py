"""DeBERTa, first version and later ones: scores of content to position and back, over learned relative positions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..blocks import attention, bias_alone, embedding, norm, plain, project
from ..decoder import ending
from ..encoder import EncoderSizes, classification_heads, encoder_facts, encoder_sizes, masked_head, text_embeddings
from ..fields import Config
from ..part import Architecture, Part, Weight

MODEL_TYPES = ("deberta", "deberta-v2")


def build(c: Config) -> Architecture:

    later = c.model_type == "deberta-v2"
    a, s, top = Architecture(), encoder_sizes(c), ending(c)
    prefix = "" if top == "base" else "deberta."
    biased = c.flag("position_biased_input", True)
    text_embeddings(a, c, f"{prefix}embeddings", s, positions=c.size("max_position_embeddings") if biased else None)
    if c.number("embedding_size", c.number("hidden_size")) != c.number("hidden_size"):
        a.add(project(f"{prefix}embeddings.embed_proj", s.embedding, s.width, bias=False, role="embedding"))
    path = f"{prefix}encoder.layer.*"
    layers = (later_layers if later else first_layers)(c, path, s)
    a.add(layers)
    a.add(norm(f"{path}.attention.output.LayerNorm", s.width, "layer", count=s.layers))
    a.add(plain(f"{path}.intermediate.dense", f"{path}.output.dense", s.width, s.inner, count=s.layers))
    a.add(norm(f"{path}.output.LayerNorm", s.width, "layer", count=s.layers))
    if c.flag("relative_attention"):
        a.add(embedding(f"{prefix}encoder.rel_embeddings.weight", 2 * span(c), s.width, role="position"))
        if later and "layer_norm" in c.text("norm_rel_ebd", "none"):
            a.add(norm(f"{prefix}encoder.LayerNorm", s.width, "layer"))
    if later and c.number("conv_kernel_size", 0, least=0) > 0:
        sizes = {"n": "new", "groups": c.number("conv_groups", 1), "w": c.size("conv_kernel_size")}
        sizes |= {"d_out": s.width // sizes["groups"], "c": s.width // sizes["groups"]}
        name = f"{prefix}encoder.conv.conv"
        weights = (
            Weight(f"{name}.weight", "(groups d_out) c w", ("W",)),
            Weight(f"{name}.bias", "(groups d_out)", ("bias",)),
        )
        a.add(Part("convolution", "windowed_projection", sizes, weights, frozenset({"bias"})))
        a.add(norm(f"{prefix}encoder.conv.LayerNorm", s.width, "layer"))
    if top in ("mlm", "lm"):
        masked_head(a, c, s, "cls", f"{prefix}embeddings.word_embeddings.weight")
    if top in ("classify", "choice"):
        a.add(project("pooler.dense", s.width, s.width, tokens=1, role="head"))
    classification_heads(a, c, s, top)
    return encoder_facts(a, c, s)


def span(c: Config) -> Any:
    """Relative positions on each side: the buckets, else the longest distance, else the longest sequence."""
    buckets = c.get("position_buckets")
    if c.model_type == "deberta-v2" and type(buckets) is int and buckets > 0:
        return c.size("position_buckets")
    longest = c.get("max_relative_positions")
    return (
        c.size("max_relative_positions") if type(longest) is int and longest > 0 else c.size("max_position_embeddings")
    )


def kinds(c: Config) -> list[str]:
    """Which of the two relative scores are taken: `pos_att_type`, a list or words joined by |."""
    value = c.get("pos_att_type")
    if isinstance(value, str):
        value = value.split("|")
    return [str(v).strip().lower() for v in value] if isinstance(value, (list, tuple)) else []


def relative_scores(s: EncoderSizes, places: Any) -> Part:
    """Every token against every relative position, in each head."""
    sizes = {"n": "new", "p": places, "h": s.heads, "d_k": s.width // s.heads}
    return Part("position", "content_to_position_scores", sizes, count=s.layers)


def first_layers(c: Config, path: str, s: EncoderSizes) -> list[Part]:
    """One matrix for queries, keys and values, biases of queries and values apart."""
    own, dim = f"{path}.attention", s.width // s.heads
    parts = attention(
        own, s.width, s.heads, dim, fused="self.in_proj", o="output.dense", bias_o=True, causal=False, count=s.layers
    )
    for name in ("q_bias", "v_bias"):
        parts.append(bias_alone(f"{own}.self.{name}", s.width, count=s.layers, role="attention"))
    if c.flag("talking_head"):
        for name in ("head_logits_proj", "head_weights_proj"):
            parts.append(project(f"{own}.self.{name}", s.heads, s.heads, bias=False, count=s.layers, role="attention"))
    if c.flag("relative_attention"):
        longest = c.number("max_relative_positions", -1, least=-1)
        places = f"2*new:{longest if longest > 0 else c.number('max_position_embeddings')}"
        for kind, name, bias in (("c2p", "pos_proj", False), ("p2c", "pos_q_proj", True)):
            if kind in kinds(c):
                once: dict[str, Any] = {
                    "bias": bias,
                    "count": s.layers,
                    "tokens": places,
                    "per_sequence": False,
                    "role": "position",
                }
                parts.append(project(f"{own}.self.{name}", s.width, s.width, **once))
                parts.append(relative_scores(s, places))
    return parts


def later_layers(c: Config, path: str, s: EncoderSizes) -> list[Part]:
    """Matrices apart; positions pass through them too where `share_att_key` says so."""
    own, dim = f"{path}.attention", s.width // s.heads
    names: dict[str, Any] = {"q": "self.query_proj", "k": "self.key_proj", "v": "self.value_proj", "o": "output.dense"}
    parts = attention(own, s.width, s.heads, dim, bias=True, causal=False, count=s.layers, **names)
    if not c.flag("relative_attention"):
        return parts
    places, shared = 2 * span(c), c.flag("share_att_key")
    for kind, name in (("c2p", "pos_key_proj"), ("p2c", "pos_query_proj")):
        if kind in kinds(c) or shared:
            once: dict[str, Any] = {"count": s.layers, "tokens": places, "per_sequence": False, "role": "position"}
            part = project(f"{own}.self.{name}", s.width, s.width, **once)
            parts.append(replace(part, weights=()) if shared else part)
        if kind in kinds(c):
            parts.append(relative_scores(s, places))
    return parts
