"""DistilBERT: BERT without sentence pairs and pooler, under names of its own."""

from __future__ import annotations

from typing import Any

from ..blocks import attention, head, norm, plain, project
from ..decoder import ending
from ..encoder import EncoderSizes, classification_heads, encoder_facts, text_embeddings
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("distilbert",)


def build(c: Config) -> Architecture:
    a, top = Architecture(), ending(c)
    width, layers, heads = c.size("dim"), c.size("n_layers"), c.size("n_heads")
    s = EncoderSizes(width, layers, heads, c.size("hidden_dim"), c.size("vocab_size"), width)
    prefix = "" if top == "base" else "distilbert."
    text_embeddings(a, c, f"{prefix}embeddings", s, types=False)
    path = f"{prefix}transformer.layer.*"
    names: dict[str, Any] = {"q": "q_lin", "k": "k_lin", "v": "v_lin", "o": "out_lin"}
    a.add(attention(f"{path}.attention", width, heads, width // heads, bias=True, causal=False, count=layers, **names))
    a.add(norm(f"{path}.sa_layer_norm", width, "layer", count=layers))
    a.add(plain(f"{path}.ffn.lin1", f"{path}.ffn.lin2", width, s.inner, count=layers))
    a.add(norm(f"{path}.output_layer_norm", width, "layer", count=layers))
    if top in ("mlm", "lm"):
        tied = c.tied(True)
        a.add(project("vocab_transform", width, width, role="head"))
        a.add(norm("vocab_layer_norm", width, "layer", role="head"))
        a.add(head("vocab_projector", width, s.vocabulary, tied=tied, bias=True))
        if tied:
            a.tied.append((f"{prefix}embeddings.word_embeddings.weight", "vocab_projector.weight"))
    if top in ("classify", "choice"):
        a.add(project("pre_classifier", width, width, tokens=1, role="head"))
    classification_heads(a, c, s, top)
    return encoder_facts(a, c, s)
