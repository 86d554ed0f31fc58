"""The value of a term at concrete sizes and arrays, straight from its definition: no rewriting, no SymPy.

The second evaluator: whatever the normal form claims, this confirms or refutes on numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from itertools import product
from typing import Any
from zlib import crc32

import numpy as np

from ..dims import Dim, FloorDiv, Lookup, Relation, Size
from ..dims import dim as dims
from ..dims.relation import HOLDS
from .atoms import Call, Entry, Exponential, Fold, Group, Indicator
from .term import Term

FOLDS: Mapping[str, Callable[[list[float]], float]] = {
    "sum": lambda values: float(sum(values)),
    "product": lambda values: reduce(lambda a, b: a * b, values, 1.0),
    "max": lambda values: max(values, default=np.nan),
    "min": lambda values: min(values, default=np.nan),
    "any": lambda values: float(any(values)),
    "all": lambda values: float(all(values)),
}

OF_INTEGERS = frozenset(
    {"bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift", "gcd", "lcm"}
)


def evaluate(
    term: Term,
    sizes: Mapping[str, int],
    arrays: Mapping[str, np.ndarray],
    indices: Mapping[str, int] | None = None,
) -> float:
    """The term where size symbols, index symbols and inputs have these values.

    NaN where it is undefined, as an entry outside its array is, and a maximum of nothing.

    A product with an indicator of 0 is 0, whatever its other factors are: they may not exist there.

    Raises:
        KeyError: a symbol or an input without a value.
        ValueError: a function that NumPy does not have.
    """
    with np.errstate(all="ignore"):
        return float(_Evaluation({**sizes, **(indices or {})}, arrays).term(term))


class _Evaluation:
    def __init__(self, names: Mapping[str, int], arrays: Mapping[str, np.ndarray]) -> None:
        self.names = names
        self.arrays = arrays

    def size(self, size: Size) -> int:
        return dims.evaluate(size, self.names, self.read)

    def read(self, name: str, index: tuple[int, ...]) -> int:
        """What an array of places holds; an index outside it has no place."""
        array = self.arrays[name]
        if not all(0 <= i < n for i, n in zip(index, array.shape, strict=True)):
            raise IndexError(f"{name} has no place {index}")
        return int(array[index])

    def term(self, term: Term) -> np.float64:
        total = np.float64(0)
        for monomial, coefficient in term.terms.items():
            total = total + self.monomial(monomial) * np.float64(float(coefficient))
        return total

    def monomial(self, monomial: Any) -> np.float64:
        value = np.float64(1)
        for atom, exponent in sorted(monomial, key=lambda item: not isinstance(item[0], Indicator)):
            try:
                factor = self.atom(atom)
            except IndexError:
                factor = np.float64(np.nan)
            value = value * factor ** np.float64(float(exponent))
            if isinstance(atom, Indicator) and value == 0:
                return value
        return value

    def atom(self, atom: Any) -> np.float64:
        match atom:
            case str():
                return np.float64(self.names[atom])
            case FloorDiv() | Lookup():
                return np.float64(self.size(Dim({((atom, 1),): 1})))
            case Entry():
                return self.entry(atom)
            case Exponential():
                return np.exp(self.term(atom.exponent))
            case Group():
                return self.term(atom.term)
            case Indicator():
                relation = Relation(atom.op, self.size(atom.left), self.size(atom.right))
                return np.float64(HOLDS[relation.op](relation.left, relation.right))
            case Fold():
                return self.fold(atom)
            case Call():
                return self.call(atom)
            case _:
                raise TypeError(f"{atom!r} is no atom")

    def entry(self, atom: Entry) -> np.float64:
        array = self.arrays[atom.array]
        place = tuple(map(self.size, atom.index))
        if len(place) != array.ndim or not all(0 <= i < n for i, n in zip(place, array.shape, strict=True)):
            # Terms take arrays to have some value everywhere: guards must make it cancel, whatever it is.
            return np.float64(0.25 + crc32(f"{atom.array}{place}".encode()) % 1021 / 1024)
        return np.float64(array[place])

    def fold(self, atom: Fold) -> np.float64:
        ranges = [range(self.size(size)) for _, size in atom.binders]
        values: list[float] = []
        for place in product(*ranges):
            bound = {name: i for (name, _), i in zip(atom.binders, place, strict=True)}
            values.append(_Evaluation({**self.names, **bound}, self.arrays).term(atom.body))
        return np.float64(FOLDS[atom.kind](values))

    def call(self, atom: Call) -> np.float64:
        if atom.function == "inf":
            return np.float64(np.inf)
        if atom.function == "select":  # the side that is not chosen need not exist
            condition, then, otherwise = atom.arguments
            return self.term(then if self.term(condition) else otherwise)
        arguments = [self.term(a) for a in atom.arguments]
        if atom.function in HOLDS:
            return np.float64(HOLDS[atom.function](*arguments))
        if atom.function in OF_INTEGERS:
            return np.float64(getattr(np, atom.function)(*map(int, arguments)))
        if atom.function == "integer reciprocal":
            return np.float64(np.reciprocal(np.int64(arguments[0])))
        function = getattr(np, atom.function, None)
        if isinstance(function, np.ufunc):
            return np.float64(function(*arguments))
        raise ValueError(f"no value is known for {atom}")
