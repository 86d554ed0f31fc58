"""The embedding has a row for every token of the tokenizer; more rows are padding.

Why: a token without a row raises, or reads past the table on a GPU. It happens when a token is added and the table
is not resized.

Fix: vocab_size at least the tokenizer's length; a multiple of 64 or 128 is common.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG020"
SEVERITY = Severity.ERROR
FIELDS = ("vocab_size",)
GOOD = ({"model_type": "llama", "vocab_size": 32064}, {"tokenizer_length": 32001})
BAD = ({"model_type": "llama", "vocab_size": 32000}, {"tokenizer_length": 32001})


def check(v: View) -> Iterator[Finding]:
    tokens, rows = v.context.tokenizer_length, v.size("vocab_size")
    if tokens is None or rows is None:
        return
    name = v.name("vocab_size")
    if rows < tokens:
        message = f"the tokenizer has {tokens} tokens, the embedding {rows} rows ({name})"
        yield finding(message, [name], f"{name} = {tokens}, or {-(-tokens // 64) * 64} to keep a multiple of 64")
    elif rows > tokens:
        message = f"{name} = {rows} is {rows - tokens} more than the tokenizer's {tokens} tokens: padding"
        yield finding(message, [name], "nothing to do", Severity.INFO)
