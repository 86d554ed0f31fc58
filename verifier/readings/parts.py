"""One array cut into equal parts along an axis that is not made of such parts, while another axis is.

Law: `x @ W` with W [d, 3*d_k] holds queries, keys and values side by side along its last axis. Cut along the tokens,
one third of the tokens asks another, and every shape still fits. Where no other axis is a multiple of the number of
parts, nothing says what was meant, and halves of a batch are compared on purpose.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ..dims.dim import symbols_of
from ..graph.node import Node
from ..graph.ops import Contraction, Elementwise, Slice
from .provenance import is_one, quotient, show

if TYPE_CHECKING:
    from .axes import AxesReading

Split = tuple[int, int, str]
"""The array, the axis, and the length of a part."""


def judge(reading: AxesReading, nodes: list[Node]) -> None:
    """Parts of tokens that are put together as if they were parts of their channels."""
    splits: dict[Split, dict[str, Node]] = defaultdict(dict)
    for node in nodes:
        op = node.op
        axis = cut_axis(node)
        if axis is not None and isinstance(op, Slice):
            splits[id(node.inputs[0]), axis, str(op.extent[axis])][str(op.start[axis])] = node
    for (_, axis, _), parts in splits.items():
        judge_split(reading, nodes, axis, list(parts.values()))


def cut_axis(node: Node) -> int | None:
    """The one axis along which a slice takes a run."""
    op = node.op
    if not isinstance(op, Slice):
        return None
    cut = [i for i, (e, s) in enumerate(zip(op.extent, node.inputs[0].shape, strict=True)) if str(e) != str(s)]
    return cut[0] if len(cut) == 1 and op.step[cut[0]] == 1 and not is_one(op.extent[cut[0]]) else None


def judge_split(reading: AxesReading, nodes: list[Node], axis: int, parts: list[Node]) -> None:
    sizes, source = reading.sizes, parts[0].inputs[0]
    size = source.shape[axis]
    count = quotient(sizes.of(size), sizes.of(parts[0].shape[axis]))
    if type(count) is not int or len(parts) < 2 or quotient(size, count) is not None:
        return
    others = [i for i, s in enumerate(source.shape) if i != axis and symbols_of(s) and quotient(s, count) is not None]
    where = put_together(nodes, parts, count)
    if where is None or not others:
        return
    mine = reading.of(source)
    here, there = show(mine[axis]), show(mine[others[-1]])
    reading.odd(
        "ATT039",
        f"[{' '.join(map(show, mine))}] is cut into {count} parts along {here} (axis {axis}), which is no multiple of "
        f"{count}, and the parts are put together; {there} (axis {others[-1]}) is made of {count}",
        parts[0],
        f"split along axis {others[-1]}",
    )


def put_together(nodes: list[Node], parts: list[Node], count: int) -> Node | None:
    """Where two of the parts meet: halves in a product of elements, as gates do; more of them in a sum of products."""
    inside: dict[int, frozenset[int]] = {id(p): frozenset({i}) for i, p in enumerate(parts)}
    for node in nodes:
        if id(node) in inside:
            continue
        found = [inside.get(id(n), frozenset[int]()) for n in node.inputs]
        gate = isinstance(node.op, Elementwise) and node.op.function == "multiply"
        if (gate if count == 2 else isinstance(node.op, Contraction)) and len(found) == 2:
            left, right = found
            if left and right and not left & right:
                return node
        inside[id(node)] = frozenset[int]().union(*found)
    return None


__all__ = ["judge"]
