"""Longformer: RoBERTa with a second set of projections for global tokens; scores inside a window of both sides."""

from __future__ import annotations

from ..blocks import project
from ..encoder import EncoderSizes, bert, bert_layers
from ..fields import Config
from ..part import Architecture

MODEL_TYPES = ("longformer",)


def window_of(c: Config) -> int | None:
    """Keys that a query sees: `attention_window`, half of it on each side, and itself; None where layers differ."""
    given = c.list("attention_window") or [c.get("attention_window")]
    span = given[0]
    return span + 1 if type(span) is int and span > 0 and all(each == span for each in given) else None


def build(c: Config) -> Architecture:
    def layers(a: Architecture, path: str, s: EncoderSizes) -> None:
        bert_layers(a, path, s)
        for name in ("query_global", "key_global", "value_global"):
            own = f"{path}.attention.self.{name}"
            a.add(project(own, s.width, s.width, count=s.layers, tokens=0, role="attention"))

    a = bert(c, base="longformer", style="lm_head", dense_classifier=True, pooled=("base", "choice"), layers=layers)
    a.notes.append("flops_forward has full scores; flops_forward_windowed the window alone, without global tokens")
    if span := window_of(c):
        a.facts["sees"] = span
    return a
