"""ELECTRA: BERT with a narrow embedding; the discriminator judges tokens, the generator fills them in."""

from __future__ import annotations

from ..blocks import head, norm, project
from ..decoder import ending
from ..encoder import bert_layers, classification_heads, encoder_facts, encoder_sizes, text_embeddings
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("electra",)


def build(c: Config) -> Architecture:

    a, s, top = Architecture(), encoder_sizes(c), ending(c)
    prefix = "" if top == "base" else "electra."
    text_embeddings(a, c, f"{prefix}embeddings", s)
    if c.number("embedding_size", c.number("hidden_size")) != c.number("hidden_size"):
        a.add(project(f"{prefix}embeddings_project", s.embedding, s.width, role="embedding"))
    bert_layers(a, f"{prefix}encoder.layer.*", s)
    if top in ("mlm", "lm"):
        tied = c.tied(True)
        a.add(norm("generator_predictions.LayerNorm", s.embedding, "layer", role="head"))
        a.add(project("generator_predictions.dense", s.width, s.embedding, role="head"))
        a.add(head("generator_lm_head", s.embedding, s.vocabulary, tied=tied, bias=True))
        if tied:
            a.tied.append((f"{prefix}embeddings.word_embeddings.weight", "generator_lm_head.weight"))
    elif top == "pretrain":
        a.add(project("discriminator_predictions.dense", s.width, s.width, role="head"))
        a.add(project("discriminator_predictions.dense_prediction", s.width, 1, role="head"))
    classification_heads(a, c, s, top, dense=True)
    return encoder_facts(a, c, s)
