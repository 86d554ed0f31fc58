"""Copies made by index: `k[arange(h) // r]` repeats each one in place, `k[arange(h) % g]` repeats the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..graph.node import Node
from ..graph.ops import Broadcast, Elementwise, Iota, Reshape, Transpose
from .patterns import plain, position, size_of
from .provenance import Axis, Factor, equal, product, quotient, show

if TYPE_CHECKING:
    from .axes import AxesReading


def picked(reading: AxesReading, places: Node, table: Axis) -> Axis | None:
    """The axis that places picked from a table make, where they are counted places divided, or their remainders."""
    node = plain(places)
    if len(node.shape) != 1 or not table:
        return None
    if counts_alone(node):
        own = reading.of(node)[0]
        counted = [f for f in own if f.kind != "repeat"]
        if len(counted) == 1 and len(own) > 1 and reading.sizes.same(counted[0].size, product(table)):
            return tuple(part for f in own for part in (table if f is counted[0] else (f,)))
        return None
    if not isinstance(node.op, Elementwise) or len(node.inputs) != 2:
        return None
    by = size_of(node.inputs[1])
    counted = position(node.inputs[0])
    if by is None or counted is None or not equal(counted[1], 0):
        return None
    sizes, length = reading.sizes, node.shape[0]
    if node.op.function == "floor_divide" and sizes.same(by * product(table), length):
        return (*table, Factor(by, str(by), kind="repeat"))
    if node.op.function == "remainder" and sizes.same(by, product(table)) and not sizes.same(by, length):
        times = quotient(sizes.of(length), sizes.of(by))
        if times is not None:
            return (Factor(times, str(times), kind="repeat"), *table)
        origins = frozenset(o for f in table for o in f.origins)
        return (Factor(length, f"{length} in turns of {show(table)}", origins, "cycle", (table,)),)
    return None


def counts_alone(node: Node) -> bool:
    """Whether an array holds counted places as they are, repeated or in another shape."""
    node = plain(node)
    while isinstance(node.op, (Broadcast, Reshape, Transpose)):
        node = plain(node.inputs[0])
    return isinstance(node.op, Iota)


__all__ = ["picked"]
