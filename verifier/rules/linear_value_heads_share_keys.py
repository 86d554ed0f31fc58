"""In a gated delta network the key heads divide the value heads.

Why: each key head is repeated for value heads // key heads of them; where that does not go up, the repeated keys and
the values differ in number and the first pass fails.

Fix: a number of value heads that is a multiple of the key heads.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG046"
SEVERITY = Severity.ERROR
FIELDS = ("linear_num_value_heads", "linear_num_key_heads")
GOOD = {"model_type": "qwen3_next", "linear_num_key_heads": 4, "linear_num_value_heads": 8}
BAD = {"model_type": "qwen3_next", "linear_num_key_heads": 4, "linear_num_value_heads": 6}


def check(v: View) -> Iterator[Finding]:
    keys, values = v.size("linear_num_key_heads"), v.size("linear_num_value_heads")
    if keys is None or values is None or keys < 1 or values % keys == 0:
        return
    names = [v.name("linear_num_value_heads"), v.name("linear_num_key_heads")]
    near = max(values // keys, 1) * keys
    message = f"{names[1]} = {keys} does not divide {names[0]} = {values}"
    yield finding(message, names, f"{names[0]} = {near} or {near + keys}")
