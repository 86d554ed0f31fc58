"""Limits of terms as one size grows without bound, by a calculus of their own; SymPy and numbers confirm them.

Law: limits go through finite sums and products of finite limits; a decaying exponential beats every power of the
variable; exp is continuous; a sum over finitely many indices has the sum of its bodies' limits; 1/∞ is 0. Where a
step has no such rule there is no answer, and never a guess.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..dims import Size
from ..dims.dim import symbols_of
from ..terms import Entry, Exponential, Fold, Group, Term, one, zero
from ..terms.fold import free_symbols, open_fold, sum_over, term_symbols
from ..terms.ranges import is_index
from ..terms.term import exponential, multiply, power
from .facts import Facts
from .nonzero import Known, never_zero
from .same import over_common_denominator


@dataclass(frozen=True)
class Growing:
    """What a limit is taken over: the size that grows, and what is known of the rest."""

    variable: str
    positive: frozenset[str] = frozenset()
    """Input arrays whose elements are above 0."""
    facts: Facts = field(default_factory=lambda: Facts({}))
    ranges: Mapping[str, Size] = field(default_factory=lambda: dict[str, Size]())

    def never_zero(self, term: Term) -> bool:
        """Whether a term is surely not 0, so that it may be divided by."""
        return never_zero(term, Known(self.facts, self.ranges, self.positive))

    def is_positive(self, atom: Any) -> bool:
        if isinstance(atom, Group):  # the root of a number stands as one
            return atom.term.number is not None and atom.term.number > 0
        if isinstance(atom, str):  # a place may be 0
            return not is_index(atom) and atom not in self.ranges and self.facts.least.get(atom, 0) >= 1
        return isinstance(atom, Entry) and atom.array in self.positive

    def decays(self, atom: Any, exponent: Any) -> bool:
        """exp(-variable·positive): whether an exponential tends to 0."""
        if not isinstance(atom, Exponential) or exponent >= 0:
            return False
        ((factors, coefficient),) = atom.exponent.terms.items()
        powers = dict(factors)
        grows = powers.pop(self.variable, 0)
        return grows > 0 and coefficient > 0 and all(map(self.is_positive, powers))


def limit(term: Term, growing: Growing, ranges: Mapping[str, Size]) -> Term | None:
    """The limit of a term as a size symbol grows, pointwise in everything else; None where no rule applies."""
    if growing.variable not in term_symbols(term):
        return term
    found = _of_sum(term, growing, ranges)
    if found is not None:
        return found
    # ∞ - ∞ may be a finite difference over a common denominator.
    numerator, denominator = over_common_denominator(term)
    if denominator.same(one):
        return None
    above, below = _of_sum(numerator, growing, ranges), _of_sum(denominator, growing, ranges)
    if above is None or below is None or not growing.never_zero(below):
        return None
    return multiply(above, power(below, -1))


def _of_sum(term: Term, growing: Growing, ranges: Mapping[str, Size]) -> Term | None:
    total = zero
    for monomial, coefficient in term.terms.items():
        part = _of_product(monomial, growing, ranges)
        if part is None:
            return None
        total = total + multiply(part, Term({(): coefficient}))
    return total


def _of_product(monomial: Any, growing: Growing, ranges: Mapping[str, Size]) -> Term | None:
    """The product of the factors' limits; 0 where one tends to 0 and the others stay bounded, or it beats them."""
    monomial = _variable_inside(monomial, growing)
    decays = vanishes = grows = False
    result = one
    for atom, exponent in monomial:
        if growing.variable not in free_symbols(atom):
            result = multiply(result, Term({((atom, exponent),): 1}))
        elif growing.decays(atom, exponent):
            decays = True
        elif atom == growing.variable:
            vanishes |= exponent < 0
            grows |= exponent > 0
        elif exponent < 0 and isinstance(atom, Group) and _diverges(atom.term, growing):
            vanishes = True
        else:
            value = _of_atom(atom, growing, ranges)
            if value is None or (exponent < 0 and not growing.never_zero(value)):
                return None
            result = multiply(result, power(value, exponent))
    if decays or (vanishes and not grows):
        return zero
    return None if grows else result


def _diverges(term: Term, growing: Growing) -> bool:
    """Whether a term is a polynomial in the variable of a degree above 0, whose leading coefficient is never 0."""
    coefficients: dict[int, Term] = {}
    for monomial, coefficient in term.terms.items():
        powers = dict(monomial)
        degree = powers.pop(growing.variable, 0)
        if type(degree) is not int or degree < 0 or any(growing.variable in free_symbols(a) for a in powers):
            return False
        rest = Term({tuple(powers.items()): coefficient})
        coefficients[degree] = coefficients.get(degree, zero) + rest
    leading = max(coefficients, default=0)
    return leading > 0 and growing.never_zero(coefficients[leading])


def _variable_inside(monomial: Any, growing: Growing) -> Any:
    """A growing factor put into a sum beside it, where a decaying exponential may beat it."""
    powers = dict(monomial)
    growth = powers.get(growing.variable, 0)
    inner = next((a for a, p in monomial if isinstance(a, Fold) and a.kind == "sum" and p == 1), None)
    if growth <= 0 or inner is None or growing.variable not in free_symbols(inner):
        return monomial
    del powers[growing.variable], powers[inner]
    opened, body = open_fold(inner)
    widened = Fold("sum", opened, multiply(body, Term({((growing.variable, growth),): 1})))
    return (*powers.items(), (widened, 1))


def _of_atom(atom: Any, growing: Growing, ranges: Mapping[str, Size]) -> Term | None:
    match atom:
        case Group():
            return limit(atom.term, growing, ranges)
        case Exponential():  # it is continuous
            inner = limit(atom.exponent, growing, ranges)
            return None if inner is None else exponential(inner)
        case Fold(kind="sum"):
            opened, body = open_fold(atom)
            if any(growing.variable in symbols_of(size) for _, size in opened):
                return None
            inner = limit(body, growing, {**ranges, **dict(opened)})
            return None if inner is None else sum_over(opened, inner, ranges)
        case _:
            return None
