"""In RoBERTa's kin the padding id indexes the position table too, and positions start after it.

Why: position ids are pad_token_id + 1, pad_token_id + 2, ...: a padding id near or past the last row leaves no
position.

Fix: a small padding id (1 in RoBERTa), or more rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .positions_reach_the_sequence import AFTER_PADDING
from .view import View

CODE = "CFG017"
SEVERITY = Severity.ERROR
FIELDS = ("pad_token_id", "max_position_embeddings")
GOOD = {"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1}
BAD = {"model_type": "roberta", "max_position_embeddings": 64, "pad_token_id": 200}


def check(v: View) -> Iterator[Finding]:
    pad, rows = v.value("pad_token_id"), v.size("max_position_embeddings")
    if v.model_type in AFTER_PADDING and type(pad) is int and rows is not None and pad >= rows - 1:
        p, m = v.name("pad_token_id"), v.name("max_position_embeddings")
        message = f"{p} = {pad} leaves no position in a table of {rows} rows: positions start after the padding id"
        yield finding(message, [p, m], f"{p} = 1, or {m} = {pad + 2} or more")
