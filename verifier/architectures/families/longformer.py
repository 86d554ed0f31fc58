"""Longformer: RoBERTa with a second set of projections for global tokens; scores inside a window of both sides."""

from __future__ import annotations

from ..blocks import project
from ..encoder import EncoderSizes, bert, bert_layers
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("longformer",)


def build(c: Config) -> Architecture:
    def layers(a: Architecture, path: str, s: EncoderSizes) -> None:
        bert_layers(a, path, s)
        for name in ("query_global", "key_global", "value_global"):
            own = f"{path}.attention.self.{name}"
            a.add(project(own, s.width, s.width, count=s.layers, tokens=0, role="attention"))

    a = bert(c, base="longformer", style="lm_head", dense_classifier=True, pooled=("base", "choice"), layers=layers)
    a.notes.append("FLOPs are those of full scores; the windows and global tokens of this family do less, or more")
    return a
