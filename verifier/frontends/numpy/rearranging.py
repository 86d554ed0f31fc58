"""NumPy's functions that cut, join, repeat and shift: all are slices, concatenations, broadcasts and reshapes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...dims import Size, is_dim
from ...graph.node import require
from ...graph.ops import Concatenate, Contraction, Opaque, Slice
from ...graph.primitive import elements
from .array import SymbolicArray, unsupported
from .creation import full
from .functions import TABLE, dispatch, implements
from .lower import (
    broadcast_shapes,
    broadcast_to,
    cast,
    is_symbolic,
    lift,
    normal_axes,
    normal_axis,
    record,
    reshape,
    transpose,
)


def cut(array: SymbolicArray, axis: int, start: Size, extent: Size, step: int = 1) -> SymbolicArray:
    """A slice along one axis that surely lies inside."""
    starts = tuple(start if i == axis else 0 for i in range(array.ndim))
    extents = tuple(extent if i == axis else s for i, s in enumerate(array.shape))
    steps = tuple(step if i == axis else 1 for i in range(array.ndim))
    return record(Slice(starts, extents, steps), array.node, dtype=array.dtype)


def join(arrays: Sequence[SymbolicArray], axis: int) -> SymbolicArray:
    dtype = np.result_type(*(a.dtype for a in arrays))
    return record(Concatenate(axis), *(cast(a, dtype).node for a in arrays), dtype=dtype)


@implements(np.split)
def _split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[SymbolicArray]:
    return _sections(lift(ary), indices_or_sections, axis, even=True)


@implements(np.array_split)
def _array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[SymbolicArray]:
    return _sections(lift(ary), indices_or_sections, axis, even=False)


def _sections(array: SymbolicArray, sections: Any, axis: int, *, even: bool) -> list[SymbolicArray]:
    place = normal_axis(axis, array.ndim)
    size = array.shape[place]
    if hasattr(sections, "__len__") or isinstance(sections, (list, tuple)):
        from .indexing import clamp

        bounds = [None, *(s if is_dim(s) else int(s) for s in sections), None]
        pieces: list[SymbolicArray] = []
        for first, last in pairwise(bounds):
            start, extent, _ = clamp(slice(first, last), size)
            pieces.append(cut(array, place, start, extent))
        return pieces
    count: int = sections.__index__()
    if count <= 0:
        raise ValueError("number sections must be larger than 0.")
    if even:
        require(size % count == 0, f"splitting axis {place} of size {size} into {count} equal parts")
        each = size // count
        return [cut(array, place, i * each, each) for i in range(count)]
    rest = size % count
    pieces, start = [], 0
    for i in range(count):
        extent = size // count + (1 if i < rest else 0)
        pieces.append(cut(array, place, start, extent))
        start = start + extent
    return pieces


def _along(function: Any, axis: int) -> Any:
    def row(ary: Any, indices_or_sections: Any) -> Any:
        if lift(ary).ndim < (axis + 1 if axis != 0 else 2) and not (axis == 1 and lift(ary).ndim == 1):
            raise ValueError(f"splitting along axis {axis} wants an array of more axes")
        place = axis if lift(ary).ndim > 1 or axis != 1 else 0
        return dispatch(function, (ary, indices_or_sections), {"axis": place})

    return row


TABLE[np.hsplit], TABLE[np.vsplit], TABLE[np.dsplit] = _along(np.split, 1), _along(np.split, 0), _along(np.split, 2)


@implements(np.tile)
def _tile(A: Any, reps: Any) -> SymbolicArray:
    """The whole again and again: the copies are the slow part of each axis."""
    array = lift(A)
    times: tuple[Size, ...] = tuple(reps) if isinstance(reps, (tuple, list)) else (reps,)
    rank = max(array.ndim, len(times))
    times = (1,) * (rank - len(times)) + times
    array = reshape(array, (1,) * (rank - array.ndim) + array.shape)
    wide: list[Size] = [s for pair in zip([1] * rank, array.shape, strict=True) for s in pair]
    full_shape: list[Size] = [s for pair in zip(times, array.shape, strict=True) for s in pair]
    repeated = broadcast_to(reshape(array, tuple(wide)), tuple(full_shape))
    return reshape(repeated, tuple(t * s for t, s in zip(times, array.shape, strict=True)))


@implements(np.repeat)
def _repeat(a: Any, repeats: Any, axis: Any = None) -> SymbolicArray:
    """Each element again in place: the copies are the fast part of the axis."""
    array = lift(a)
    if axis is None or not array.shape:
        array, axis = reshape(array, (elements(array.shape),)), 0 if axis is None else axis
    place = normal_axis(axis, array.ndim)
    if not (is_dim(repeats) or isinstance(repeats, (int, np.integer))):
        raise unsupported("numpy.repeat with a number for each element")
    times: Any = repeats if is_dim(repeats) else int(repeats)
    require(times >= 0, "a size is not negative")
    before, size, after = array.shape[:place], array.shape[place], array.shape[place + 1 :]
    wide = reshape(array, (*before, size, 1, *after))
    return reshape(broadcast_to(wide, (*before, size, times, *after)), (*before, size * times, *after))


MODES = frozenset(
    {
        *("constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric"),
        *("wrap", "empty"),
    }
)


@implements(np.pad)
def _pad(array: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> SymbolicArray:
    padded = lift(array)
    widths = _widths(pad_width, padded.ndim)
    if mode not in MODES:
        raise ValueError(f"mode {mode!r} is not supported")
    if mode != "constant":
        for axis, pair in enumerate(widths):
            for width in pair:
                if type(width) is int and width == 0:
                    continue
                require(width >= 0, "pad widths must not be negative")
                if mode != "empty" and width != 0:
                    require(padded.shape[axis] != 0, f"pad over axis {axis} needs an element")
        target = tuple(s + a + b for s, (a, b) in zip(padded.shape, widths, strict=True))
        return record(Opaque("pad", target, (None,) * padded.ndim), padded.node, dtype=padded.dtype)
    value = options.get("constant_values", 0)
    for axis, (before, after) in enumerate(widths):
        parts = [padded]
        for width, first in ((before, True), (after, False)):
            if type(width) is int and width == 0:
                continue
            require(width >= 0, "pad widths must not be negative")
            filler = full(tuple(width if i == axis else s for i, s in enumerate(padded.shape)), value, padded.dtype)
            parts = [filler, *parts] if first else [*parts, filler]
        padded = join(parts, axis) if len(parts) > 1 else padded
    return padded


def _widths(pad_width: Any, rank: int) -> list[tuple[Size, Size]]:
    if isinstance(pad_width, dict):
        known = {normal_axis(k, rank): _pair(v) for k, v in pad_width.items()}
        return [known.get(i, (0, 0)) for i in range(rank)]
    if not isinstance(pad_width, (tuple, list)):
        return [(pad_width, pad_width)] * rank
    if all(not isinstance(w, (tuple, list)) for w in pad_width):
        return [_pair(pad_width)] * rank
    pairs = [_pair(w) for w in pad_width]
    if len(pairs) == 1:
        return pairs * rank
    if len(pairs) != rank:
        raise ValueError(f"operands could not be broadcast together with remapped shapes ({len(pairs)},2) ({rank},2)")
    return pairs


def _pair(width: Any) -> tuple[Size, Size]:
    if isinstance(width, (tuple, list)):
        if len(width) not in (1, 2):
            raise ValueError(f"operands could not be broadcast together: {len(width)} pad widths of one axis")
        return (width[0], width[0]) if len(width) == 1 else (width[0], width[1])
    return (width, width)


@implements(np.roll)
def _roll(a: Any, shift: Any, axis: Any = None) -> SymbolicArray:
    """The same elements under the same axes; which is where is not followed."""
    array = lift(a)
    if axis is not None:
        axes = axis if isinstance(axis, (tuple, list)) else (axis,)
        for each in axes:
            normal_axis(each, array.ndim)
        if isinstance(shift, (tuple, list)) and len(axes) != 1 != len(shift) and len(shift) != len(axes):
            raise ValueError(f"shape mismatch: {len(shift)} shifts for {len(axes)} axes")
    return record(Opaque("roll", array.shape, tuple(range(array.ndim))), array.node, dtype=array.dtype)


@implements(np.flip)
def _flip(m: Any, axis: Any = None) -> SymbolicArray:
    array = lift(m)
    for place in normal_axes(axis, array.ndim):
        size = array.shape[place]
        array = cut(array, place, size - 1, size, -1)
    return array


TABLE[np.flipud] = lambda m: _flip(m, 0)
TABLE[np.fliplr] = lambda m: _flip(m, 1)


@implements(np.vstack)
def _vstack(tup: Any, **_: Any) -> SymbolicArray:
    if is_symbolic(tup) and tup.ndim >= 3:
        return dispatch(np.concatenate, (tup,), {"axis": 0})
    return dispatch(np.concatenate, ([_at_least_2d(lift(a)) for a in tup],), {"axis": 0})


@implements(np.hstack)
def _hstack(tup: Any, **_: Any) -> SymbolicArray:
    if is_symbolic(tup) and tup.ndim >= 2:
        return dispatch(np.concatenate, (tup,), {"axis": 0 if tup.ndim == 2 else 1})
    arrays = [lift(a) if lift(a).shape else reshape(lift(a), (1,)) for a in tup]
    return dispatch(np.concatenate, (arrays,), {"axis": 0 if arrays and arrays[0].ndim == 1 else 1})


@implements(np.column_stack)
def _column_stack(tup: Any) -> SymbolicArray:
    arrays = [lift(a) for a in tup]
    arrays = [reshape(a, (*a.shape, 1)) if a.ndim == 1 else a for a in arrays]
    return dispatch(np.concatenate, (arrays,), {"axis": 1})


@implements(np.append)
def _append(arr: Any, values: Any, axis: Any = None) -> SymbolicArray:
    return dispatch(np.concatenate, ([lift(arr), lift(values)],), {"axis": axis})


def _at_least_2d(array: SymbolicArray) -> SymbolicArray:
    return reshape(array, (1,) * (2 - array.ndim) + array.shape) if array.ndim < 2 else array


TABLE[np.atleast_1d] = lambda a: lift(a) if lift(a).shape else reshape(lift(a), (1,))
TABLE[np.atleast_2d] = lambda a: _at_least_2d(lift(a))


@implements(np.broadcast_arrays)
def _broadcast_arrays(*args: Any, subok: bool = False) -> tuple[SymbolicArray, ...]:
    arrays = [lift(a) for a in args]
    shape = broadcast_shapes([a.shape for a in arrays], "broadcast_arrays")
    return tuple(broadcast_to(a, shape) for a in arrays)


@implements(np.meshgrid)
def _meshgrid(*xi: Any, indexing: str = "xy", sparse: bool = False, copy: bool = True) -> tuple[SymbolicArray, ...]:
    arrays = [lift(x) for x in xi]
    order = [1, 0, *range(2, len(arrays))] if indexing == "xy" and len(arrays) > 1 else list(range(len(arrays)))
    extent = [elements(arrays[i].shape) for i in order]
    grid: list[SymbolicArray] = []
    for number, array in enumerate(arrays):
        place = order.index(number)
        line = reshape(array, tuple(extent[i] if i == place else 1 for i in range(len(arrays))))
        grid.append(line if sparse else broadcast_to(line, tuple(extent)))
    return tuple(grid)


@implements(np.rollaxis)
def _rollaxis(a: Any, axis: int, start: int = 0) -> SymbolicArray:
    array = lift(a)
    place = normal_axis(axis, array.ndim)
    order = [i for i in range(array.ndim) if i != place]
    if not -array.ndim <= start <= array.ndim:
        raise np.exceptions.AxisError(start, array.ndim + 1)
    target = start + array.ndim if start < 0 else start
    order.insert(target - 1 if place < target else target, place)
    return transpose(array, order)


@implements(np.diagonal)
def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> SymbolicArray:
    array = lift(a)
    first, second = normal_axis(axis1, array.ndim), normal_axis(axis2, array.ndim)
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    rows, columns = array.shape[first], array.shape[second]
    if offset == 0 and str(rows) == str(columns):
        labels = [f"r{i}" for i in range(array.ndim)]
        labels[second] = labels[first]
        rest = [s for i, s in enumerate(labels) if i not in (first, second)]
        return record(Contraction((tuple(labels),), (*rest, labels[first])), array.node, dtype=array.dtype)
    rows, columns = (rows + offset, columns) if offset < 0 else (rows, columns - offset)
    length = rows if rows <= columns else columns
    length = length if length >= 0 else 0
    shape = (*(s for i, s in enumerate(array.shape) if i not in (first, second)), length)
    return record(Opaque("diagonal", shape, (None,) * len(shape)), array.node, dtype=array.dtype)


@implements(np.diag)
def _diag(v: Any, k: int = 0) -> SymbolicArray:
    array = lift(v)
    if array.ndim == 1:
        if k != 0:
            raise unsupported("numpy.diag off the main diagonal")
        from .creation import eye

        return dispatch(np.where, (eye(array.shape[0], dtype=bool), reshape(array, (array.shape[0], 1)), 0), {})
    if array.ndim != 2:
        raise ValueError("Input must be 1- or 2-d.")
    return _diagonal(array, k)


@implements(np.trace)
def _trace(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> SymbolicArray:
    return dispatch(np.sum, (_diagonal(a, offset, axis1, axis2),), {"axis": -1})


if hasattr(np, "permute_dims"):
    TABLE[np.permute_dims] = TABLE[np.transpose]
if hasattr(np, "concat"):
    TABLE[np.concat] = TABLE[np.concatenate]
__all__ = ["cut", "join"]
