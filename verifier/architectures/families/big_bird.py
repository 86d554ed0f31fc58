"""BigBird: BERT with block-sparse attention, whose scores are counted whole here."""

from __future__ import annotations

from dataclasses import replace

from ..blocks import project
from ..decoder import ending
from ..encoder import EncoderSizes, bert
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("big_bird",)


def without_bias(part: Part) -> Part:
    """Attention whose queries, keys and values have no bias; the output keeps its own."""
    left_out = {"b_Q", "b_K", "b_V"}
    weights = tuple(w for w in part.weights if not left_out & set(w.holds))
    return replace(part, weights=weights, optional=part.optional - left_out)


def build(c: Config) -> Architecture:
    def extra(a: Architecture, prefix: str, s: EncoderSizes) -> list[Part]:
        top = ending(c)
        if top in ("qa",):
            return []
        return [project(f"{prefix}pooler", s.width, s.width, tokens=1, role="head", gradient=top != "base")]

    a = bert(c, base="bert", pooled=(), extra=extra)
    if c.text("attention_type", "block_sparse") == "block_sparse":
        a.notes.append("flops_forward has full scores; flops_forward_windowed the blocks that a query sees")
        a.facts["sees"] = c.number("block_size") * (c.number("num_random_blocks", least=0) + 5)
    if not c.flag("use_bias"):
        a.parts = [without_bias(part) if part.kernel == "grouped_query_attention" else part for part in a.parts]
    return a
