"""ERNIE, LayoutLM and others: BERT with further tables in the embedding."""

from __future__ import annotations

from ..blocks import embedding
from ..encoder import EncoderSizes, bert
from ..fields import Config
from ..part import Architecture, Part

MODEL_TYPES = ("ernie", "layoutlm", "splinter", "yoso", "mra")


def build(c: Config) -> Architecture:
    base = c.model_type

    def extra(a: Architecture, prefix: str, s: EncoderSizes) -> list[Part]:
        name = f"{prefix}embeddings"
        if base == "ernie" and c.flag("use_task_id"):
            return [embedding(f"{name}.task_type_embeddings.weight", c.size("task_type_vocab_size"), s.width)]
        if base == "layoutlm":
            rows = c.size("max_2d_position_embeddings")
            kinds = ("x", "y", "h", "w")
            return [embedding(f"{name}.{k}_position_embeddings.weight", rows, s.width, role="position") for k in kinds]
        return []

    rows = c.size("max_position_embeddings") + (2 if base in ("yoso", "mra") else 0)
    pooled = (
        ("base", "classify", "choice", "pretrain")
        if base == "ernie"
        else ("base", "classify", "token", "mlm")
        if base == "layoutlm"
        else ()
    )
    a = bert(c, base=base, extra=extra, positions=rows, pooled=pooled)
    if base in ("mra", "yoso"):
        a.notes.append("FLOPs are those of full scores, which this family only approaches")
        a.buffers = c.number("max_position_embeddings") if base == "mra" else a.buffers
    return a
