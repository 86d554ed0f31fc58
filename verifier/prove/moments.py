"""Moments of terms in random inputs, for every size: expectation by coincidence of the summed indices.

Law: the expectation of a product of sums is the sum, over all ways in which the summed indices coincide, of
the number of such index choices times the product of the entries' moments. Entries at different places are
independent; an entry's powers have its moments. For two standard vectors this is additivity of the variance over
the d_k independent products.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..dims import Size, symbol
from ..errors import VerifierError
from ..terms import Entry, Fold, Term, as_term, one, zero
from ..terms.fold import Binders, open_fold, substitute
from ..terms.ranges import fresh_index
from ..terms.term import atom_term, multiply


@dataclass(frozen=True)
class Moments:
    """Moments of one entry of each random array: array -> (mean, second moment, third, ...).

    Beyond those given, a moment stays a symbol of its own: what depends on it is no theorem of the law.
    """

    known: Mapping[str, tuple[int, ...]]

    def of(self, array: str, power: int) -> Term:
        given = self.known[array]
        if power <= len(given):
            return as_term(given[power - 1])
        return as_term(symbol(f"moment{power}_{array}"))


STANDARD = (0, 1)
"""Mean 0 and variance 1."""


def expectation(term: Term, moments: Moments) -> Term:
    """The expectation over the random arrays that `moments` names; everything else is a constant.

    Raises:
        VerifierError: a random entry stands where no moment reaches, inside a function or a denominator.
    """
    total = zero
    for monomial, coefficient in term.terms.items():
        constant: Term = Term({(): coefficient})
        random: list[tuple[Entry, int]] = []
        binders: Binders = ()
        pending = list(monomial)
        while pending:
            atom, exponent = pending.pop()
            if not _is_random(atom, moments):
                constant = multiply(constant, Term({((atom, exponent),): 1}))
            elif isinstance(atom, Entry) and type(exponent) is int and exponent > 0:
                random.append((atom, exponent))
            elif isinstance(atom, Fold) and atom.kind == "sum" and type(exponent) is int and exponent > 0:
                for _ in range(exponent):
                    opened, body = open_fold(atom)
                    ((inner, factor),) = body.terms.items()
                    binders = (*binders, *opened)
                    constant = multiply(constant, Term({(): factor}))
                    pending.extend(inner)
            else:
                raise VerifierError(f"no moment is known of {atom} to the power {exponent}")
        total = total + multiply(constant, _over_coincidences(binders, random, moments))
    return total


def variance(term: Term, moments: Moments) -> Term:
    """E[x²] - E[x]²."""
    mean = expectation(term, moments)
    return expectation(multiply(term, term), moments) - multiply(mean, mean)


def _is_random(atom: Any, moments: Moments) -> bool:
    if isinstance(atom, Entry):
        return atom.array in moments.known
    if isinstance(atom, str):
        return False
    return any(f"{name}[" in str(atom) for name in moments.known)


def _over_coincidences(binders: Binders, random: list[tuple[Entry, int]], moments: Moments) -> Term:
    """The sum over all index values, split by which of the indices are equal."""
    total = zero
    product_term = one
    for entry, power in random:
        product_term = multiply(product_term, Term({((entry, power),): 1}))
    for classes in _partitions(list(binders)):
        renaming: dict[str, Size] = {}
        count: Any = 1
        used: dict[str, int] = {}
        for members in classes:
            name, size = fresh_index(), members[0][1]
            taken = used.get(str(size), 0)
            used[str(size)] = taken + 1
            count = count * (size - taken)
            renaming.update({member: symbol(name) for member, _ in members})
        merged = substitute(product_term, renaming, {})
        value = one
        for monomial, coefficient in merged.terms.items():
            value = Term({(): coefficient})
            for atom, power in monomial:
                value = multiply(
                    value, moments.of(atom.array, int(power)) if isinstance(atom, Entry) else atom_term(atom)
                )
        total = total + multiply(as_term(count), value)
    return total


def _partitions(binders: list[tuple[str, Size]]) -> Iterator[list[list[tuple[str, Size]]]]:
    """All ways to make indices over one size equal; indices over different sizes never meet in an entry."""
    if not binders:
        yield []
        return
    first, *rest = binders
    for smaller in _partitions(rest):
        for place, members in enumerate(smaller):
            if str(members[0][1]) == str(first[1]):
                yield [*smaller[:place], [first, *members], *smaller[place + 1 :]]
        yield [[first], *smaller]
