"""A flag is true or false.

Why: the text "false" is true in Python; a flag in quotes does the opposite of what it says.

Fix: true or false without quotes.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG033"
SEVERITY = Severity.ERROR
FIELDS = ("tie_word_embeddings",)
FLAGS = frozenset(
    {"tie_word_embeddings", "use_cache", "is_decoder", "is_encoder_decoder", "attention_bias", "mlp_bias"}
)
GOOD = {"model_type": "llama", "tie_word_embeddings": False}
BAD = {"model_type": "llama", "tie_word_embeddings": "False"}


def check(v: View) -> Iterator[Finding]:
    defaults = v.known.get("fields", {})
    for key, value in v.raw.items():
        if not isinstance(defaults.get(key), bool) and key not in FLAGS:
            continue
        name = v.config.prefix + key
        if isinstance(value, str):
            meant = value.strip().lower() in ("true", "1", "yes")
            fix = f"{name} = {str(meant).lower()} without quotes"
            yield finding(f"{name} = {value!r:.40} is text, which counts as true", [name], fix)
        elif isinstance(value, (list, dict)) or (type(value) is int and value not in (0, 1)):
            yield finding(f"{name} = {value!s:.40} is neither true nor false", [name], f"{name} = true or false")
