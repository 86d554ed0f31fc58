"""XLNet: relative positions through a matrix of their own, matrices saved [width, heads, head_dim]."""

from __future__ import annotations

from typing import Any

from ..blocks import embedding, head, norm, plain, prepended, project
from ..decoder import ending, number_of_labels
from ..fields import Config
from ..part import Architecture, Part, Weight

MODEL_TYPES = ("xlnet",)


def build(c: Config) -> Architecture:

    width, layers, heads = c.size("d_model"), c.size("n_layer"), c.size("n_head")
    inner, vocabulary = c.size("d_inner"), c.size("vocab_size")
    dim, top = width // heads, ending(c)
    base = "" if top == "base" else "transformer."
    a = Architecture(kind="encoder")
    a.add(prepended(f"{base}mask_emb", 1, width), embedding(f"{base}word_embedding.weight", vocabulary, width))
    own = f"{base}layer.*.rel_attn"
    sizes = {"n": "new", "t": 0, "d_model": width, "h": heads, "g": heads, "d_k": dim, "d_v": dim, "d_out": width}
    weights = tuple(
        Weight(f"{own}.{name}", layout, (f"W_{name.upper()}",))
        for name, layout in (
            ("q", "d_model h d_k"),
            ("k", "d_model g d_k"),
            ("v", "d_model g d_v"),
            ("o", "d_out h d_v"),
        )
    )
    a.add(Part("attention", "grouped_query_attention", sizes, weights, count=layers))
    # The relative positions run from n before to n after: 2n of them, fixed sines.
    relative = {"n": "2*new", "d_model": width, "h": heads, "d_head": dim}
    matrix = (Weight(f"{own}.r", "d_model h d_head", ("W",)),)
    a.add(Part("position", "project_heads", relative, matrix, count=layers, constants=frozenset({"x"})))
    scores = {"n": "new", "p": "2*new", "h": heads, "d_k": dim}
    a.add(Part("position", "content_to_position_scores", scores, count=layers))
    for name in ("r_r_bias", "r_s_bias", "r_w_bias"):
        a.add(per_head(f"{own}.{name}", "h d_k", heads, dim, layers))
    a.add(per_head(f"{own}.seg_embed", "2 h d_k", heads, dim, layers))
    a.add(norm(f"{own}.layer_norm", width, "layer", count=layers))
    feed = f"{base}layer.*.ff"
    a.add(norm(f"{feed}.layer_norm", width, "layer", count=layers))
    a.add(plain(f"{feed}.layer_1", f"{feed}.layer_2", width, inner, count=layers))
    tied = c.tied(True)
    if top == "lm":
        a.add(head("lm_loss", width, vocabulary, tied=tied, bias=True))
        if tied:
            a.tied.append((f"{base}word_embedding.weight", "lm_loss.weight"))
    elif top in ("classify", "choice"):
        a.add(project("sequence_summary.summary", width, width, tokens=1, role="head"))
        labels = 1 if top == "choice" else number_of_labels(c)
        a.add(project("logits_proj", width, labels, tokens=1, role="head"))
    elif top == "token":
        a.add(project("classifier", width, number_of_labels(c), role="head"))
    a.facts.update(width=width, layers=layers, heads=heads, kv_heads=heads, head_dim=dim, inner=inner)
    a.facts.update(vocabulary=vocabulary, tied=tied, rotary=None)
    return a


def per_head(name: str, layout: str, heads: Any, dim: Any, layers: Any) -> Part:
    """A learned summand for each head"s channels."""
    rows = 2 if layout.startswith("2") else 1
    sizes = {"n": "new", "d": rows * heads * dim, "h": heads, "d_k": dim}
    return Part("attention", "learned_bias", sizes, (Weight(name, layout, ("bias",)),), count=layers)
