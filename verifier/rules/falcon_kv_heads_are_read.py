"""Falcon reads num_kv_heads in its new decoder alone; in the old one multi_query decides.

Why: with new_decoder_architecture false there is one key/value head where multi_query is true, else as many as
heads.

Fix: delete num_kv_heads, or set new_decoder_architecture.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG013"
SEVERITY = Severity.WARNING
FIELDS = ("num_kv_heads", "multi_query", "new_decoder_architecture")
GOOD = {"model_type": "falcon", "new_decoder_architecture": True, "num_attention_heads": 4, "num_kv_heads": 2}
BAD = {"model_type": "falcon", "num_attention_heads": 4, "num_kv_heads": 2, "multi_query": True}


def check(v: View) -> Iterator[Finding]:
    given = v.raw.get("num_kv_heads")
    if v.model_type != "falcon" or type(given) is not int or v.value("new_decoder_architecture"):
        return
    heads = v.size("num_attention_heads")
    used = 1 if v.value("multi_query") is not False else heads
    if given not in (used, heads) or (given != used and v.value("multi_query") is False):
        names = [v.name(n) for n in ("num_kv_heads", "multi_query", "new_decoder_architecture")]
        message = (
            f"{names[0]} = {given} has no effect: with {names[2]} false, {names[1]} decides ({used} key/value heads)"
        )
        yield finding(message, names, f"delete {names[0]}, or {names[2]} = true")
