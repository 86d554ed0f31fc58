"""Order of sizes: p >= 0 as a sum of facts and of products that cannot be negative.

Law: with every size written as its least value plus something that is at least 0, a polynomial without
negative coefficients is at least 0; so is such a polynomial plus facts (sizes known to be at least 0) times
numbers, or products of sizes, that are at least 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

from ..dims import FloorDiv, Size, symbol
from ..dims.dim import floors_of, from_terms, rebuild, terms_of
from ..dims.polynomial import divide_monomials, tidy
from .facts import Facts

MAX_FACTS = 2
"""How many facts are added up in search of a proof; each further one multiplies the search."""


def shifted(size: Size, least: dict[str, int]) -> Size:
    """The size in variables that are at least 0: each symbol is its least value plus itself, quotients stand alone."""

    def atom_value(atom: object) -> Size:
        if isinstance(atom, FloorDiv):
            return symbol(str(atom))
        name = str(atom)
        return symbol(name) + least.get(name, 0)

    return rebuild(size, atom_value)


def nonnegative_form(size: Size, least: dict[str, int]) -> bool:
    """Whether no coefficient is negative once shifted; a quotient counts where its two sides are of that kind too."""
    return all(c > 0 for c in terms_of(shifted(size, least)).values()) and all(
        nonnegative_form(atom.numerator, least) and nonnegative_form(atom.denominator, least)
        for atom in floors_of(size)
    )


def quotient_facts(size: Size, facts: Facts) -> list[Size]:
    """For q = a // b with b > 0: q*b <= a and a <= q*b + b - 1, as sizes that are at least 0.

    Where b may be negative both can fail (1 // -2 is -1), so nothing is known. b is not 0 where a quotient exists.
    """
    known: list[Size] = []
    for atom in sorted(floors_of(size), key=str):
        if nonnegative_form(atom.denominator, facts.least):
            product = atom.denominator * from_terms({((atom, 1),): 1})
            known += [atom.numerator - product, product + atom.denominator - 1 - atom.numerator]
        for inner in (atom.numerator, atom.denominator):
            known += quotient_facts(inner, facts)
    return known


def weights(size: Size, facts: Facts) -> list[tuple[Size, Size]] | None:
    """The facts that show size >= 0, each with its factor; None where no such sum was found."""
    if nonnegative_form(size, facts.least):
        return []
    known = [*facts.nonnegative, *quotient_facts(size, facts)]
    candidates = [s for s in known if set(_names(s)) & set(_names(size))] or known
    for count in range(1, MAX_FACTS + 1):
        for chosen in combinations(candidates, count):
            for factors in _factors(size, chosen, facts):
                rest: Any = size
                for factor, fact in zip(factors, chosen, strict=True):
                    rest = rest - fact * factor
                if nonnegative_form(rest, facts.least):
                    return list(zip(factors, chosen, strict=True))
    return None


def _names(size: Size) -> list[str]:
    return [str(a) for m in terms_of(size) for a, _ in m]


def _factors(size: Size, chosen: tuple[Size, ...], facts: Facts) -> Iterable[tuple[Size, ...]]:
    """Factors worth trying: 1, and for a single fact those that cancel a negative term, such as d for d*h - d*i."""
    yield (1,) * len(chosen)
    if len(chosen) != 1:
        return
    tried: set[str] = {"1"}
    negative = [(m, c) for m, c in terms_of(chosen[0]).items() if c < 0]
    for monomial, coefficient in terms_of(size).items():
        for other, weight in negative if coefficient < 0 else ():
            product = divide_monomials(monomial, other)
            if product is None or not all(isinstance(a, str) and facts.least.get(a, 0) >= 0 for a, _ in product):
                continue
            factor = from_terms({product: tidy(Fraction(coefficient) / weight)})
            if str(factor) not in tried:
                tried.add(str(factor))
                yield (factor,)


def is_nonnegative(size: Size, facts: Facts) -> bool:
    """Whether size >= 0 was proved; False says nothing."""
    reduced = facts.reduce(size)
    if weights(reduced, facts) is not None:
        return True
    other = without_quotient(reduced, facts)
    return other is not None and weights(other, facts) is not None


def without_quotient(size: Size, facts: Facts) -> Size | None:
    """What is at least 0 exactly where a size with one quotient is: r - a // b where r*b + b - 1 - a, for b >= 1."""
    atoms = list(floors_of(size))
    if len(atoms) != 1:
        return None
    (atom,) = atoms
    coefficient = terms_of(size).get(((atom, 1),))
    quotient = from_terms({((atom, 1),): 1})
    if coefficient not in (1, -1):
        return None
    rest: Any = size - quotient * coefficient
    below: Any = atom.denominator
    if list(floors_of(rest)) or list(floors_of(atom.numerator)) or list(floors_of(below)):
        return None
    if weights(below - 1, facts) is None or any(type(c) is not int for c in terms_of(rest).values()):
        return None
    return rest * below + below - 1 - atom.numerator if coefficient == -1 else atom.numerator + rest * below
