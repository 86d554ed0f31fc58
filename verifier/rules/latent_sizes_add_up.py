"""In latent attention a query head is its part without position and its rotary part together.

Why: qk_head_dim is derived from qk_nope_head_dim and qk_rope_head_dim and then ignored, or read instead of their
sum; a cache of rank 0 or a query rank above the width saves nothing.

Fix: qk_head_dim = qk_nope_head_dim + qk_rope_head_dim, or delete it.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG044"
SEVERITY = Severity.WARNING
FIELDS = ("qk_head_dim", "qk_nope_head_dim", "qk_rope_head_dim")
GOOD = {"model_type": "deepseek_v3", "qk_nope_head_dim": 8, "qk_rope_head_dim": 8, "qk_head_dim": 16}
BAD = {"model_type": "deepseek_v3", "qk_nope_head_dim": 8, "qk_rope_head_dim": 8, "qk_head_dim": 24}


def check(v: View) -> Iterator[Finding]:
    plain, turned, whole = (v.size(n) for n in ("qk_nope_head_dim", "qk_rope_head_dim", "qk_head_dim"))
    if (
        plain is not None
        and turned is not None
        and whole is not None
        and v.given("qk_head_dim")
        and whole != plain + turned
    ):
        names = [v.name(n) for n in ("qk_head_dim", "qk_nope_head_dim", "qk_rope_head_dim")]
        message = f"{names[0]} = {whole} is not {names[1]} + {names[2]} = {plain} + {turned}"
        yield finding(message, names, f"{names[0]} = {plain + turned}, or delete it")
    rank, width = v.size("q_lora_rank"), v.size("hidden_size")
    if (
        rank is not None
        and width is not None
        and v.size("kv_lora_rank") is not None
        and rank > width
        and v.given("q_lora_rank")
    ):
        names = [v.name("q_lora_rank"), v.name("hidden_size")]
        message = f"{names[0]} = {rank} is more than {names[1]} = {width}: queries are not compressed but widened"
        yield finding(message, names, f"{names[0]} below {width}, or null", Severity.INFO)
