"""Megatron-BERT: BERT with the norms before the sub-layers and one at the end."""

from __future__ import annotations

from ..encoder import EncoderSizes, bert, bert_layers
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("megatron-bert",)


def build(c: Config) -> Architecture:
    def layers(a: Architecture, path: str, s: EncoderSizes) -> None:
        bert_layers(a, path, s, attention_norm="attention.ln", output_norm="ln")

    return bert(c, base="bert", layers=layers, embedding_norm=None, final_norm="encoder.ln")
