"""Functions applied element by element: one table row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...dims import Relation, Size
from ...dims.dim import floordiv, terms_of
from ...terms import Indicator, Term, as_term, function, indicator, one, zero
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
        types = [n.dtype for n in node.inputs]
        if self.function == "cast":
            return cast(arguments[0], types[0], node.dtype)
        name = OF_TRUTHS.get(self.function, self.function) if all(t == np.bool_ for t in types) else self.function
        if name in LOGIC:
            arguments = [truth(a, t) for a, t in zip(arguments, types, strict=True)]
        elif name == "select":
            arguments[0] = truth(arguments[0], types[0])
        elif name in COMPARED and len(arguments) == 2:
            found = _of_truth_values(name, arguments, node.inputs)
            if found is not None:
                return found
        elif name == "reciprocal" and node.dtype.kind in "iu":
            name = "integer reciprocal"  # 1 // x, which the law of 1 / x does not hold for
        rule = MEANING.get(name)
        return rule(*arguments) if rule is not None else function(name, *arguments)

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


def _of_truth_values(name: str, arguments: list[Term], inputs: tuple[Node, ...]) -> Term | None:
    """A comparison of truth values, or of a function of a few, with a number: `mask == 0` is not mask.

    Law: f is what it is at 0 and at 1, each weighed by whether the truth value is 0 or 1.
    """
    for place in (0, 1):
        term, number = arguments[place], arguments[1 - place].number
        if number is None or term.number is not None:
            continue

        def holds(value: Term, number: Any = number, place: int = place) -> Term:
            pair = (value, as_term(number))
            return MEANING[name](*(pair if place == 0 else pair[::-1]))

        if is_truth(inputs[place]):
            return (one - term) * holds(zero) + term * holds(one)
        if all(isinstance(a, Indicator) for a in term.atoms) and len(set(map(str, term.atoms))) <= MAX_TRUTHS:
            return _cases(term, holds)
    return None


MAX_TRUTHS = 4
COMPARED = frozenset({"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"})


def _cases(term: Term, holds: Callable[[Term], Term]) -> Term:
    """The sum over what each truth value of the term may be, of the answer there."""
    atom = next(iter(term.atoms), None)
    if atom is None:
        return holds(term)
    known = Term({((atom, 1),): 1})
    return (one - known) * _cases(_with(term, atom, zero), holds) + known * _cases(_with(term, atom, one), holds)


def _with(term: Term, atom: Any, value: Term) -> Term:
    total = zero
    for monomial, coefficient in term.terms.items():
        product = Term({tuple((a, p) for a, p in monomial if a != atom): coefficient})
        total = total + (product * value if any(a == atom for a, _ in monomial) else product)
    return total


def is_truth(node: Node) -> bool:
    """Whether every element is 0 or 1: truth values, maybe as another element type or in another shape."""
    from .broadcast import Broadcast
    from .reshape import Reshape
    from .transpose import Transpose

    while node.dtype != np.bool_:
        op = node.op
        if not (
            isinstance(op, (Reshape, Transpose, Broadcast)) or (isinstance(op, Elementwise) and op.function in SAME)
        ):
            return False
        node = node.inputs[0]
    return True


SAME = frozenset({"cast", "copy"})


def _relation(op: str, left: Term, right: Term) -> Relation | bool:
    difference = left - right
    value = difference.number
    if value is not None:
        return {"==": value == 0, "!=": value != 0, "<": value < 0, "<=": value <= 0}[op]
    return Relation(op, left.size, right.size)


def truth(term: Term, dtype: np.dtype[Any]) -> Term:
    """1 where a value counts as true, else 0."""
    return term if dtype == np.bool_ else MEANING["not_equal"](term, zero)


def cast(term: Term, before: np.dtype[Any], after: np.dtype[Any]) -> Term:
    """The value as another element type has it; rounding and overflow are left out, as everywhere."""
    if after == np.bool_:
        return truth(term, before)
    if after.kind in "iu" and before.kind == "f" and term.size is None:
        return function("trunc", term)
    return term


def _of_sizes(name: str, rule: Callable[[Size, Size], Size]) -> Callable[[Term, Term], Term]:
    def meaning(left: Term, right: Term) -> Term:
        if left.size is not None and right.size is not None and terms_of(right.size):
            return as_term(rule(left.size, right.size))
        return function(name, left, right)

    return meaning


LOGIC = frozenset({"logical_and", "logical_or", "logical_xor", "logical_not"})
OF_TRUTHS: Mapping[str, str] = {
    "add": "logical_or",
    "multiply": "logical_and",
    "maximum": "logical_or",
    "minimum": "logical_and",
    "bitwise_or": "logical_or",
    "bitwise_and": "logical_and",
    "bitwise_xor": "logical_xor",
    "invert": "logical_not",
}
"""What NumPy's arithmetic is on arrays of booleans; on other arrays it is itself."""

MEANING: Mapping[str, Callable[..., Term]] = {
    "logical_and": lambda a, b: a * b,
    "logical_or": lambda a, b: a + b - a * b,
    "logical_xor": lambda a, b: a + b - 2 * a * b,
    "logical_not": lambda a: one - a,
    "copy": lambda a: a,
    "equal": _compared("=="),
    "not_equal": _compared("!="),
    "less": _compared("<"),
    "less_equal": _compared("<="),
    "greater": _compared("<", swapped=True),
    "greater_equal": _compared("<=", swapped=True),
    "floor_divide": _of_sizes("floor_divide", floordiv),
    "remainder": _of_sizes("remainder", lambda a, b: a - b * floordiv(a, b)),
}


def run_function(name: str) -> Callable[..., Any]:
    """The NumPy function that a row names."""
    if name == "select":
        return np.where
    if name == "cast":
        return lambda a: a
    return getattr(np, name)
