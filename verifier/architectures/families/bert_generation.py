"""BERT for generation: no segments, and a head that is the table alone."""

from __future__ import annotations

from ..blocks import bias_alone, head
from ..encoder import bert_layers, encoder_facts, encoder_sizes, text_embeddings
from ..fields import Config
from ..part import Architecture, Cache

MODEL_TYPES = ("bert-generation",)


def build(c: Config) -> Architecture:
    a, s = Architecture(), encoder_sizes(c)
    alone = c.architecture == "BertGenerationEncoder"
    base = "" if alone else "bert."
    text_embeddings(a, c, f"{base}embeddings", s, types=False)
    bert_layers(a, f"{base}encoder.layer.*", s)
    a = encoder_facts(a, c, s)
    if not alone:
        tied, table = c.tied(True), f"{base}embeddings.word_embeddings.weight"
        a.add(head("lm_head.decoder", s.width, s.vocabulary, tied=tied, bias=True, saved_bias="lm_head.bias"))
        if tied:
            a.tied.append((table, "lm_head.decoder.weight"))
        else:
            a.add(bias_alone("lm_head.decoder.bias", s.vocabulary))
        if c.flag("is_decoder", False):
            a.kind = "decoder"
            a.caches.append(Cache((s.width, s.width), s.layers))
    return a
