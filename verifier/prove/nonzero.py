"""Whether a term is surely not 0: what makes a division a number.

Law: a sum of products that cannot be negative is above 0 where one of them is above 0. Exponentials are; sizes are
where their least value is at least 1; entries are where their array is declared positive; a sum over indices is where
its range is not empty and its body is, or where its body is a truth value of a mask that shows every row a key,
times such a body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..dims import Size
from ..terms import Entry, Exponential, Fold, Group, Term
from ..terms.fold import open_fold
from ..terms.term import positive
from .decide import decide
from .facts import Facts


@dataclass(frozen=True)
class Known:
    """What is known of the symbols and inputs of a term."""

    facts: Facts
    ranges: Mapping[str, Size] = field(default_factory=lambda: dict[str, Size]())
    positive: frozenset[str] = frozenset()
    """Input arrays whose elements are above 0."""
    seeing: frozenset[str] = frozenset()
    """Boolean input arrays with a True in every row, which is their last axis."""

    def within(self, binders: tuple[tuple[str, Size], ...]) -> Known:
        return Known(self.facts, {**self.ranges, **dict(binders)}, self.positive, self.seeing)


def never_zero(term: Term, known: Known) -> bool:
    """Whether the term is surely not 0, for all sizes and inputs."""
    size = term.size
    if size is not None:
        different = size != 0
        return different if isinstance(different, bool) else decide(different, known.facts) is True
    return above_zero(term, known) or above_zero(-term, known)


def above_zero(term: Term, known: Known) -> bool:
    """Whether the term is surely above 0: no product is negative, and one is above 0."""
    if any(c <= 0 or not all(_not_negative(a, known) for a, _ in m) for m, c in term.terms.items()):
        return False
    return any(all(_atom_above_zero(a, known) for a, _ in m) for m in term.terms)


def _not_negative(atom: Any, known: Known) -> bool:
    return positive(atom) or (isinstance(atom, Entry) and atom.array in known.seeing) or _atom_above_zero(atom, known)


def _atom_above_zero(atom: Any, known: Known) -> bool:
    match atom:
        case str():
            return atom not in known.ranges and known.facts.least.get(atom, 0) >= 1
        case Exponential():
            return True
        case Entry():
            return atom.array in known.positive
        case Group():
            return above_zero(atom.term, known)
        case Fold(kind="sum"):
            opened, body = open_fold(atom)
            if not all(_not_empty(size, known) for _, size in opened):
                return False
            return above_zero(body, known.within(opened)) or _sees_a_key(opened, body, known.within(opened))
        case _:
            return False


def _not_empty(size: Size, known: Known) -> bool:
    enough = size >= 1
    return enough if isinstance(enough, bool) else decide(enough, known.facts) is True


def _sees_a_key(binders: tuple[tuple[str, Size], ...], body: Term, known: Known) -> bool:
    """mask[..., j]·(above 0), summed over j: some j is seen."""
    if len(binders) != 1 or len(body.terms) != 1:
        return False
    ((monomial, coefficient),) = body.terms.items()
    masks = [a for a, _ in monomial if isinstance(a, Entry) and a.array in known.seeing]
    if len(masks) != 1 or str(masks[0].index[-1]) != binders[0][0] or coefficient <= 0:
        return False
    return all(_atom_above_zero(a, known) for a, _ in monomial if a is not masks[0])
