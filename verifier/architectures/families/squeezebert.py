"""SqueezeBERT: BERT whose matrices are convolutions of width 1 in groups."""

from __future__ import annotations

from typing import Any

from ..blocks import norm
from ..decoder import ending
from ..encoder import classification_heads, encoder_facts, encoder_sizes, masked_head, pooler, text_embeddings
from ..fields import Config, FieldError
from ..part import Architecture, Part, Weight

MODEL_TYPES = ("squeezebert",)


def build(c: Config) -> Architecture:
    a, s, top = Architecture(), encoder_sizes(c), ending(c)
    base = "" if top == "base" else "transformer."
    path = f"{base}encoder.layers.*"
    text_embeddings(a, c, f"{base}embeddings", s)
    for name in ("q", "k", "v"):
        word = {"q": "query", "k": "key", "v": "value"}[name]
        a.add(grouped(c, f"{path}.attention.{word}", s.width, s.width, f"{name}_groups", s.layers, "attention"))
    dim = s.width // s.heads
    sizes = {"n": "new", "t": 0, "h": s.heads, "d_k": dim, "d_v": dim}
    a.add(Part("attention", "cached_scores", sizes, count=s.layers))
    spans = {"post_attention": (s.width, s.width), "intermediate": (s.width, s.inner), "output": (s.inner, s.width)}
    for name, (inside, outside) in spans.items():
        role = "attention" if name == "post_attention" else "feed-forward"
        a.add(grouped(c, f"{path}.{name}.conv1d", inside, outside, f"{name}_groups", s.layers, role))
        if name != "intermediate":
            a.add(norm(f"{path}.{name}.layernorm", s.width, "layer", count=s.layers))
    # The whole model keeps its pooler whatever is put on top; only some heads use it.
    pooler(a, f"{base}pooler.dense", s.width, gradient=top in ("classify", "choice"))
    if top in ("mlm", "lm", "pretrain"):
        masked_head(a, c, s, "cls", f"{base}embeddings.word_embeddings.weight")
    classification_heads(a, c, s, top)
    return encoder_facts(a, c, s)


def grouped(c: Config, name: str, inside: Any, outside: Any, field: str, layers: Any, role: str) -> Part:
    """A convolution of width 1 whose channels are cut into as many groups as the field says."""
    groups = c.size(field)
    for span in (inside, outside):
        if type(span) is int and type(groups) is int and span % groups:
            raise FieldError(field, f"{field} = {groups} does not divide {span} channels", remedy="a common divisor")
    sizes = {"n": "new", "groups": groups, "d_out": outside // groups, "c": inside // groups, "w": 1}
    weights = (
        Weight(f"{name}.weight", "(groups d_out) c w", ("W",)),
        Weight(f"{name}.bias", "(groups d_out)", ("bias",)),
    )
    return Part(role, "windowed_projection", sizes, weights, frozenset({"bias"}), count=layers)
