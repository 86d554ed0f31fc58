"""RoFormer: BERT with rotations in place of learned positions; the fixed sines are saved all the same."""

from __future__ import annotations

from ..blocks import embedding, project
from ..decoder import ending
from ..encoder import bert_layers, classification_heads, encoder_facts, encoder_sizes, masked_head, text_embeddings
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("roformer",)


def build(c: Config) -> Architecture:

    a, s, top = Architecture(), encoder_sizes(c), ending(c)
    prefix = "" if top == "base" else "roformer."
    text_embeddings(a, c, f"{prefix}embeddings", s, positions=None)
    if c.number("embedding_size", c.number("hidden_size")) != c.number("hidden_size"):
        a.add(project(f"{prefix}embeddings_project", s.embedding, s.width, role="embedding"))
    rows = c.size("max_position_embeddings")
    a.add(embedding(f"{prefix}encoder.embed_positions.weight", rows, s.width // s.heads, role="position"))
    bert_layers(a, f"{prefix}encoder.layer.*", s)
    if top in ("mlm", "lm"):
        masked_head(a, c, s, "cls", f"{prefix}embeddings.word_embeddings.weight")
    classification_heads(a, c, s, top, dense=True)
    return encoder_facts(a, c, s, rotary="full")
