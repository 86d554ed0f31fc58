"""vmap: the function is run once on a slice, and what it recorded is recorded again with the batch in front."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...dims import Size
from ...graph.node import Graph, Node, require
from ...graph.ops import (
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
from ...graph.primitive import Primitive
from ..numpy.array import SymbolicArray, unsupported
from ..numpy.lower import broadcast_to, normal_axis, transpose
from ..recording import current_graph
from .array import SymbolicJaxArray
from .engine import tree
from .levels import deepened
from .lowering import lifted, of_node
from .table import implements
from .types import jax_types


class Batched:
    """Nodes that were recorded of one slice, recorded anew for all slices at once."""

    def __init__(self, graph: Graph, size: Size) -> None:
        self.graph = graph
        self.size = size
        self.known: dict[int, Node] = {}
        """By the node of one slice: the node of all, with the batch as its first axis."""

    def hole(self, whole: SymbolicArray) -> SymbolicJaxArray:
        """A slice of an array whose first axis is the batch."""
        node = self.graph.add(Input(f"slice#{len(self.graph.nodes)}", whole.shape[1:]), dtype=whole.dtype)
        self.known[id(node)] = whole.node
        return of_node(node)

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


# -- the transformation ---------------------------------------------------------------------------


def axes_of(axes: Any, value: Any) -> list[Any]:
    """The axis of each leaf of a value, where `axes` is a number, None, or a tree that the value's begins with."""
    count = len(tree.tree_leaves(value))
    if axes is None or type(axes) is int:
        return [axes] * count
    leaves, structure = tree.tree_flatten(axes, is_leaf=lambda a: a is None)
    try:
        parts = structure.flatten_up_to(value)
    except (ValueError, TypeError) as error:
        raise ValueError(f"vmap in_axes or out_axes must be a prefix of the values: {error}") from None
    return [a for axis, part in zip(leaves, parts, strict=True) for a in axes_of(axis, part)]


def is_mappable(leaf: Any) -> bool:
    return hasattr(leaf, "shape") and hasattr(leaf, "dtype")


@implements("jax.vmap", always=True)
def vmap(
    fun: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0, axis_name: Any = None, axis_size: Any = None, **_: Any
) -> Callable[..., Any]:
    """The function over an axis of its arguments."""
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)

    def mapped(*args: Any, **options: Any) -> Any:
        leaves, structure = tree.tree_flatten((args, options))
        axes = axes_of((in_axes, 0), (args, options))
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise ValueError(f"vmap in_axes has {len(in_axes)} entries for {len(args)} arguments")
        return mapped_over(fun, leaves, structure, axes, out_axes, axis_size)

    mapped.__name__ = getattr(fun, "__name__", "mapped")
    return mapped


def mapped_over(
    fun: Callable[..., Any], leaves: list[Any], structure: Any, axes: list[Any], out_axes: Any, axis_size: Any = None
) -> Any:
    """The function's value over the given axis of each leaf; None leaves one as it is."""
    fronts = [None if axis is None else _in_front(leaf, axis) for leaf, axis in zip(leaves, axes, strict=True)]
    size = axis_size
    for front in fronts:
        if front is None:
            continue
        if size is not None:
            require(front.shape[0] == size, f"vmap over axes of one size: {front.shape[0]} and {size}")
        size = front.shape[0] if size is None else size
    if size is None:
        raise ValueError("vmap must have at least one non-None value in in_axes")
    graph = current_graph()
    batch, start = Batched(graph, size), len(graph.nodes)
    holes = [leaf if front is None else batch.hole(front) for leaf, front in zip(leaves, fronts, strict=True)]
    args, options = tree.tree_unflatten(structure, holes)
    return gathered(batch, start, deepened(fun)(*args, **options), out_axes)


def gathered(batch: Batched, start: int, result: Any, out_axes: Any) -> Any:
    """What the function returned of one slice, of all."""
    if isinstance(out_axes, list):
        out_axes = tuple(out_axes)
    found, shape = tree.tree_flatten(result)
    axes = axes_of(out_axes, result)
    with jax_types():
        nodes = [
            lifted(leaf).node if is_mappable(leaf) or axis is not None else None
            for leaf, axis in zip(found, axes, strict=True)
        ]
        batch.replay(start, [n for n in nodes if n is not None])
        made = [
            _placed(batch, leaf, node, axis) if node is not None else leaf
            for leaf, node, axis in zip(found, nodes, axes, strict=True)
        ]
    return tree.tree_unflatten(shape, made)


def _placed(batch: Batched, leaf: Any, node: Node, axis: Any) -> Any:
    if axis is None:
        if id(node) in batch.known:
            raise ValueError("vmap has mapped output but out_axes is None")
        return leaf
    whole = SymbolicArray(batch.all_of(node))
    place = normal_axis(axis, whole.ndim)
    order = [*range(1, whole.ndim)]
    order.insert(place, 0)
    return SymbolicJaxArray(transpose(whole, order))


def _in_front(leaf: Any, axis: int) -> SymbolicArray:
    array = lifted(leaf)
    if not array.shape:
        raise ValueError(
            f"vmap was requested to map its argument along axis {axis}, which implies that its rank should be at "
            f"least {abs(axis) + (axis >= 0)}, but is only 0 (its shape is ())"
        )
    place = normal_axis(axis, array.ndim)
    with jax_types():
        return transpose(array, (place, *(i for i in range(array.ndim) if i != place)))


def vectorized(pyfunc: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """jnp.vectorize: leading axes that the signature does not name are mapped over."""
    signature, excluded = options.get("signature"), options.get("excluded", frozenset())
    if excluded:
        raise unsupported("jax.numpy.vectorize with excluded")

    def function(*args: Any) -> Any:
        names = ["()"] * len(args) if signature is None else _inputs_of(signature)
        ranks = [n.count(",") + bool(n.strip("() ")) for n in names]
        extra = max((lifted(a).ndim - r for a, r in zip(args, ranks, strict=True)), default=0)
        mapped = pyfunc
        for level in range(extra):  # the innermost axis first
            axes = tuple(0 if lifted(a).ndim - r > level else None for a, r in zip(args, ranks, strict=True))
            mapped = vmap(mapped, in_axes=axes)
        return mapped(*_same_lead(args, ranks))

    return function


def _inputs_of(signature: str) -> list[str]:
    inputs = signature.partition("->")[0].strip()
    return [part.strip("()") for part in inputs.replace("),", ")|").split("|")]


def _same_lead(args: Sequence[Any], ranks: Sequence[int]) -> list[Any]:
    """Leading axes of one are stretched to the others'."""
    from ..numpy.lower import broadcast_shapes

    arrays = [lifted(a) for a in args]
    leads = [a.shape[: a.ndim - r] for a, r in zip(arrays, ranks, strict=True)]
    common = broadcast_shapes(leads, "leading axes of vectorize") if leads else ()
    with jax_types():
        return [
            SymbolicJaxArray(broadcast_to(a, (*common[len(common) - len(lead) :], *a.shape[len(lead) :])))
            for a, lead in zip(arrays, leads, strict=True)
        ]
