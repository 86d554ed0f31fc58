"""The square brackets: slices clamp as Python's do, integers drop an axis, None adds one, arrays pick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...dims import Size, identical, is_dim
from ...graph.node import Node, Shape, require
from ...graph.ops import Broadcast, Concatenate, Constant, Elementwise, Gather, Iota, Opaque, Reshape, Slice, Transpose
from ..recording import current_graph
from .array import SymbolicArray, unsupported
from .lower import broadcast_shapes, is_symbolic, lift, record, reshape


@dataclass(frozen=True)
class Part:
    """What a key selects of an array: a slice of every axis, the shape after new and dropped axes, and index arrays."""

    start: Shape
    extent: Shape
    step: tuple[int, ...]
    result: Shape
    picks: tuple[tuple[int, SymbolicArray], ...]
    text: str

    def shape_of_result(self) -> Shape:
        """The shape with index arrays taken into account."""
        common, first = _picked(self.picks)
        rest = [(i, s) for i, s in enumerate(self.result) if i not in {place for place, _ in self.picks}]
        before = tuple(s for i, s in rest if i < first)
        return (*before, *common, *(s for i, s in rest if i >= first))


def _picked(picks: tuple[tuple[int, SymbolicArray], ...]) -> tuple[Shape, int]:
    """The common shape of index arrays, and where it stands: at the first, or in front where they are apart."""
    common = broadcast_shapes([p.shape for _, p in picks], "index arrays")
    places = [place for place, _ in picks]
    together = places == list(range(places[0], places[0] + len(places)))
    return common, places[0] if together else 0


def select_part(array: SymbolicArray, key: Any, *, clamping: bool = False) -> Part:
    """The key read against the array's shape; `clamping` takes a place outside an axis for the nearest inside.

    Raises:
        IndexError: too many indices, or an integer outside its axis on this path.
        Unsupported: a boolean mask among other indices.
    """
    keys = list(key) if isinstance(key, tuple) else [key]
    used = sum(k is not None and k is not Ellipsis for k in keys)
    if used > array.ndim:
        raise IndexError(f"too many indices for array: array is {array.ndim}-dimensional, but {used} were indexed")
    if sum(k is Ellipsis for k in keys) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if not any(k is Ellipsis for k in keys):
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
            first, count, stride = _inside(item, size, axis, clamping), 1, 1
        else:
            first, count, stride = 0, size, 1
            picks.append((len(result), _places(item, size, axis, clamping)))
            result.append(size)
        start.append(first)
        extent.append(count)
        step.append(stride)
        axis += 1
    text = f"[{', '.join(map(str, array.shape))}]"
    return Part(tuple(start), tuple(extent), tuple(step), tuple(result), tuple(picks), text)


def get_item(array: SymbolicArray, key: Any, *, clamping: bool = False) -> SymbolicArray:
    """What `array[key]` is.

    Raises:
        IndexError: too many indices, or an integer outside its axis on this path.
        Unsupported: boolean masks among other indices.
    """
    if (is_symbolic(key) or isinstance(key, (np.ndarray, list))) and lift(key).dtype == np.bool_:
        return _masked(array, lift(key))
    part = select_part(array, key, clamping=clamping)
    extent, start, step = part.extent, part.start, part.step
    whole = (
        all(type(s) is int and s == 0 for s in start)
        and all(map(identical, extent, array.shape))
        and all(s == 1 for s in step)
    )
    sliced = array if whole else record(Slice(tuple(start), tuple(extent), tuple(step)), array.node, dtype=array.dtype)
    shaped = reshape(sliced, part.result)
    if len(part.picks) > 1:
        target = part.shape_of_result()
        return record(
            Opaque("take", target, (None,) * len(target)),
            shaped.node,
            *(p.node for _, p in part.picks),
            dtype=array.dtype,
        )
    for place, places in part.picks:
        shaped = record(Gather(place), shaped.node, places.node, dtype=array.dtype)
    return shaped


def _masked(array: SymbolicArray, mask: SymbolicArray) -> SymbolicArray:
    """`array[mask]`: as many rows as the mask has True, a size of its own."""
    if mask.ndim > array.ndim:
        raise IndexError(f"too many indices for array: array is {array.ndim}-dimensional, but {mask.ndim} were indexed")
    for axis, (size, mine) in enumerate(zip(mask.shape, array.shape, strict=False)):
        require(size == mine, f"boolean index of axis {axis}: mask has {size}, array has {mine}")
    target = (current_graph().count_of(mask.node), *array.shape[mask.ndim :])
    origin = (None, *range(mask.ndim, array.ndim))
    return record(Opaque("compress", target, origin), array.node, mask.node, dtype=array.dtype)


def _is_integer(item: Any) -> bool:
    if is_symbolic(item) or isinstance(item, (bool, np.bool_)):
        return False
    return is_dim(item) or (hasattr(item, "__index__") and getattr(item, "shape", ()) == ())


def _inside(item: Any, size: Size, axis: int, clamping: bool) -> Size:
    place: Size = item if is_dim(item) else item.__index__()
    if not (place < size and place >= -size):
        if clamping:
            require(size >= 1, f"index {place} into axis {axis} of size {size}")
            return 0 if place < 0 else size - 1
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {size}")
    return place if place >= 0 else place + size


def _places(item: Any, size: Size, axis: int, clamping: bool) -> SymbolicArray:
    places = lift(item)
    if places.dtype == np.bool_:
        raise unsupported("a boolean mask among other indices")
    if places.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if not clamping:
        inside_axis(places, size, axis)
    return places


def inside_axis(places: SymbolicArray, size: Size, axis: int) -> None:
    """States that the places lie inside the axis, where they are known from sizes alone.

    Places that come from an input's values are taken to be inside: no size can say it.
    """
    if any(s == 0 for s in places.shape):
        return
    require(size != 0, f"index into axis {axis} of size {size}")
    for node in _joined(places.node):
        _inside_bounds(node, size, axis)


def _joined(node: Node) -> list[Node]:
    """A list of indices is its entries side by side."""
    if isinstance(node.op, Concatenate):
        return [part for other in node.inputs for part in _joined(other)]
    return [node]


def _inside_bounds(node: Node, size: Size, axis: int) -> None:
    bounds = bounds_of(node)
    if bounds is None:
        return
    low, high = bounds
    require(high < size, f"index {high} into axis {axis} of size {size}")
    require(low >= -size, f"index {low} into axis {axis} of size {size}")


def bounds_of(node: Node) -> tuple[Size, Size] | None:
    """The least and the largest element, where they follow from sizes: counted places, shifted or scaled."""
    op, inputs = node.op, node.inputs
    if isinstance(op, Iota):
        return 0, op.size - 1
    if isinstance(op, Constant):
        if isinstance(op.value, np.ndarray) and op.value.size and op.value.dtype.kind in "iu":
            return int(op.value.min()), int(op.value.max())
        value: Any = op.value
        return (value, value) if is_dim(value) or type(value) is int else None
    if isinstance(op, (Reshape, Broadcast, Transpose)) or (
        isinstance(op, Elementwise) and op.function in ("copy", "cast")
    ):
        return bounds_of(inputs[0])
    if isinstance(op, Slice):
        inner = inputs[0]
        if isinstance(inner.op, Iota):
            last = op.start[0] + (op.extent[0] - 1) * op.step[0]
            return (op.start[0], last) if op.step[0] > 0 else (last, op.start[0])
        return bounds_of(inner)
    if isinstance(op, Elementwise) and op.function in ("add", "subtract", "multiply"):
        left, right = map(bounds_of, inputs)
        if left is None or right is None:
            return None
        if op.function == "add":
            return left[0] + right[0], left[1] + right[1]
        if op.function == "subtract":
            return left[0] - right[1], left[1] - right[0]
        if type(right[0]) is int and str(right[0]) == str(right[1]) and right[0] >= 0:
            return left[0] * right[0], left[1] * right[0]
    return None


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
