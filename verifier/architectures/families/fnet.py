"""FNet: a Fourier transform in place of attention, which costs no matrix product."""

from __future__ import annotations

from ..blocks import norm, plain, project
from ..decoder import ending
from ..encoder import EncoderSizes, classification_heads, masked_head, pooler, text_embeddings
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("fnet",)


def build(c: Config) -> Architecture:
    a, width, top = Architecture(kind="encoder"), c.size("hidden_size"), ending(c)
    layers, inner, vocabulary = c.size("num_hidden_layers"), c.size("intermediate_size"), c.size("vocab_size")
    s = EncoderSizes(width, layers, 1, inner, vocabulary, width)
    base = "" if top == "base" else "fnet."
    path = f"{base}encoder.layer.*"
    text_embeddings(a, c, f"{base}embeddings", s)
    a.add(project(f"{base}embeddings.projection", width, width))
    a.add(norm(f"{path}.fourier.output.LayerNorm", width, "layer", count=layers))
    a.add(plain(f"{path}.intermediate.dense", f"{path}.output.dense", width, inner, count=layers))
    a.add(norm(f"{path}.output.LayerNorm", width, "layer", count=layers))
    pooler(a, f"{base}pooler.dense", width, gradient=top in ("classify", "choice", "pretrain"))
    if top in ("mlm", "lm", "pretrain"):
        masked_head(a, c, s, "cls", f"{base}embeddings.word_embeddings.weight")
    if top == "pretrain":
        a.add(project("cls.seq_relationship", width, 2, tokens=1, role="head"))
    classification_heads(a, c, s, top)
    a.facts.update(width=width, layers=layers, inner=inner, vocabulary=vocabulary, tied=c.tied(True), rotary=None)
    return a
