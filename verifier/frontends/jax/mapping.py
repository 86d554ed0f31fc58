"""vmap: the function is run once on a slice, and what it recorded is recorded again with the batch in front."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...graph.node import Node, require
from ..batching import Batched
from ..numpy.array import SymbolicArray, unsupported
from ..numpy.lower import broadcast_to, normal_axis, transpose
from ..recording import current_graph
from .array import SymbolicJaxArray
from .engine import tree
from .levels import deepened
from .lowering import lifted, of_node
from .table import implements
from .types import jax_types


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
    holes = [leaf if front is None else of_node(batch.hole(front)) for leaf, front in zip(leaves, fronts, strict=True)]
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
