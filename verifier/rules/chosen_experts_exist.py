"""A token goes to no more experts than there are.

Why: the router takes the k best of e scores; a k above e raises at the first token, often because only one of the
two was changed from its default.

Fix: num_experts_per_tok at most the number of experts.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG008"
SEVERITY = Severity.ERROR
FIELDS = ("num_experts_per_tok", "num_experts")
GOOD = {"model_type": "mixtral", "num_local_experts": 4, "num_experts_per_tok": 2}
CHOSEN = ("num_experts_per_tok", "num_experts_per_token", "moe_topk", "moe_k", "experts_per_token")
TOTAL = ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")
BAD = {"model_type": "mixtral", "num_local_experts": 4, "num_experts_per_tok": 8}


def check(v: View) -> Iterator[Finding]:
    chosen = next((f for f in CHOSEN if v.size(f) is not None), None)
    total = next((f for f in TOTAL if v.size(f) is not None), None)
    inner = v.raw.get("ffn_config")
    if isinstance(inner, dict):
        e, k = inner.get("moe_num_experts", 4), inner.get("moe_top_k", 1)
        names = ["ffn_config.moe_top_k", "ffn_config.moe_num_experts"]
    elif chosen is None or total is None:
        return
    else:
        e, k, names = v.size(total), v.size(chosen), [v.name(chosen), v.name(total)]
    if type(e) is int and type(k) is int and k > e:
        default = "" if inner or chosen is None or v.given(chosen) else f" ({names[0]} is absent: {k} is the default)"
        yield finding(f"{names[0]} = {k} of only {e} experts ({names[1]}){default}", names, f"{names[0]} = {e} or less")
