"""XLM and FlauBERT: lists of attentions, norms and feed-forwards side by side."""

from __future__ import annotations

from typing import Any

from ..blocks import attention, embedding, head, norm, plain
from ..decoder import ending
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("xlm", "flaubert")


def build(c: Config) -> Architecture:
    a, top = Architecture(kind="encoder"), ending(c)
    width, layers, heads = c.size("emb_dim"), c.size("n_layers"), c.size("n_heads")
    vocabulary, inner = c.size("vocab_size"), 4 * width
    base = "" if top == "base" else "transformer."
    a.add(embedding(f"{base}position_embeddings.weight", c.size("max_position_embeddings"), width, role="position"))
    if c.model_type == "xlm" and c.number("n_langs", 1) > 1 and c.flag("use_lang_emb", True):
        a.add(embedding(f"{base}lang_embeddings.weight", c.size("n_langs"), width))
    a.add(embedding(f"{base}embeddings.weight", vocabulary, width))
    a.add(norm(f"{base}layer_norm_emb", width, "layer"))
    names: dict[str, Any] = {"q": "q_lin", "k": "k_lin", "v": "v_lin", "o": "out_lin"}
    a.add(
        attention(f"{base}attentions.*", width, heads, width // heads, bias=True, causal=False, count=layers, **names)
    )
    a.add(norm(f"{base}layer_norm1.*", width, "layer", count=layers))
    a.add(plain(f"{base}ffns.*.lin1", f"{base}ffns.*.lin2", width, inner, count=layers))
    a.add(norm(f"{base}layer_norm2.*", width, "layer", count=layers))
    tied = c.tied(True)
    if top in ("mlm", "lm"):
        a.add(head("pred_layer.proj", width, vocabulary, tied=tied, bias=True))
    a.facts.update(width=width, layers=layers, heads=heads, kv_heads=heads, head_dim=width // heads, inner=inner)
    a.facts.update(vocabulary=vocabulary, tied=tied, rotary=None)
    return a
