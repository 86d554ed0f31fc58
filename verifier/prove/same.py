"""Equality of two terms in entries of inputs: one normal form after denominators and solved sizes are cleared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..dims import Relation, Scope, Size
from ..terms import Fold, Group, Indicator, Term, one, zero
from ..terms.fold import rebuild, substitute
from ..terms.term import atom_term, multiply, power
from .decide import decide
from .facts import Facts

MAX_CLEARED = 6


def same_term(left: Term, right: Term, scope: Scope, ranges: Mapping[str, Size] | None = None) -> bool:
    """Whether the terms are equal for all sizes of the scope and all inputs: proved, or not known.

    `ranges` says what the free indices run over, where that matters once the facts are put in.
    """
    if left.same(right):
        return True
    facts = Facts.of(scope)
    if facts.solved:
        solved = dict(facts.solved)
        inside = {name: facts.reduce(size) for name, size in (ranges or {}).items()}
        left, right = substitute(left, solved, inside), substitute(right, solved, inside)
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
    return over_common_denominator(difference)[0]


def over_common_denominator(term: Term) -> tuple[Term, Term]:
    """Numerator and denominator: no sum of the numerator is divided by any more."""
    denominator = one
    for _ in range(MAX_CLEARED):
        divisor = next((a for m in term.terms for a, p in m if _is_sum(a) and type(p) is int and p < 0), None)
        if divisor is None:
            break
        exponent = min(int(p) for m in term.terms for a, p in m if a == divisor)
        inner = divisor.term if isinstance(divisor, Group) else atom_term(divisor)
        total = zero
        for monomial, coefficient in term.terms.items():
            powers = dict(monomial)
            own = int(powers.pop(divisor, 0))
            rest = Term({tuple(powers.items()): coefficient})
            total = total + multiply(rest, power(inner, own - exponent) if own > exponent else one)
        term, denominator = total, multiply(denominator, power(inner, -exponent))
    return term, denominator


def _is_sum(atom: Any) -> bool:
    return isinstance(atom, (Group, Fold))
