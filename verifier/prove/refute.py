"""Counterexamples: the smallest sizes at which a relation of terms is false, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from ..dims import Relation, Scope
from ..dims.dim import symbols_of
from ..dims.expression import HOLDS
from ..errors import VerifierError
from ..terms import Group, Term, as_term
from ..terms.fold import substitute, term_symbols
from .search import models

MAX_TRIED = 4_000
"""Models tried before the search for a counterexample gives up."""


def counterexample(relation: Relation, scope: Scope, tries: int = MAX_TRIED) -> dict[str, Any] | None:
    """The smallest sizes at which the relation is false, with both sides there; None if none was found.

    Sizes that neither the relation nor an assumption speaks of are left out: any will do.
    """
    left, right = as_term(relation.left), as_term(relation.right)
    names = term_symbols(left) | term_symbols(right)
    told = names.union(*(symbols_of(s) for a in scope.assumptions for s in (a.relation.left, a.relation.right)))
    for count, sizes in enumerate(models(scope, varying=names)):
        if count >= tries:
            return None
        known = {n: v for n, v in sizes.items() if n in names}
        try:
            a, b = value_at(left, known), value_at(right, known)
        except ZeroDivisionError:
            continue
        if not compare_values(relation.op, a, b):
            shown = {n: v for n, v in sizes.items() if n in told}
            return {"sizes": shown, "left": show_value(a), "right": show_value(b), "relation": relation.op}
    return None


def value_at(term: Term, sizes: Mapping[str, int]) -> Term:
    """The term at concrete sizes: a number in normal form, roots kept exact."""
    return substitute(term, dict(sizes), {})


def compare_values(op: str, left: Term, right: Term) -> bool:
    """Two numbers compared exactly where both are rational, else with 40 digits."""
    difference = left - right
    number = difference.number
    if number is not None:
        return HOLDS[op](number, 0)
    if op in ("==", "!="):  # distinct normal forms of real roots
        scale = max(abs(decimal_value(left)), abs(decimal_value(right)))
        close = abs(decimal_value(difference)) <= Fraction(1, 10**30) * scale
        return close == (op == "==")
    return HOLDS[op](decimal_value(difference), 0)


def decimal_value(term: Term) -> Fraction:
    """A number with roots to about 40 digits."""
    with localcontext() as context:
        context.prec = 50
        total = Decimal(0)
        for monomial, coefficient in term.terms.items():
            ratio = Fraction(coefficient)
            product = Decimal(ratio.numerator) / Decimal(ratio.denominator)
            for atom, exponent in monomial:
                if not isinstance(atom, Group):
                    raise ValueError(f"{term} is no number")  # noqa: TRY004  # a term is not a number by its value
                inner = decimal_value(atom.term)
                base = Decimal(inner.numerator) / Decimal(inner.denominator)
                power = Fraction(exponent)
                if base < 0 and power.denominator > 1:
                    raise VerifierError(
                        f"{atom} is a root of a negative number", remedy="add a premise that excludes it"
                    )
                product *= base ** (Decimal(power.numerator) / Decimal(power.denominator))
            total += product
        return Fraction(total)


def show_value(value: Term) -> str:
    number = value.number
    if number is None:
        return f"{value} ≈ {float(decimal_value(value)):.6g}"
    return str(number)
