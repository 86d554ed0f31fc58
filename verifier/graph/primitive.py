"""What every primitive says of itself: shape, cost, meaning, and what it does to real arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self, cast

import numpy as np

from ..dims import Size, is_dim, symbol
from ..dims.dim import evaluate
from ..terms import Entry, Term
from ..terms.evaluate import evaluate as evaluate_term
from ..terms.ranges import fresh_index
from .node import Node, Shape


@dataclass(frozen=True)
class Cost:
    """Floating-point operations; a multiply-add is 2, every other arithmetic operation or function is 1.

    `matmul` counts matrix products alone, `other` everything else.
    """

    matmul: Size = 0
    other: Size = 0

    def __add__(self, further: Cost) -> Cost:
        return Cost(self.matmul + further.matmul, self.other + further.other)

    @property
    def total(self) -> Size:
        return self.matmul + self.other


@dataclass
class Meaning:
    """How a primitive asks for its inputs' elements while it says what its own are.

    `element(node, index)` is the term of one element; `ranges` knows every index's size.
    """

    element: Callable[[Node, Shape], Term]
    ranges: dict[str, Size]

    def index(self, size: Size) -> Size:
        """A fresh index over that many values."""
        name = fresh_index()
        self.ranges[name] = size
        return symbol(name)


@dataclass(frozen=True)
class Primitive:
    """One operation on arrays, with its parameters as fields."""

    title: ClassVar[str]

    def shape(self, *inputs: Shape) -> Shape:
        """The result's shape; states what must hold by `require`."""
        raise NotImplementedError

    def cost(self, node: Node) -> Cost:
        """FLOPs of making the node from its inputs; rearranging elements is free."""
        return Cost()

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        """The node's element at an index, in terms of its inputs' elements."""
        raise NotImplementedError

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        """The operation on real arrays; parameters must be plain numbers (see `at`)."""
        raise NotImplementedError

    def at(self, sizes: Mapping[str, int]) -> Self:
        """The same primitive with symbolic parameters replaced by numbers."""
        return replace(self, **{f.name: _bind(getattr(self, f.name), sizes) for f in fields(self)})


def _bind(value: Any, sizes: Mapping[str, int]) -> Any:
    if is_dim(value):
        return evaluate(value, sizes)
    if type(value) is Term and not any(isinstance(a, Entry) for a in value.atoms):
        return evaluate_term(value, sizes, {})
    if type(value) is tuple:
        return tuple(_bind(v, sizes) for v in value)
    return value


def element_term(node: Node, index: Shape, ranges: dict[str, Size] | None = None) -> Term:
    """The term of one element of a node, read off its graph; `ranges` knows the sizes of the indices used."""

    def element(inner: Node, at: Shape) -> Term:
        return inner.op.element(inner, at, meaning)

    meaning = Meaning(element, {} if ranges is None else ranges)
    return element(node, index)


def plain(shape: Shape) -> tuple[int, ...]:
    """The sizes of a primitive that `at` has bound: numbers, all of them."""
    return cast(tuple[int, ...], shape)


def elements(shape: Shape) -> Size:
    """How many elements an array of that shape has."""
    count: Size = 1
    for extent in shape:
        count = count * extent
    return count


def is_floating(node: Node) -> bool:
    """Whether work on the node's elements counts as floating-point."""
    return node.dtype.kind in "fc"
