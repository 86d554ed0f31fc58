"""A sequence is no longer than the positions that the model has.

Why: learned positions are a table: a token past its end raises, or reads another row on a GPU. Rotary and
sinusoidal ones go on, beyond what was trained. RoBERTa's rows begin after the padding id, so that two of them are
not usable.

Fix: a shorter sequence, or a model with more positions.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG016"
SEVERITY = Severity.ERROR
FIELDS = ("max_position_embeddings", "n_positions")
AFTER_PADDING = frozenset(
    [
        "roberta",
        "xlm-roberta",
        "camembert",
        "data2vec-text",
        "roberta-prelayernorm",
        "xlm-roberta-xl",
        "longformer",
        "ibert",
        "mpnet",
        "esm",
        "xmod",
        "lilt",
        "luke",
        "mluke",
    ]
)
GOOD = ({"model_type": "gpt2", "n_positions": 64}, {"seq": 64})
BAD = ({"model_type": "gpt2", "n_positions": 64}, {"seq": 128})


def check(v: View) -> Iterator[Finding]:
    seq = v.context.seq
    if seq is None or v.architecture is None or v.architecture.kind in ("vision", "speech"):
        return
    learned, field, rows = positions(v)
    if rows is None:
        return
    offset = padding_offset(v) if learned else 0
    usable = rows - offset
    name = v.name(field)
    if seq <= usable:
        return
    if learned:
        rest = f" leaves {usable} positions (rows start after the padding id)" if offset else " learned positions"
        message = f"{name} = {rows}{rest}, the run uses {seq} tokens"
        yield finding(message, [name], f"at most {usable} tokens, or {name} = {seq + offset}")
    else:
        message = f"the run uses {seq} tokens, {name} is {rows}: positions past it were not trained"
        yield finding(message, [name], f"at most {rows} tokens, or a rope_scaling", Severity.WARNING)


def positions(v: View) -> tuple[bool, str, int | None]:
    """Whether positions are a learned table, the field that counts them, and how many there are."""
    assert v.architecture is not None
    learned = any(p.role == "position" and p.kernel == "embedding_lookup" for p in v.architecture.parts)
    learned = learned and v.model_type not in ("roformer", "deberta", "marian", "pegasus", "m2m_100")
    field = "max_target_positions" if v.size("max_target_positions") else "max_position_embeddings"
    return learned, field, v.size(field)


def padding_offset(v: View) -> int:
    """Rows of the table that stand before the first position."""
    pad = v.value("pad_token_id")
    return pad + 1 if v.model_type in AFTER_PADDING and type(pad) is int and pad >= 0 else 0
