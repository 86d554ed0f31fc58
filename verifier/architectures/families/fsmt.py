"""FSMT, the translation models of fairseq: two vocabularies, positions computed and yet saved."""

from __future__ import annotations

from ..blocks import embedding, head
from ..encoder_decoder import facts, stack
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("fsmt",)


def build(c: Config) -> Architecture:
    a, width = Architecture(), c.size("d_model")
    tables = {"encoder": c.size("src_vocab_size"), "decoder": c.size("tgt_vocab_size")}
    rows = c.size("max_position_embeddings") + c.number("pad_token_id", 1, least=0) + 1
    base = "" if c.architecture.endswith("Model") else "model."
    for side, vocabulary in tables.items():
        path = f"{base}{side}"
        a.add(embedding(f"{path}.embed_tokens.weight", vocabulary, width))
        a.add(embedding(f"{path}.embed_positions.weight", rows, width, role="position"))
        heads, inner, layers = (c.size(f"{side}_{n}") for n in ("attention_heads", "ffn_dim", "layers"))
        tokens = "source" if side == "encoder" else "new"
        stack(a, f"{path}.layers.*", width, heads, inner, layers, decoder=side == "decoder", tokens=tokens)
    tied = c.tied(False)
    a.add(head(f"{base}decoder.output_projection", width, tables["decoder"], tied=tied))
    a = facts(a, c, tied=tied)
    a.facts["vocabulary"] = tables["decoder"]
    return a
