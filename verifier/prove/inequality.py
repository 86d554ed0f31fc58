"""Order of two terms of sizes: a sum of facts and of products that cannot be negative, or a counterexample.

Law: right - left = Σ weight_i · fact_i + rest, where every fact is at least 0 under the assumptions, weights
are not negative, and rest has no negative coefficient once every size is its least value plus something that is
at least 0. For `!=` one of the two orders is shown to be strict.
"""

from __future__ import annotations

from typing import Any

from ..dims import Relation, Scope, Size
from ..terms import Term, as_term
from ..verdict import Truth, Verdict
from .facts import Facts
from .order import weights
from .refute import counterexample


def prove_order(relation: Relation, scope: Scope) -> Verdict:
    """Whether `left <= right`, `left < right` or `left != right` holds at all sizes of the scope."""
    refutation = counterexample(relation, scope)
    if refutation is not None:
        shown = f"{refutation['left']} {relation.op} {refutation['right']} is false"
        return Verdict(Truth.REFUTED, shown, witness=refutation)
    difference = _cleared(as_term(relation.right) - as_term(relation.left))
    if difference is None:
        return Verdict(Truth.UNDECIDED, f"no order is known of {relation.left} and {relation.right}")
    for sign in (1, -1) if relation.op == "!=" else (1,):
        strict = 0 if relation.op == "<=" else 1
        certificate = _certificate(difference * sign - strict, scope)
        if certificate is not None:
            certificate["relation"] = {"op": relation.op, "left": str(relation.left), "right": str(relation.right)}
            step = f"{certificate['difference']} is a sum of products that cannot be negative"
            return Verdict(Truth.PROVED, "an order of polynomials", certificate=certificate, steps=(step,))
    return Verdict(Truth.UNDECIDED, f"no sum of facts shows that {difference} is positive")


def _cleared(difference: Term) -> Size | None:
    """The difference times a positive product of sizes that makes it a polynomial; its sign is the same."""
    factor: dict[Any, Any] = {}
    for monomial in difference.terms:
        for atom, exponent in monomial:
            if exponent < 0:
                if not isinstance(atom, str):
                    return None
                factor[atom] = max(factor.get(atom, 0), -exponent)
    for atom, exponent in factor.items():
        difference = difference * Term({((atom, exponent),): 1})
    return difference.size


def _certificate(size: Size, scope: Scope) -> dict[str, Any] | None:
    facts = Facts.of(scope)
    reduced = facts.reduce(size)
    found = weights(reduced, facts)
    if found is None:
        return None
    return {
        "kind": "order",
        "difference": str(reduced),
        "solved": {name: str(value) for name, value in facts.solved.items()},
        "weights": [[str(factor), str(fact)] for factor, fact in found],
        "least": {n: facts.least.get(n, 0) for n in facts.free([size])},
    }


