"""The square brackets: slices clamp as Python's do, integers drop an axis, None adds one, arrays pick."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dims import Size, identical, is_dim
from ...graph.ops import Gather, Slice
from .array import SymbolicArray, unsupported
from .lower import is_symbolic, lift, record, reshape


def get_item(array: SymbolicArray, key: Any) -> SymbolicArray:
    """What `array[key]` is.

    Raises:
        IndexError: too many indices, or an integer outside its axis on this path.
        Unsupported: boolean masks, or more than one index array.
    """
    keys = list(key) if isinstance(key, tuple) else [key]
    used = sum(k is not None and k is not Ellipsis for k in keys)
    if used > array.ndim:
        raise IndexError(f"too many indices for array: array is {array.ndim}-dimensional, but {used} were indexed")
    if Ellipsis not in [k for k in keys if k is Ellipsis]:
        keys.append(Ellipsis)
    dots = next(i for i, k in enumerate(keys) if k is Ellipsis)
    keys[dots : dots + 1] = [slice(None)] * (array.ndim - used)
    start: list[Size] = []
    extent: list[Size] = []
    step: list[int] = []
    result: list[Size] = []
    picks: list[tuple[int, SymbolicArray]] = []
    axis = 0
    for item in keys:
        if item is None:
            result.append(1)
            continue
        size = array.shape[axis]
        if isinstance(item, slice):
            first, count, stride = clamp(item, size)
            result.append(count)
        elif _is_integer(item):
            first, count, stride = _inside(item, size, axis), 1, 1
        else:
            first, count, stride = 0, size, 1
            picks.append((len(result), _places(item)))
            result.append(size)
        start.append(first)
        extent.append(count)
        step.append(stride)
        axis += 1
    whole = (
        all(type(s) is int and s == 0 for s in start)
        and all(map(identical, extent, array.shape))
        and all(s == 1 for s in step)
    )
    sliced = array if whole else record(Slice(tuple(start), tuple(extent), tuple(step)), array.node, dtype=array.dtype)
    shaped = reshape(sliced, tuple(result))
    if len(picks) > 1:
        raise unsupported("indexing with more than one array")
    for place, places in picks:
        shaped = record(Gather(place), shaped.node, places.node, dtype=array.dtype)
    return shaped


def _is_integer(item: Any) -> bool:
    if is_symbolic(item) or isinstance(item, (bool, np.bool_)):
        return False
    return is_dim(item) or (hasattr(item, "__index__") and getattr(item, "shape", ()) == ())


def _inside(item: Any, size: Size, axis: int) -> Size:
    place: Size = item if is_dim(item) else item.__index__()
    if not (place < size and place >= -size):
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {size}")
    return place if place >= 0 else place + size


def _places(item: Any) -> SymbolicArray:
    places = lift(item)
    if places.dtype == np.bool_:
        raise unsupported("a boolean mask as an index")
    if places.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return places


def clamp(item: slice, size: Size) -> tuple[Size, Size, int]:
    """First place, number of places and step of a slice of an axis of that size, as `slice.indices` has it."""
    step = 1 if item.step is None else item.step.__index__()
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step > 0:
        first = _clamped(item.start, 0, size, 0, size)
        last = _clamped(item.stop, size, size, 0, size)
        if item.start is None and item.stop is None:
            return 0, size if step == 1 else -((-size) // step), step
        length = last - first
    else:
        first = _clamped(item.start, size - 1, size, -1, size - 1)
        last = _clamped(item.stop, -1, size, -1, size - 1)
        length = first - last
    if not length > 0:
        return 0, 0, step
    return first, -((-length) // abs(step)), step


def _clamped(value: Any, default: Size, size: Size, low: Size, high: Size) -> Size:
    if value is None:
        return default
    place: Size = value if is_dim(value) else value.__index__()
    if type(place) is int and type(size) is int:
        place = place + size if place < 0 else place
        return max(low, min(high, place))
    if place < 0:
        place = place + size
        return place if place >= low else low
    return place if place <= high else high
