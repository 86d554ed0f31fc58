"""What was recorded of one slice, recorded again with the batch in front: how every framework's vmap is followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ..dims import Size
from ..graph.node import Graph, Node
from ..graph.ops import (
    Broadcast,
    Concatenate,
    Contraction,
    Elementwise,
    Gather,
    Input,
    Opaque,
    Reduction,
    Reshape,
    Slice,
    Transpose,
    Update,
)
from ..graph.primitive import Primitive
from .numpy.array import SymbolicArray, unsupported


class Batched:
    """Nodes that were recorded of one slice, recorded anew for all slices at once."""

    def __init__(self, graph: Graph, size: Size) -> None:
        self.graph = graph
        self.size = size
        self.known: dict[int, Node] = {}
        """By the node of one slice: the node of all, with the batch as its first axis."""

    def hole(self, whole: SymbolicArray) -> Node:
        """A slice of an array whose first axis is the batch."""
        node = self.graph.add(Input(f"slice#{len(self.graph.nodes)}", whole.shape[1:]), dtype=whole.dtype)
        self.known[id(node)] = whole.node
        return node

    def replay(self, start: int, outputs: Sequence[Node]) -> None:
        """Everything since `start` that the outputs need and that depends on a slice."""
        for node in self.graph.reaching(tuple(outputs)):
            if id(node) in self.known or not any(id(n) in self.known for n in node.inputs):
                continue
            rule = RULES.get(type(node.op))
            if rule is None:
                raise unsupported(f"vmap of {node.op.title}")
            self.known[id(node)] = rule(self, node)

    def all_of(self, node: Node) -> Node:
        """The node of all slices; one that does not depend on them is repeated."""
        found = self.known.get(id(node))
        if found is None:
            op = Broadcast((self.size, *node.shape), (False,) * len(node.shape))
            found = self.graph.add(op, node, dtype=node.dtype, source=node.source)
        return found

    def add(self, node: Node, op: Primitive, *inputs: Node) -> Node:
        """What takes the node's place."""
        return self.graph.add(op, *inputs, dtype=node.dtype, source=node.source, label=node.label)


def _elementwise(batch: Batched, node: Node) -> Node:
    return batch.add(node, node.op, *map(batch.all_of, node.inputs))


def _reshape(batch: Batched, node: Node) -> Node:
    assert isinstance(node.op, Reshape)
    return batch.add(node, Reshape((batch.size, *node.op.extent)), batch.all_of(node.inputs[0]))


def _broadcast(batch: Batched, node: Node) -> Node:
    op, source = node.op, batch.all_of(node.inputs[0])
    assert isinstance(op, Broadcast)
    new = len(op.extent) - len(node.inputs[0].shape)
    if new:  # new axes stand between the batch and the array's own: they are put there first
        wide = Reshape((batch.size, *(1,) * new, *node.inputs[0].shape))
        source = batch.graph.add(wide, source, dtype=node.dtype, source=node.source)
    stretched = (False, *(not _is_one(s) for s in op.extent[:new]), *op.stretched)
    return batch.add(node, Broadcast((batch.size, *op.extent), stretched), source)


def _is_one(size: Size) -> bool:
    return type(size) is int and size == 1


def _transpose(batch: Batched, node: Node) -> Node:
    assert isinstance(node.op, Transpose)
    return batch.add(node, Transpose((0, *(i + 1 for i in node.op.order))), batch.all_of(node.inputs[0]))


def _concatenate(batch: Batched, node: Node) -> Node:
    assert isinstance(node.op, Concatenate)
    return batch.add(node, Concatenate(node.op.axis + 1), *map(batch.all_of, node.inputs))


def _slice(batch: Batched, node: Node) -> Node:
    op = node.op
    assert isinstance(op, Slice)
    wide = Slice((0, *op.start), (batch.size, *op.extent), (1, *op.step))
    return batch.add(node, wide, batch.all_of(node.inputs[0]))


def _update(batch: Batched, node: Node) -> Node:
    op = node.op
    assert isinstance(op, Update)
    wide = Update((0, *op.start), (batch.size, *op.extent), (1, *op.step))
    return batch.add(node, wide, *map(batch.all_of, node.inputs))


def _reduction(batch: Batched, node: Node) -> Node:
    assert isinstance(node.op, Reduction)
    wide = replace(node.op, axes=tuple(i + 1 for i in node.op.axes))
    return batch.add(node, wide, batch.all_of(node.inputs[0]))


def _contraction(batch: Batched, node: Node) -> Node:
    op = node.op
    assert isinstance(op, Contraction)
    label = f"batch{node.serial}"
    own = [id(n) in batch.known for n in node.inputs]
    operands = tuple((label, *labels) if mine else labels for labels, mine in zip(op.operands, own, strict=True))
    inputs = [batch.known.get(id(n), n) for n in node.inputs]
    return batch.add(node, Contraction(operands, (label, *op.result)), *inputs)


def _gather(batch: Batched, node: Node) -> Node:
    op, (array, places) = node.op, node.inputs
    assert isinstance(op, Gather)
    if id(places) not in batch.known:
        return batch.add(node, Gather(op.axis + 1), batch.known[id(array)], places)
    if id(array) not in batch.known:
        picked = batch.add(node, Gather(op.axis), array, batch.known[id(places)])
        order = (op.axis, *range(op.axis), *range(op.axis + 1, len(picked.shape)))
        return batch.graph.add(Transpose(order), picked, dtype=node.dtype, source=node.source)
    extent = (batch.size, *node.shape)
    origin = tuple(i if i <= op.axis else None for i in range(len(extent)))
    return batch.add(node, Opaque("take_along_axis", extent, origin), batch.known[id(array)], batch.known[id(places)])


def _opaque(batch: Batched, node: Node) -> Node:
    op = node.op
    assert isinstance(op, Opaque)
    inputs = [batch.known.get(id(n), n) for n in node.inputs]
    first = bool(node.inputs) and id(node.inputs[0]) in batch.known
    origin = tuple(None if o is None else o + first for o in op.origin)
    wide = Opaque(op.name, (batch.size, *op.extent), (0 if first else None, *origin))
    return batch.add(node, wide, *inputs)


RULES: Mapping[type, Callable[[Batched, Node], Node]] = {
    Elementwise: _elementwise,
    Reshape: _reshape,
    Broadcast: _broadcast,
    Transpose: _transpose,
    Concatenate: _concatenate,
    Slice: _slice,
    Update: _update,
    Reduction: _reduction,
    Contraction: _contraction,
    Gather: _gather,
    Opaque: _opaque,
}
