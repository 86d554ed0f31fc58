"""Relations that leave a size only a few values: whether any of them fits, by trying them all.

Law: `2 % g == 0` leaves 1 and 2 for g. Where all sizes of some of the relations are bounded, and no choice of values
satisfies these, nothing satisfies all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod

from ..dims import Relation, identical, is_dim
from ..dims.dim import floordiv, floors_of, symbols_of, terms_of
from .search import true_at

MAX_CHOICES = 4_000


def without_model(relations: Iterable[Relation], least: Mapping[str, int]) -> bool:
    """Whether relations contradict each other at every value that they leave to bounded sizes; False says nothing."""
    sized = [r for r in relations if all(is_dim(s) or type(s) is int for s in (r.left, r.right))]
    most: dict[str, int] = {}
    for relation in sized:
        found = _bound(relation)
        if found is not None and found[0] in least:
            most[found[0]] = min(found[1], most.get(found[0], found[1]))
    chosen = [r for r in sized if (n := _names(r)) and n <= most.keys()]
    names = sorted({n for r in chosen for n in _names(r)})
    ranges = [range(least[n], most[n] + 1) for n in names]
    if not chosen or prod(map(len, ranges)) > MAX_CHOICES:
        return False
    return not any(
        all(true_at(r, dict(zip(names, values, strict=True))) for r in chosen) for values in product(*ranges)
    )


def _names(relation: Relation) -> frozenset[str]:
    return frozenset().union(*(symbols_of(s) for s in (relation.left, relation.right) if is_dim(s)))


def _bound(relation: Relation) -> tuple[str, int] | None:
    """A size and the most that it can be by one relation: a divisor of a number, or what is said outright."""
    difference = relation.right - relation.left
    if not is_dim(difference):
        return None
    if relation.op == "==":
        for atom in floors_of(difference):
            if type(atom.numerator) is not int or atom.numerator <= 0 or not is_dim(atom.denominator):
                continue
            remainder = atom.numerator - atom.denominator * floordiv(atom.numerator, atom.denominator)
            name = str(atom.denominator)
            if name in symbols_of(atom.denominator) and (
                identical(difference, remainder) or identical(difference, -remainder)
            ):
                return name, atom.numerator
        return None
    if relation.op not in ("<", "<="):
        return None
    terms = dict(terms_of(difference))
    constant = terms.pop((), 0)
    ((monomial, coefficient),) = terms.items() if len(terms) == 1 else (((), 0),)
    if coefficient == -1 and len(monomial) == 1 and monomial[0][1] == 1 and isinstance(monomial[0][0], str):
        return monomial[0][0], int(constant) - (1 if relation.op == "<" else 0)
    return None
