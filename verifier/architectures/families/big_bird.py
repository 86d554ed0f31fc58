"""BigBird: BERT with block-sparse attention, whose scores are counted whole here."""

from __future__ import annotations

from ..blocks import project
from ..decoder import ending
from ..encoder import EncoderSizes, bert
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("big_bird",)


def build(c: Config) -> Architecture:
    def extra(a: Architecture, prefix: str, s: EncoderSizes) -> list[Part]:
        top = ending(c)
        if top in ("qa",):
            return []
        return [project(f"{prefix}pooler", s.width, s.width, tokens=1, role="head", gradient=top != "base")]

    a = bert(c, base="bert", pooled=(), extra=extra)
    if c.text("attention_type", "block_sparse") == "block_sparse":
        a.notes.append("FLOPs are those of full scores; block-sparse attention does less on long sequences")
    return a
