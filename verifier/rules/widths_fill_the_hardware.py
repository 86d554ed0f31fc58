"""Matrix units work on tiles: widths that are multiples of 64 leave none half empty.

Why: a vocabulary of 50257 costs as much as one of 50304 and runs slower; tensor cores want multiples of 8 at least
in 16 bits.

Fix: round the width up to a multiple of 64.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG038"
SEVERITY = Severity.INFO
FIELDS = ("vocab_size", "hidden_size")
GOOD = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
    "vocab_size": 32000,
    "intermediate_size": 128,
}
BAD = {"model_type": "gpt2", "vocab_size": 50257}


def check(v: View) -> Iterator[Finding]:
    for field in ("vocab_size", "hidden_size", "intermediate_size"):
        width = v.size(field)
        if width is not None and v.was_read(field) and v.given(field) and width >= 1024 and width % 8:
            name = v.name(field)
            message = f"{name} = {width} is no multiple of 8: tensor cores pad each tile"
            yield finding(message, [name], f"{name} = {-(-width // 64) * 64}")
