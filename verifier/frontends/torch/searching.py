"""Places in what is sorted, and values put where a mask is True: as many as the data have."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dims import Size
from ...graph.node import Node, require
from ...graph.ops import Broadcast, Opaque, Reshape
from ...graph.primitive import elements
from ..numpy import indexing
from ..numpy.array import SymbolicArray
from ..numpy.lower import broadcast_shapes, broadcast_to, lift, record
from ..numpy.ordering import opaque
from ..recording import current_graph
from .framework import torch
from .table import arr, as_tensor, implements, out
from .tensor import SymbolicTensor


def _text(shape: Any) -> str:
    return f"[{', '.join(map(str, shape))}]"


def _sorted_places(boundaries: SymbolicArray, values: SymbolicArray, narrow: bool) -> SymbolicTensor:
    for given in (boundaries, values):
        if given.dtype.kind in "bc":
            raise NotImplementedError(f'"searchsorted_out_cpu" not implemented for {given.dtype}')
    dtype = np.int32 if narrow else np.int64
    found = opaque("searchsorted", values.shape, tuple(range(values.ndim)), values, boundaries, dtype=dtype)
    return out(found, torch.int32 if narrow else torch.int64)


@implements("searchsorted")
def _searchsorted(
    sorted_sequence: Any,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: Any = None,
    sorter: Any = None,
) -> Any:
    """A sequence of one axis serves all values; with more, each of its rows serves the row of values beside it."""
    boundaries, values = lift(arr(sorted_sequence)), lift(arr(input))
    if side not in (None, "left", "right") or (side == "left" and right):
        raise RuntimeError(f"torch.searchsorted(): side is {side!r} and right is {right}")
    if not boundaries.ndim:
        raise RuntimeError("torch.searchsorted(): the sorted sequence has no axis")
    if boundaries.ndim > 1:
        if values.ndim != boundaries.ndim:
            raise RuntimeError(
                f"torch.searchsorted(): values {_text(values.shape)} for a sorted sequence {_text(boundaries.shape)}: "
                "with more than one axis, both have the same leading axes"
            )
        for axis in range(boundaries.ndim - 1):
            mine, theirs = boundaries.shape[axis], values.shape[axis]
            require(
                mine == theirs, f"searchsorted: axis {axis} of the sorted sequence has {mine}, of the values {theirs}"
            )
    if sorter is not None:
        order = as_tensor(sorter)
        if order.dtype is not torch.int64 or order.ndim != boundaries.ndim:
            raise RuntimeError("torch.searchsorted(): the sorter holds int64 places, in the sorted sequence's shape")
        for axis, (mine, theirs) in enumerate(zip(boundaries.shape, order.shape, strict=True)):
            require(
                mine == theirs, f"searchsorted: axis {axis} of the sorted sequence has {mine}, of the sorter {theirs}"
            )
        indexing.inside_axis(arr(order), boundaries.shape[-1], boundaries.ndim - 1)
    return _sorted_places(boundaries, values, out_int32)


@implements("bucketize")
def _bucketize(input: Any, boundaries: Any, *, out_int32: bool = False, right: bool = False) -> Any:
    """The values come first here, and the boundaries have one axis."""
    limits = lift(arr(boundaries))
    if limits.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({limits.ndim})")
    return _sorted_places(limits, lift(arr(input)), out_int32)


def _how_many(mask: Node) -> Size:
    """The number of True: that of the mask which this one repeats, so many times."""
    if isinstance(mask.op, Reshape):
        return _how_many(mask.inputs[0])
    if isinstance(mask.op, Broadcast):
        (inner,) = mask.inputs
        front = len(mask.shape) - len(inner.shape)
        stretched = mask.op.stretched[-len(inner.shape) :] if inner.shape else ()
        times = [*mask.shape[:front], *(s for s, more in zip(mask.shape[front:], stretched, strict=True) if more)]
        return _how_many(inner) * elements(tuple(times))
    return current_graph().count_of(mask)


@implements("masked_scatter")
def _masked_scatter(input: Any, mask: Any, source: Any) -> Any:
    """The source's elements in their order: it needs one for each True, and more do not matter."""
    tensor, flags, given = as_tensor(input), as_tensor(mask), as_tensor(source)
    if flags.dtype is not torch.bool:
        raise RuntimeError(f"masked_scatter_ only supports boolean masks, but got mask with dtype {flags.dtype}")
    if given.dtype is not tensor.dtype:
        raise RuntimeError(
            f"masked_scatter: expected self and source to have same dtypes but got {tensor.dtype} and {given.dtype}"
        )
    shape = broadcast_shapes([tuple(tensor.shape), tuple(flags.shape)], "masked_scatter")
    wide, there = broadcast_to(flags.array, shape), elements(tuple(given.shape))
    if not there >= elements(shape):
        needed = _how_many(wide.node)
        require(needed <= there, f"masked_scatter: the mask has {needed} True, the source {there} elements")
    base = broadcast_to(tensor.array, shape)
    put = Opaque("put", shape, tuple(range(len(shape))))
    return out(record(put, base.node, wide.node, given.array.node, dtype=base.dtype), tensor.dtype)
