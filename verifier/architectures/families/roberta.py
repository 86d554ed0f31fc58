"""RoBERTa and its kin: BERT without sentence pairs, a head named lm_head, a classifier of two matrices."""

from __future__ import annotations

from dataclasses import replace

from ..encoder import EncoderSizes, bert, bert_layers
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("roberta", "xlm-roberta", "camembert", "data2vec-text", "roberta-prelayernorm", "xlm-roberta-xl")


def build(c: Config) -> Architecture:

    pooled = ("base", "choice")
    if c.model_type in ("xlm-roberta-xl", "roberta-prelayernorm"):
        base = "roberta" if c.model_type == "xlm-roberta-xl" else "roberta_prelayernorm"
        final = "encoder.LayerNorm" if base == "roberta" else "LayerNorm"
        norms = None if base == "roberta" else "LayerNorm"
        return bert(
            c,
            base=base,
            style="lm_head",
            dense_classifier=True,
            pooled=pooled,
            layers=layers_with_norms_first,
            embedding_norm=norms,
            final_norm=final,
        )
    base = "data2vec_text" if c.model_type == "data2vec-text" else "roberta"
    a = bert(c, base=base, style="lm_head", dense_classifier=True, pooled=pooled)
    table = f"{base}.embeddings.word_embeddings.weight"
    if c.model_type in ("xlm-roberta", "camembert") and a.tied:
        # These classes make the head before the encoder, so that the shared table goes by the head's name.
        rename(a, table, "lm_head.decoder.weight")
    return a


def rename(a: Architecture, old: str, new: str) -> None:
    """Another name for a saved tensor."""
    for i, part in enumerate(a.parts):
        if any(w.name == old for w in part.weights):
            weights = tuple(replace(w, name=new) if w.name == old else w for w in part.weights)
            a.parts[i] = replace(part, weights=weights)


def layers_with_norms_first(a: Architecture, path: str, s: EncoderSizes) -> None:
    """The norms stand before the sub-layers and are named apart from them."""
    xl = path.startswith(("roberta.", "encoder."))
    first = "attention.self_attn_layer_norm" if xl else "attention.LayerNorm"
    bert_layers(a, path, s, attention_norm=first, output_norm="LayerNorm" if xl else "intermediate.LayerNorm")
