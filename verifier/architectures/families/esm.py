"""ESM: RoBERTa's layers with norms before the sub-layers, and a head that reads contacts off the attention."""

from __future__ import annotations

from ..blocks import project
from ..encoder import EncoderSizes, bert, bert_layers
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("esm",)


def build(c: Config) -> Architecture:
    def layers(a: Architecture, path: str, s: EncoderSizes) -> None:
        bert_layers(a, path, s, attention_norm="attention.LayerNorm", output_norm="LayerNorm")

    def extra(a: Architecture, prefix: str, s: EncoderSizes) -> list[Part]:
        pairs = s.layers * s.heads
        return [project(f"{prefix}contact_head.regression", pairs, 1, tokens=0, role="head")]

    learned = c.text("position_embedding_type", "absolute") == "absolute"
    emb_norm = "layer_norm" if c.flag("emb_layer_norm_before") else None
    return bert(
        c,
        base="esm",
        style="lm_head",
        types=False,
        positions=c.size("max_position_embeddings") if learned else None,
        dense_classifier=True,
        pooled=("base",),
        layers=layers,
        embedding_norm=emb_norm,
        final_norm="encoder.emb_layer_norm_after",
        extra=extra,
    )
