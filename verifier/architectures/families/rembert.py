"""RemBERT: a narrow input embedding and a wide output one, not tied."""

from __future__ import annotations

from ..blocks import norm, project
from ..decoder import ending
from ..encoder import EncoderSizes, bert_layers, classification_heads, encoder_facts, text_embeddings
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("rembert",)


def build(c: Config) -> Architecture:
    a, top = Architecture(), ending(c)
    width, wide = c.size("hidden_size"), c.size("output_embedding_size")
    narrow, vocabulary = c.size("input_embedding_size"), c.size("vocab_size")
    heads, inner = c.size("num_attention_heads"), c.size("intermediate_size")
    s = EncoderSizes(width, c.size("num_hidden_layers"), heads, inner, vocabulary, narrow)
    prefix = "" if top == "base" else "rembert."
    text_embeddings(a, c, f"{prefix}embeddings", s)
    a.add(project(f"{prefix}encoder.embedding_hidden_mapping_in", narrow, width, role="embedding"))
    bert_layers(a, f"{prefix}encoder.layer.*", s)
    if top in ("base", "classify", "choice"):
        a.add(project(f"{prefix}pooler.dense", width, width, tokens=1, role="head", gradient=top != "base"))
    if top in ("mlm", "lm"):
        a.add(project("cls.predictions.dense", width, wide, role="head"))
        a.add(project("cls.predictions.decoder", wide, vocabulary, role="head"))
        a.add(norm("cls.predictions.LayerNorm", wide, "layer", role="head"))
    classification_heads(a, c, s, top)
    a = encoder_facts(a, c, s)
    a.facts["tied"] = False
    return a
