"""Equality of two terms in entries of inputs: one normal form after denominators and solved sizes are cleared."""

from __future__ import annotations

from typing import Any

from ..dims import Relation, Scope
from ..terms import Group, Indicator, Term, one, zero
from ..terms.fold import rebuild, substitute
from ..terms.term import atom_term, multiply, power
from .decide import decide
from .facts import Facts

MAX_CLEARED = 6


def same_term(left: Term, right: Term, scope: Scope) -> bool:
    """Whether the terms are equal for all sizes of the scope and all inputs: proved, or not known."""
    if left.same(right):
        return True
    facts = Facts.of(scope)
    if facts.solved:
        solved = {name: value for name, value in facts.solved.items()}
        left, right = substitute(left, solved, {}), substitute(right, solved, {})
    return not cleared(without_known_indicators(left - right, facts)).terms


def without_known_indicators(term: Term, facts: Facts) -> Term:
    """The term with each indicator that the facts decide put in as 1 or 0."""

    def atom_value(atom: Any) -> Term:
        if isinstance(atom, Indicator):
            known = decide(Relation(atom.op, atom.left, atom.right), facts)
            if known is not None:
                return one if known else zero
        return atom_term(atom)

    return rebuild(term, atom_value)


def cleared(difference: Term) -> Term:
    """The difference times every sum that it is divided by: 0 exactly where the difference is, where it is defined."""
    for _ in range(MAX_CLEARED):
        group = next((a for m in difference.terms for a, p in m if isinstance(a, Group) and type(p) is int and p < 0), None)
        if group is None:
            return difference
        exponent = min(int(p) for m in difference.terms for a, p in m if a == group)
        total = Term({})
        for monomial, coefficient in difference.terms.items():
            powers = dict(monomial)
            own = int(powers.pop(group, 0))
            rest = Term({tuple(powers.items()): coefficient})
            total = total + multiply(rest, power(group.term, own - exponent) if own > exponent else Term({(): 1}))
        difference = total
    return difference
