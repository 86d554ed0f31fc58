"""Functions applied element by element: one table row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...dims import Relation
from ...terms import Term, as_term, function, indicator, one
from ..node import Node, Shape, require
from ..primitive import Cost, Meaning, Primitive, elements, is_floating


@dataclass(frozen=True)
class Elementwise(Primitive):
    """A function of one element of each input; the inputs have one shape (broadcasts are nodes of their own).

    Cost: one operation an element where numbers are floating-point, nothing for choosing, casting or logic.
    """

    function: str
    title: ClassVar[str] = "elementwise"

    def shape(self, *inputs: Shape) -> Shape:
        first, *others = inputs
        for other in others:
            require(len(other) == len(first), f"{self.function} of arrays of different rank")
            for a, b in zip(first, other, strict=True):
                require(a == b, f"{self.function} of arrays of one shape")
        return first

    def cost(self, node: Node) -> Cost:
        if self.function in FREE or not any(map(is_floating, (node, *node.inputs))):
            return Cost()
        return Cost(other=elements(node.shape))

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        arguments = [meaning.element(n, index) for n in node.inputs]
        rule = MEANING.get(self.function)
        return rule(*arguments) if rule is not None else function(self.function, *arguments)

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        return run_function(self.function)(*arrays)


FREE = frozenset(
    {"select", "cast", "logical_and", "logical_or", "logical_not", "logical_xor", "copy", "isnan", "isinf"}
)


def _compared(op: str, swapped: bool = False) -> Callable[[Term, Term], Term]:
    def meaning(left: Term, right: Term) -> Term:
        a, b = (right, left) if swapped else (left, right)
        if a.size is not None and b.size is not None:
            return indicator(_relation(op, a, b))
        return function(op, a, b)

    return meaning


def _relation(op: str, left: Term, right: Term) -> Relation | bool:
    difference = left - right
    value = difference.number
    if value is not None:
        return {"==": value == 0, "!=": value != 0, "<": value < 0, "<=": value <= 0}[op]
    return Relation(op, left.size, right.size)


MEANING: Mapping[str, Callable[..., Term]] = {
    "logical_and": lambda a, b: a * b,
    "logical_or": lambda a, b: a + b - a * b,
    "logical_not": lambda a: one - a,
    "bitwise_and": lambda a, b: a * b,
    "bitwise_or": lambda a, b: a + b - a * b,
    "invert": lambda a: one - a,
    "cast": lambda a: a,
    "copy": lambda a: a,
    "equal": _compared("=="),
    "not_equal": _compared("!="),
    "less": _compared("<"),
    "less_equal": _compared("<="),
    "greater": _compared("<", swapped=True),
    "greater_equal": _compared("<=", swapped=True),
    "floor_divide": lambda a, b: (
        as_term(a.size // b.size) if a.size is not None and b.size is not None else function("floor_divide", a, b)
    ),
    "remainder": lambda a, b: (
        as_term(a.size % b.size) if a.size is not None and b.size is not None else function("remainder", a, b)
    ),
}


def run_function(name: str) -> Callable[..., Any]:
    """The NumPy function that a row names."""
    if name == "select":
        return np.where
    if name == "cast":
        return lambda a: a
    return getattr(np, name)
