"""What a term is made of besides sizes: entries of inputs, functions, sums and other folds, indicators."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..dims import Size

if TYPE_CHECKING:
    from .term import Term


class Atom:
    """An indivisible factor; equal when it prints the same, which the normal form makes canonical."""

    positive = False
    """Whether its value is not negative whatever the inputs are."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return self.text

    @cached_property
    def text(self) -> str:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Entry(Atom):
    """One element of an input array: `W_Q[h, i, k]`."""

    array: str
    index: tuple[Size, ...]

    @cached_property
    def text(self) -> str:
        return f"{self.array}[{', '.join(map(str, self.index))}]"

    __str__ = Atom.__str__


@dataclass(frozen=True, eq=False)
class Call(Atom):
    """A function that the normal form knows nothing about: `tanh(x)`."""

    function: str
    arguments: tuple[Term, ...]

    @cached_property
    def text(self) -> str:
        return f"{self.function}({', '.join(map(str, self.arguments))})"

    __str__ = Atom.__str__


@dataclass(frozen=True, eq=False)
class Exponential(Atom):
    """exp of a single product with coefficient one; sums of exponents are products of these."""

    exponent: Term
    positive = True

    @cached_property
    def text(self) -> str:
        return f"exp({self.exponent})"

    __str__ = Atom.__str__


@dataclass(frozen=True, eq=False)
class Group(Atom):
    """A sum that stands under a power other than a natural one: `(a + b)**(-1)`."""

    term: Term

    @cached_property
    def text(self) -> str:
        return f"({self.term})"

    @property
    def positive(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.term.is_positive

    __str__ = Atom.__str__


@dataclass(frozen=True, eq=False)
class Fold(Atom):
    """A sum or maximum over bound indices: kind, ((index, size), ...), body."""

    kind: str
    binders: tuple[tuple[str, Size], ...]
    body: Term

    @cached_property
    def text(self) -> str:
        bound = ", ".join(f"{name}<{size}" for name, size in self.binders)
        return f"{self.kind}[{bound}]({self.body})"

    @property
    def positive(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.body.is_positive

    __str__ = Atom.__str__


@dataclass(frozen=True, eq=False)
class Indicator(Atom):
    """1 where a relation of sizes and indices holds, else 0."""

    op: str
    left: Size
    right: Size
    positive = True

    @cached_property
    def text(self) -> str:
        return f"[{self.left} {self.op} {self.right}]"

    __str__ = Atom.__str__
