"""Axes that are repeated though nobody asked: what stands behind `ATT035`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dims.dim import symbols_of
from ..graph.node import Node, upstream
from ..graph.ops import Broadcast, Constant, Elementwise, Reduction, Reshape, Slice
from .patterns import is_explicit, plain
from .provenance import is_one, show

if TYPE_CHECKING:
    from .axes import AxesReading


def judge(reading: AxesReading, node: Node) -> None:
    """An axis repeated that nobody asked to repeat."""
    for place, operand in enumerate(node.inputs):
        if not isinstance(operand.op, Broadcast):
            continue
        for other in (n for i, n in enumerate(node.inputs) if i != place):
            if (
                landed_wrong(reading, node, operand, other)
                or statistic_elsewhere(reading, node, operand, other)
                or stretched_cut(reading, node, operand, other)
                or outer(reading, node, operand, other)
            ):
                return


def landed_wrong(reading: AxesReading, node: Node, operand: Node, other: Node) -> bool:
    """A missing axis lets the others slide: they land on an axis of equal size that is another one."""
    inner = operand.inputs[0]
    lead = len(operand.shape) - len(inner.shape)
    if lead <= 0 or not inner.shape:
        return False
    theirs = reading.of(other)
    for j, axis in enumerate(reading.of(inner)):
        here = theirs[j + lead]
        if not axis or not here or not axis[0].origins:
            continue
        key = tuple(f.key for f in axis)
        elsewhere = [i for i, a in enumerate(theirs) if i != j + lead and tuple(f.key for f in a) == key]
        if tuple(f.origins for f in here) == tuple(f.origins for f in axis) and not turned_before(reading, inner):
            continue  # in x @ x.T both axes are the rows of x, and squared lengths of rows belong to either
        if tuple(f.key for f in here) != key and here[0].kind != "repeat" and here[0].origins and elsewhere:
            reading.odd(
                "ATT035",
                f"an array over {show(axis)} (axis {elsewhere[0]}) is lined "
                f"up with axis {j + lead}, which only has the same size",
                node,
                "keepdims=True, or add the missing axis where it belongs",
            )
            return True
    return False


def turned_before(reading: AxesReading, node: Node) -> bool:
    """Whether a node was made of an array that has one axis of an input twice, so that it is known which of the two."""
    return any(f.turn for n in upstream(node) for axis in reading.axes.get(id(n), ()) for f in axis)


def statistic_elsewhere(reading: AxesReading, node: Node, operand: Node, other: Node) -> bool:
    """A sum or maximum of the very array, one for each row, is lined up with the columns."""
    assert isinstance(node.op, Elementwise)
    if node.op.function not in ("divide", "true_divide") or operand is not node.inputs[1]:
        return False
    inner = plain(operand.inputs[0])
    reduction = plain(inner.inputs[0]) if isinstance(inner.op, Reshape) else inner
    if not isinstance(reduction.op, Reduction) or not reading.patterns.same(plain(reduction.inputs[0]), plain(other)):
        return False
    gone = set(reduction.op.axes)
    kept = [i for i in range(len(other.shape)) if i not in gone]
    lead = len(operand.shape) - len(inner.shape)
    landed = [i + lead for i, s in enumerate(inner.shape) if not is_one(s)]
    kept = [i for i in kept if not is_one(other.shape[i])]
    for wanted, here in zip(kept, landed, strict=False):
        if wanted != here and here in gone:
            axis = show(reading.of(other)[wanted])
            reading.odd(
                "ATT035",
                f"the {reduction.op.kind} over axis {here} is one for each {axis} (axis {wanted}), "
                f"and is lined up with axis {here}, over which it was taken",
                node,
                "keepdims=True, so that it stays on its own axis",
            )
            return True
    return False


def stretched_cut(reading: AxesReading, node: Node, operand: Node, other: Node) -> bool:
    """A slice of length one of an axis, repeated along that very axis."""
    inner = operand.inputs[0]
    if not isinstance(inner.op, Slice):
        return False
    lead = len(operand.shape) - len(inner.shape)
    source = inner.inputs[0]
    for j, (axis, extent) in enumerate(zip(reading.of(source), inner.op.extent, strict=True)):
        here = reading.of(other)[j + lead]
        if (
            is_one(extent)
            and axis
            and here
            and show(axis) == show(here)
            and here[0].kind != "repeat"
            and symbols_of(source.shape[j])
        ):
            if any(n is source for n in reading.graph.reaching((other,))) or isinstance(source.op, Constant):
                continue
            reading.odd(
                "ATT035",
                f"one place of the axis {show(axis)} is repeated for all of {show(here)}",
                node,
                f"keep the whole axis {show(axis)}",
            )
            return True
    return False


def outer(reading: AxesReading, node: Node, operand: Node, other: Node) -> bool:
    """[b, 1] with [b] makes [b, b]: a table of all pairs that nobody asked for."""
    if not isinstance(other.op, Broadcast):
        return False
    column, vector = operand.inputs[0], other.inputs[0]
    if len(vector.shape) >= len(column.shape) or not vector.shape or is_explicit(column):
        return False
    mine, theirs = reading.of(column), reading.of(vector)
    if len(theirs) != 1 or len(mine) < 2:
        return False
    before, last = mine[-2:]
    if before and not last and show(before) == show(theirs[-1]):
        axis = show(theirs[-1])
        reading.odd(
            "ATT035",
            f"[{axis}, 1] with [{axis}] makes a table [{axis}, {axis}] of all pairs",
            node,
            "drop the axis of one first (squeeze), or write [:, None] where all pairs are meant",
        )
        return True
    return False
