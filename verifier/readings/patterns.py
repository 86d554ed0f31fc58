"""Shapes of computation that the axes reading knows: softmax, standardisation, counted places."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..dims import Size, is_dim
from ..frontends.numpy.lower import KEPT
from ..graph.node import Node
from ..graph.ops import Broadcast, Constant, Contraction, Elementwise, Input, Reduction, Reshape
from ..terms import Term

HIDING = -1_000.0
"""A score below this is meant to hide."""


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
