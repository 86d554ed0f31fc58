"""ALBERT: a narrow embedding, and layers that share their weights in groups."""

from __future__ import annotations

from typing import Any

from ..blocks import attention, bias_alone, head, norm, plain, project
from ..decoder import ending, number_of_labels
from ..encoder import classification_heads, encoder_facts, encoder_sizes, text_embeddings
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("albert",)


def build(c: Config) -> Architecture:

    a, s, top = Architecture(), encoder_sizes(c), ending(c)
    prefix = "" if top == "base" else "albert."
    text_embeddings(a, c, f"{prefix}embeddings", s)
    a.add(project(f"{prefix}encoder.embedding_hidden_mapping_in", s.embedding, s.width, role="embedding"))
    stored = c.size("num_hidden_groups", 1) * c.size("inner_group_num", 1)
    runs = s.layers * c.size("inner_group_num", 1)
    path = f"{prefix}encoder.albert_layer_groups.*.albert_layers.*"
    a.add(norm(f"{path}.full_layer_layer_norm", s.width, "layer", count=stored))
    names: dict[str, Any] = {"q": "query", "k": "key", "v": "value", "o": "dense"}
    dim = s.width // s.heads
    a.add(
        attention(f"{path}.attention", s.width, s.heads, dim, bias=True, causal=False, count=stored, runs=runs, **names)
    )
    a.add(norm(f"{path}.attention.LayerNorm", s.width, "layer", count=stored))
    a.add(plain(f"{path}.ffn", f"{path}.ffn_output", s.width, s.inner, count=stored, runs=runs))
    if top in ("base", "classify", "choice", "pretrain"):
        a.add(project(f"{prefix}pooler", s.width, s.width, tokens=1, role="head", gradient=top != "base"))
    if top in ("mlm", "lm", "pretrain"):
        tied = c.tied(True)
        a.add(project("predictions.dense", s.width, s.embedding, role="head"))
        a.add(norm("predictions.LayerNorm", s.embedding, "layer", role="head"))
        a.add(
            head("predictions.decoder", s.embedding, s.vocabulary, tied=tied, bias=True, saved_bias="predictions.bias")
        )
        if tied:
            a.tied.append((f"{prefix}embeddings.word_embeddings.weight", "predictions.decoder.weight"))
        else:
            a.add(bias_alone("predictions.decoder.bias", s.vocabulary))
    if top == "pretrain":
        a.add(project("sop_classifier.classifier", s.width, number_of_labels(c), tokens=1, role="head"))
    classification_heads(a, c, s, top)
    return encoder_facts(a, c, s)
