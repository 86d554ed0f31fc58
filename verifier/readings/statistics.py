"""Means, maxima and variances of an array, kept on their own axes: what normalisations are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..graph.node import Node
from ..graph.ops import Broadcast, Elementwise, Reduction, Reshape
from .patterns import constant_of, is_constant, plain
from .provenance import is_one

if TYPE_CHECKING:
    from .patterns import Patterns

DIVIDE = ("divide", "true_divide")


@dataclass(frozen=True)
class Statistic:
    """A mean, maximum or sum of an array over some of its axes, one for each of the others."""

    kind: str
    of: Node
    axes: frozenset[int]

    @property
    def true_axes(self) -> frozenset[int]:
        """Those along which there is more than one element."""
        return frozenset(a for a in self.axes if not is_one(self.of.shape[a]))


def statistic(node: Node) -> Statistic | None:
    """A mean or maximum that is lined up with the array it is of."""
    rank, node = len(node.shape), unstretched(node)
    placed, divided = node, False
    for _ in range(8):
        node = plain(node)
        op = node.op
        if isinstance(op, Reshape):
            node = node.inputs[0]
        elif isinstance(op, Elementwise) and op.function in DIVIDE and is_constant(node.inputs[1]):
            divided, node = True, node.inputs[0]
        elif isinstance(op, Elementwise) and op.function == "multiply" and any(map(is_constant, node.inputs)):
            divided, node = True, next((n for n in node.inputs if not is_constant(n)), node.inputs[0])
        else:
            break
    found = reduction(node, placed, rank)
    if found is None or divided != (found.kind == "sum"):
        return None
    return Statistic("mean", found.of, found.axes) if divided else found


def variance(patterns: Patterns, node: Node) -> Statistic | None:
    """What a root of a variance, or one over it, is the variance of."""
    rank, node = len(node.shape), unstretched(node)
    placed, rooted = node, False
    for _ in range(12):
        node = plain(node)
        op = node.op
        if isinstance(op, Reshape):
            node = node.inputs[0]
        elif isinstance(op, Elementwise):
            inner = [n for n in node.inputs if not is_constant(n)]
            if len(inner) != 1:
                return None
            rooted |= op.function == "sqrt" or (
                op.function == "power" and inner[0] is node.inputs[0] and constant_of(node.inputs[1]) in (0.5, -0.5)
            )
            node = inner[0]
        else:
            break
    found = reduction(node, placed, rank)
    if found is None or found.kind != "sum" or not rooted:
        return None
    centred = root_of_square(patterns, found.of)
    centre = None if centred is None else centred_by(centred)
    if centred is None or centre is None or centre.kind != "mean" or centre.axes != found.axes:
        return None
    array = plain(centred.inputs[0])
    return Statistic("variance", array, found.axes) if patterns.same(array, centre.of) else None


def centred_by(node: Node) -> Statistic | None:
    """The statistic that a node takes off an array."""
    node = plain(node)
    if not (isinstance(node.op, Elementwise) and node.op.function == "subtract"):
        return None
    return statistic(node.inputs[1])


def root_of_square(patterns: Patterns, node: Node) -> Node | None:
    node = plain(node)
    if not isinstance(node.op, Elementwise):
        return None
    function, first = node.op.function, plain(node.inputs[0])
    if function == "square" or (function == "power" and constant_of(node.inputs[1]) == 2):
        return first
    if function == "multiply" and patterns.same(first, plain(node.inputs[1])):
        return first
    return None


def reduction(node: Node, placed: Node, rank: int) -> Statistic | None:
    """The node as a reduction, where what was made of it stands on the axes that are left."""
    node = plain(node)
    if not isinstance(node.op, Reduction):
        return None
    array, axes = plain(node.inputs[0]), frozenset(node.op.axes)
    if len(array.shape) != rank:
        return None
    wanted = ["1" if i in axes else str(s) for i, s in enumerate(array.shape)]
    here = ["1"] * (rank - len(placed.shape)) + [str(s) for s in placed.shape]
    return Statistic(node.op.kind, array, axes) if wanted == here else None


def unstretched(node: Node) -> Node:
    node = plain(node)
    while isinstance(node.op, Broadcast):
        node = plain(node.inputs[0])
    return node


__all__ = ["Statistic", "centred_by", "statistic", "variance"]
