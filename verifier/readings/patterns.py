"""Shapes of computation that the axes reading knows: softmax, standardisation, triangular masks, additive masks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ..dims import Size, is_dim
from ..frontends.numpy.lower import KEPT
from ..graph.node import Node
from ..graph.ops import Broadcast, Constant, Contraction, Elementwise, Input, Reduction, Reshape
from ..terms import Term

HIDING = -1_000.0
"""A score below this is meant to hide."""


@dataclass(frozen=True)
class Triangle:
    """Kept are the columns up to row + offset (lower), or from there on (not lower)."""

    row: int
    column: int
    offset: Size
    lower: bool


@dataclass
class Patterns:
    """Pattern matching with value numbering: two nodes that compute the same count as one."""

    numbers: dict[int, int] = field(default_factory=lambda: dict[int, int]())
    table: dict[object, int] = field(default_factory=lambda: dict[object, int]())
    known_varying: dict[int, set[int]] = field(default_factory=lambda: dict[int, set[int]]())

    def number(self, node: Node) -> int:
        known = self.numbers.get(id(node))
        if known is None:
            op = node.op
            parameters: object = id(op) if isinstance(op, (Constant, Input)) or op.title == "opaque" else str(op)
            if isinstance(op, Constant) and not isinstance(op.value, np.ndarray):
                parameters = str(op.value)
            if isinstance(op, Input):
                parameters = op.name
            key = (type(op).__name__, parameters, tuple(self.number(n) for n in node.inputs))
            known = self.numbers[id(node)] = self.table.setdefault(key, len(self.table))
        return known

    def same(self, left: Node, right: Node) -> bool:
        return self.number(left) == self.number(right)

    # -- normalisations -----------------------------------------------------------------------

    def normalised_over(self, node: Node) -> tuple[int, ...] | None:
        """The axes A where the node is x / sum(x over A)."""
        top, bottom = node.inputs
        found = reduced(bottom, len(node.shape))
        if found is None:
            return None
        reduction, axes = found
        assert isinstance(reduction.op, Reduction)
        if reduction.op.kind == "sum" and self.same(plain(reduction.inputs[0]), plain(top)):
            return axes
        return None

    def standardised_over(self, node: Node) -> tuple[int, ...] | None:
        """The axes A where the node is divided by the square root of a mean over A, or multiplied by one over it."""
        assert isinstance(node.op, Elementwise)
        if node.op.function != "multiply":
            axes, rooted, inverted = root_chain(node.inputs[1], len(node.shape))
            return axes if rooted and not inverted else None
        for operand in node.inputs:
            axes, rooted, inverted = root_chain(operand, len(node.shape))
            if axes is not None and rooted and inverted:
                return axes
        return None

    def vector_input(self, node: Node) -> str | None:
        """The name of an input of one axis, where the node is it."""
        node = plain(node)
        if isinstance(node.op, Input) and len(node.shape) == 1:
            return node.op.name
        return None

    # -- masks --------------------------------------------------------------------------------

    def shifts(self, exponentials: Node) -> Iterator[tuple[Node, Node]]:
        """What is added to, or selected into, the scores under a softmax: (the node that does it, the mask)."""
        node = plain(exponentials)
        if not (isinstance(node.op, Elementwise) and node.op.function == "exp"):
            return
        todo = [node.inputs[0]]
        for _ in range(24):
            if not todo:
                return
            node = plain(todo.pop())
            if not isinstance(node.op, Elementwise):
                continue
            if node.op.function == "subtract" and reduced(node.inputs[1], len(node.shape)) is not None:
                todo.append(node.inputs[0])
            elif node.op.function in ("add", "subtract"):
                for operand in node.inputs:
                    yield node, operand
                todo += node.inputs
            elif node.op.function == "select" and any(is_hiding(n) for n in node.inputs[1:]):
                yield node, node.inputs[0]
                todo += [n for n in node.inputs[1:] if not is_hiding(n)]

    def varying(self, node: Node) -> set[int]:
        """The axes along which an operand is not repeated, where it is repeated along some; none for a scalar."""
        known = self.known_varying.get(id(node))
        if known is None:
            known = self.known_varying[id(node)] = self._varying(node)
        return known

    def _varying(self, node: Node) -> set[int]:
        node = plain(node)
        own = set(range(len(node.shape)))
        while isinstance(node.op, (Broadcast, Elementwise)):
            if isinstance(node.op, Broadcast):
                lead = len(node.shape) - len(node.inputs[0].shape)
                kept = {i + lead for i, s in enumerate(node.op.stretched) if not s}
                return {i for i in own & kept if str(node.shape[i]) != "1"}
            inner = [n for n in node.inputs if not isinstance(scalar(n).op, Constant)]
            if len(inner) != 1:
                union: set[int] = set()
                for n in inner:
                    union |= self.varying(n)
                return union & own
            node = plain(inner[0])
        return {i for i in own if str(node.shape[i]) != "1"}

    def kept_triangle(self, node: Node) -> tuple[Triangle, Node] | None:
        """The triangle of scores that a mask keeps, and the scores; None where the node masks nothing."""
        op = node.op
        assert isinstance(op, Elementwise)
        if op.function == "select":
            condition, then, otherwise = node.inputs
            found = self.triangle(condition)
            if found is not None and is_hiding(otherwise) and not is_constant(then):
                return found, then
            if found is not None and is_hiding(then) and not is_constant(otherwise):
                return complement(found), otherwise
        if op.function == "add":
            for mask, scores in (node.inputs, node.inputs[::-1]):
                inner = plain(mask)
                if isinstance(inner.op, Broadcast):
                    lead = len(inner.shape) - len(inner.inputs[0].shape)
                    inner = plain(inner.inputs[0])
                else:
                    lead = 0
                if isinstance(inner.op, Elementwise) and inner.op.function == "select":
                    condition, then, otherwise = inner.inputs
                    found = self.triangle(condition)
                    if found is None or is_constant(scores):
                        continue
                    found = Triangle(found.row + lead, found.column + lead, found.offset, found.lower)
                    if is_hiding(otherwise):
                        return found, scores
                    if is_hiding(then):
                        return complement(found), scores
        return None

    def triangle(self, node: Node) -> Triangle | None:
        """The part of a mask that is True, where it is all on one side of a diagonal."""
        node = plain(node)
        op = node.op
        if isinstance(op, Broadcast):
            inner = self.triangle(node.inputs[0])
            lead = len(node.shape) - len(node.inputs[0].shape)
            if inner is None or any(op.stretched[i] for i in (inner.row, inner.column)):
                return None
            return Triangle(inner.row + lead, inner.column + lead, inner.offset, inner.lower)
        if not isinstance(op, Elementwise):
            return None
        if op.function in ("logical_not", "invert"):
            inner = self.triangle(node.inputs[0])
            return None if inner is None else complement(inner)
        if op.function == "select":
            chosen = (constant_of(node.inputs[1]), constant_of(node.inputs[2]))
            inner = self.triangle(node.inputs[0]) if chosen in ((1, 0), (0, 1)) else None
            return inner if inner is None or chosen == (1, 0) else complement(inner)
        against = constant_of(node.inputs[1]) if len(node.inputs) == 2 else None
        if against in (0, 1) and op.function in ("equal", "not_equal", "greater"):
            inner = self.triangle(node.inputs[0])
            if inner is None or (op.function == "greater" and against == 1):
                return None
            return inner if (op.function == "equal") == (against == 1) else complement(inner)
        if op.function in COMPARISONS and len(node.inputs) == 2:
            left, right = (position(n) for n in node.inputs)
            if left is None or right is None or left[0] == right[0]:
                return None
            return compared(op.function, left, right)
        return None


COMPARISONS = ("greater_equal", "greater", "less_equal", "less")


def compared(function: str, left: tuple[int, Size], right: tuple[int, Size]) -> Triangle:
    """left + a (>=) right + b, with the earlier axis as rows."""
    if function in ("less_equal", "less"):
        function = {"less_equal": "greater_equal", "less": "greater"}[function]
        left, right = right, left
    strict = 1 if function == "greater" else 0
    slack = left[1] - right[1] - strict  # left + slack >= right
    if left[0] < right[0]:
        return Triangle(left[0], right[0], slack, lower=True)
    return Triangle(right[0], left[0], -slack, lower=False)


def complement(triangle: Triangle) -> Triangle:
    """not (column <= row + k) is column >= row + k + 1."""
    shift = 1 if triangle.lower else -1
    return Triangle(triangle.row, triangle.column, triangle.offset + shift, not triangle.lower)


def root_chain(node: Node, rank: int) -> tuple[tuple[int, ...] | None, bool, bool]:
    """The axes of a reduction under functions of one array, and whether a root and a reciprocal are among them."""
    rooted = inverted = False
    for _ in range(12):
        found = reduced(node, rank)
        if found is not None:
            return found[1], rooted, inverted
        op = node.op
        if isinstance(op, Elementwise):
            inner = [n for n in node.inputs if not isinstance(scalar(n).op, Constant)]
            if len(inner) != 1:
                break
            exponent = constant_of(node.inputs[1]) if op.function == "power" else None
            rooted |= op.function == "sqrt" or exponent in (0.5, -0.5)
            inverted ^= op.function == "reciprocal" or exponent in (-0.5, -1.0)
            inverted ^= op.function in ("divide", "true_divide") and inner[0] is not node.inputs[0]
            node = inner[0]
        elif isinstance(op, Broadcast) and len(node.inputs[0].shape) == len(node.shape):
            node = node.inputs[0]
        else:
            break
    return None, rooted, inverted


def plain(node: Node) -> Node:
    """The node without casts and copies."""
    while isinstance(node.op, Elementwise) and node.op.function in ("cast", "copy"):
        node = node.inputs[0]
    return node


def is_explicit(node: Node) -> bool:
    """Whether its axes of one were put there on purpose, by None or expand_dims; keepdims is not that."""
    todo, seen = [node], set[int]()
    while todo:
        node = plain(todo.pop())
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node.op, Reshape):
            if node.label != KEPT:
                return True
        elif isinstance(node.op, (Elementwise, Broadcast)):
            todo += node.inputs
        elif not isinstance(node.op, (Input, Contraction, Reduction)):
            return True
    return False


def scalar(node: Node) -> Node:
    node = plain(node)
    while isinstance(node.op, Broadcast):
        node = plain(node.inputs[0])
    return node


def is_constant(node: Node) -> bool:
    return isinstance(scalar(node).op, Constant)


def constant_of(node: Node) -> float | None:
    """The one number that all elements are."""
    inner = scalar(node)
    if not isinstance(inner.op, Constant):
        return None
    value = inner.op.value
    if isinstance(value, np.ndarray) or is_dim(value):
        return None
    if type(value) is Term:
        text = str(value)
        return {"-inf": -np.inf, "inf": np.inf}.get(text, None if value.number is None else float(value.number))
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def is_hiding(node: Node) -> bool:
    value = constant_of(node)
    return value is not None and value <= HIDING


def reduced(node: Node, rank: int) -> tuple[Node, tuple[int, ...]] | None:
    """A reduction and its axes, where the node is it, with the axes kept as ones or put back."""
    node = plain(node)
    while isinstance(node.op, Broadcast) and len(node.inputs[0].shape) == rank:
        node = plain(node.inputs[0])
    if isinstance(node.op, Reshape) and isinstance(plain(node.inputs[0]).op, Reduction):
        node = plain(node.inputs[0])
    elif isinstance(node.op, Broadcast) and isinstance(plain(node.inputs[0]).op, Reduction):
        inner = plain(node.inputs[0])
        assert isinstance(inner.op, Reduction)
        lead = rank - len(inner.shape)  # only the leading axes may be missing: they come back where they were
        if len(inner.inputs[0].shape) == rank and inner.op.axes == tuple(range(lead)):
            return inner, inner.op.axes
        return None
    if isinstance(node.op, Reduction) and len(node.inputs[0].shape) == rank:
        return node, node.op.axes
    return None


def position(node: Node) -> tuple[int, Size] | None:
    """The axis along which the values count up by one, and the value at its start."""
    node = plain(node)
    op = node.op
    if op.title == "iota":
        return 0, 0
    if isinstance(op, Broadcast):
        inner = position(node.inputs[0])
        lead = len(node.shape) - len(node.inputs[0].shape)
        return None if inner is None else (inner[0] + lead, inner[1])
    if isinstance(op, Reshape):
        inner = position(node.inputs[0])
        if inner is None or len(node.inputs[0].shape) != 1:
            return None
        places = [i for i, s in enumerate(node.shape) if str(s) != "1"]
        return (places[0], inner[1]) if len(places) == 1 else None
    if isinstance(op, Elementwise) and op.function in ("add", "subtract"):
        left, right = node.inputs
        for first, second, sign in ((left, right, 1), (right, left, 1)):
            shift = size_of(second)
            inner = None if shift is None else position(first)
            if inner is not None and shift is not None and (op.function == "add" or first is left):
                return inner[0], inner[1] + shift * (1 if op.function == "add" else -1) * sign
    return None


def size_of(node: Node) -> Size | None:
    """The size that all elements are, where they are one."""
    inner = scalar(node)
    if not isinstance(inner.op, Constant):
        return None
    value = inner.op.value
    if type(value) is Term:
        return value.size
    from ..dims import is_dim

    return value if is_dim(value) or type(value) is int else None
