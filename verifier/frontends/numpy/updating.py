"""Writing into arrays: `a[...] = v`, `a += v`, as new nodes in the same array's name.

NumPy's views share memory. A write through one array makes every other array that may look at the same memory
out of date, and reading such a one is UNSUPPORTED rather than answered with old contents.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dims import Size
from ...graph.node import Node, Shape, require
from ...graph.ops import Broadcast, Elementwise, Opaque, Reshape, Slice, Transpose, Update
from ..recording import current_graph, graph_at_work
from .array import SymbolicArray, unsupported
from .lower import broadcast_to, cast, elementwise, is_scalar, is_symbolic, lift, record, reshape

VIEWS = (Broadcast, Reshape, Slice, Transpose)
CARRIED = "carried"
"""The name of what is known by its shape alone; with an input, of what looks at that one's memory."""


def memory_of(node: Node) -> Node:
    """The node that owns the memory that this one looks at."""
    while isinstance(node.op, VIEWS) or (isinstance(node.op, Opaque) and node.op.name == CARRIED and node.inputs):
        node = node.inputs[0]
    return node


def refuse_stale(node: Node) -> None:
    graph = graph_at_work()
    if graph is not None and graph.overwritten and id(memory_of(node)) in graph.overwritten:
        raise unsupported("reading a view after its memory was written to through another array", "write to a copy")


def duplicate(array: SymbolicArray) -> SymbolicArray:
    """The same contents in memory of their own."""
    return record(Elementwise("copy"), array.node, dtype=array.dtype)


def overwrite(array: SymbolicArray, value: SymbolicArray, purpose: str) -> None:
    """The whole array becomes the value, which may broadcast to its shape and not the other way round."""
    if not np.can_cast(value.dtype, array.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast ufunc {purpose!r} output from {value.dtype!r} "
            f"to {array.dtype!r} with casting rule 'same_kind'"
        )
    require(value.ndim <= array.ndim, f"writing {purpose} in place: {value.ndim} axes into {array.ndim}")
    fitted = fit(value, array.shape, f"writing {purpose} in place")
    write(array, duplicate(cast(fitted, array.dtype)))


def fit(value: SymbolicArray, shape: Shape, purpose: str) -> SymbolicArray:
    """The value broadcast to a shape that it may not exceed; leading axes of one are dropped, as NumPy does."""
    while value.ndim > len(shape):
        require(value.shape[0] == 1, f"{purpose}: {value.ndim} axes into {len(shape)}")
        value = reshape(value, value.shape[1:])
    for axis, (size, target) in enumerate(zip(value.shape, shape[len(shape) - value.ndim :], strict=True)):
        if str(size) == str(target) or size == target or size == 1:
            continue
        require(
            size == target,
            f"{purpose}: axis {axis} of [{', '.join(map(str, value.shape))}] into [{', '.join(map(str, shape))}]",
        )
    return broadcast_to(value, shape)


def write(array: SymbolicArray, contents: SymbolicArray) -> None:
    """The array has these contents from now on; whatever looks at its old memory is out of date."""
    graph = current_graph()
    graph.overwritten.add(id(memory_of(array.node)))
    array.become(contents.node)


def forget(array: SymbolicArray) -> None:
    """Nothing is known of the elements any more, as if something had been written; a view stays one."""
    if memory_of(array.node) is array.node:
        write(array, unknown(array))
    else:
        array.become(record(Opaque(CARRIED, array.shape, (None,) * array.ndim), array.node, dtype=array.dtype).node)


def unknown(array: SymbolicArray) -> SymbolicArray:
    """An array of the same shape and element type, of which no more is known."""
    return record(Opaque(CARRIED, array.shape, (None,) * array.ndim), dtype=array.dtype)


def set_item(array: SymbolicArray, key: Any, value: Any) -> None:
    """`array[key] = value`.

    Raises:
        ShapeMismatch: the value does not broadcast to the part.
        Unsupported: more than one index array, other than a mask.
    """
    from .indexing import select_part

    new = lift(value)
    mask = _mask(key)
    if mask is not None:
        _set_where(array, mask, new)
        return
    part = select_part(array, key)
    if part.picks:
        _scatter(array, part.shape_of_result(), new)
        return
    fitted = fit(cast(new, array.dtype), part.result, f"assigning to {part.text}")
    fitted = reshape(fitted, part.extent)
    write(array, record(Update(part.start, part.extent, part.step), array.node, fitted.node, dtype=array.dtype))


def _mask(key: Any) -> SymbolicArray | None:
    if is_symbolic(key) or isinstance(key, np.ndarray):
        mask = lift(key)
        return mask if mask.dtype == np.bool_ else None
    return None


def _set_where(array: SymbolicArray, mask: SymbolicArray, value: SymbolicArray) -> None:
    """`array[mask] = value`: the mask covers leading axes of the array."""
    for axis, (size, mine) in enumerate(zip(mask.shape, array.shape, strict=False)):
        require(size == mine, f"boolean index of axis {axis}: mask has {size}, array has {mine}")
    if mask.ndim > array.ndim:
        raise IndexError(f"too many indices for array: array is {array.ndim}-dimensional, but {mask.ndim} were indexed")
    wide = reshape(mask, (*mask.shape, *(1,) * (array.ndim - mask.ndim)))
    if value.ndim and not is_scalar(value):
        tail: tuple[Size, ...] = array.shape[mask.ndim :]
        if value.ndim > len(tail):
            _scatter(array, (current_graph().count_of(mask.node), *tail), value)
            return
        value = fit(value, tail, "assigning under a mask")
    write(array, elementwise("select", wide, cast(value, array.dtype), duplicate(array), dtype=array.dtype))


def _scatter(array: SymbolicArray, part: Shape, value: SymbolicArray) -> None:
    fitted = fit(cast(value, array.dtype), part, "assigning at index arrays")
    op = Opaque("put", array.shape, tuple(range(array.ndim)))
    write(array, record(op, array.node, fitted.node, dtype=array.dtype))
