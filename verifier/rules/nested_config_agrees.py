"""A size that stands both outside and inside text_config is the same in both.

Why: the language model reads text_config alone; the number outside is ignored, or read by another library.

Fix: delete the outer one, or make them equal.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG037"
SEVERITY = Severity.WARNING
FIELDS = ("text_config",)
SIZES = frozenset(
    [
        "hidden_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_key_value_heads",
        "intermediate_size",
        "vocab_size",
        "head_dim",
    ]
)
GOOD = {"model_type": "llava", "text_config": {"model_type": "llama", "hidden_size": 64}}
BAD = {"model_type": "llava", "hidden_size": 32, "text_config": {"model_type": "llama", "hidden_size": 64}}


def check(v: View) -> Iterator[Finding]:
    if not v.config.prefix or not v.outer:
        return
    for key, value in v.outer.items():
        inner = v.raw.get(key)
        if key in SIZES and type(value) is int and type(inner) is int and value != inner:
            names = [key, v.config.prefix + key]
            message = f"{key} = {value} outside, {names[1]} = {inner} inside: the language model reads the inner one"
            yield finding(message, names, f"delete the outer {key}")
