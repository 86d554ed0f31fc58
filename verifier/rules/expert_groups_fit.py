"""Experts fall into equal groups; a token looks into no more groups than there are, and finds enough experts there.

Why: group-limited routing reshapes e scores to [groups, e / groups], keeps topk_group groups, and takes k experts
of those.

Fix: n_group that divides the experts, topk_group at most n_group, and k at most topk_group * e / n_group.
"""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Severity, finding
from .view import View

CODE = "CFG009"
SEVERITY = Severity.ERROR
FIELDS = ("n_group", "topk_group", "n_routed_experts")
GOOD = {"model_type": "deepseek_v3", "n_routed_experts": 8, "n_group": 4, "topk_group": 2, "num_experts_per_tok": 2}
BAD = {"model_type": "deepseek_v3", "n_routed_experts": 8, "n_group": 2, "topk_group": 4, "num_experts_per_tok": 2}


def check(v: View) -> Iterator[Finding]:
    groups, kept, total = v.size("n_group"), v.size("topk_group"), v.size("n_routed_experts")
    if groups is None or v.value("topk_method") == "greedy":
        return
    g, k, e = v.name("n_group"), v.name("topk_group"), v.name("n_routed_experts")
    if kept is not None and kept > groups:
        yield finding(f"{k} = {kept} of only {groups} groups ({g})", [k, g], f"{k} = {groups} or less")
        return
    if total is not None and total % groups:
        yield finding(f"{g} = {groups} does not divide {e} = {total}", [g, e], f"{e} = a multiple of {groups}")
    chosen = v.size("num_experts_per_tok")
    if total is not None and kept is not None and chosen is not None and chosen > kept * (total // groups):
        c = v.name("num_experts_per_tok")
        message = f"{c} = {chosen}, but {kept} groups of {total // groups} hold only {kept * (total // groups)} experts"
        yield finding(message, [c, k, g, e], f"{c} = {kept * (total // groups)} or less")
