"""jax.lax: slices that clamp, reductions with plain axes, reshapes that stretch nothing by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dims import identical, is_dim
from ...graph.node import Node, require
from ...graph.ops import Constant, Opaque, Slice, Update
from ...terms import Term
from ..numpy.array import SymbolicArray, unsupported
from ..numpy.functions import dispatch
from ..numpy.lower import broadcast_to, constant_value, normal_axis, record, reduce, reshape, transpose
from ..numpy.rearranging import cut
from .array import SymbolicJaxArray
from .creation import shape_of
from .elementwise import element_type
from .lowering import alike, lifted, wrapped
from .table import RULES, implements, rule
from .types import jax_types, kind_of_type, promoted


def plain_axes(axes: Any) -> None:
    """jax.lax counts axes from the front only."""
    if any(int(a) < 0 for a in axes):
        raise ValueError(f"jax.lax takes no negative axes, got {tuple(axes)}")


@implements("jax.lax.stop_gradient", "jax.lax.with_sharding_constraint", "jax.lax.optimization_barrier")
def _as_it_is(x: Any, *_: Any, **__: Any) -> Any:
    return x


RULES["jax.lax.reduce_precision"] = RULES["jax.reshard"] = RULES["jax.lax.pcast"] = _as_it_is


@implements("jax.lax.reshape")
def _reshape(operand: Any, new_sizes: Any, dimensions: Any = None, **_: Any) -> SymbolicJaxArray:
    array = lifted(operand)
    for size in shape_of(new_sizes):
        require(size >= 0, "a size is not negative")
    with jax_types():
        ordered = array if dimensions is None else transpose(array, dimensions)
        return SymbolicJaxArray(reshape(ordered, shape_of(new_sizes)))


@implements("jax.lax.transpose")
def _transpose(operand: Any, permutation: Any) -> SymbolicJaxArray:
    plain_axes(permutation)
    return rule("jax.numpy.transpose")(operand, tuple(permutation))


@implements("jax.lax.squeeze")
def _squeeze(array: Any, dimensions: Any) -> SymbolicJaxArray:
    return rule("jax.numpy.squeeze")(array, tuple(dimensions))


@implements("jax.lax.expand_dims")
def _expand_dims(array: Any, dimensions: Any) -> SymbolicJaxArray:
    return rule("jax.numpy.expand_dims")(array, tuple(dimensions))


@implements("jax.lax.broadcast")
def _broadcast(operand: Any, sizes: Any, **_: Any) -> SymbolicJaxArray:
    array = lifted(operand)
    for size in shape_of(sizes):
        require(size >= 0, "a size is not negative")
    return rule("jax.numpy.broadcast_to")(operand, (*shape_of(sizes), *array.shape))


@implements("jax.lax.broadcast_in_dim")
def _broadcast_in_dim(operand: Any, shape: Any, broadcast_dimensions: Any, **_: Any) -> SymbolicJaxArray:
    """Axis i of the operand becomes axis `broadcast_dimensions[i]`; it has that axis's size, or 1."""
    array, extent = lifted(operand), shape_of(shape)
    places = [int(p) for p in broadcast_dimensions]
    plain_axes(places)
    if sorted(set(places)) != places:
        raise TypeError(f"broadcast_in_dim broadcast_dimensions must be strictly increasing, got {places}")
    require(len(places) == array.ndim, "broadcast_in_dim: an axis for each of the operand's")
    wide: list[Any] = [1] * len(extent)
    for size, place in zip(array.shape, places, strict=True):
        wide[place] = size
        if not (type(size) is int and size == 1):
            require(size == extent[place] if size != 1 else True, f"broadcasting axis {place} of broadcast_in_dim")
    with jax_types():
        return SymbolicJaxArray(broadcast_to(reshape(array, tuple(wide)), extent))


@implements("jax.lax.concatenate")
def _concatenate(operands: Any, dimension: int) -> SymbolicJaxArray:
    plain_axes((dimension,))
    if len({promoted(o)[0] for o in operands}) > 1:
        raise TypeError("lax.concatenate requires arguments to have the same dtypes.")
    return rule("jax.numpy.concatenate")(list(operands), dimension)


@implements("jax.lax.collapse")
def _collapse(operand: Any, start_dimension: int, stop_dimension: Any = None) -> SymbolicJaxArray:
    array = lifted(operand)
    first = normal_axis(start_dimension, array.ndim)
    last = array.ndim if stop_dimension is None else stop_dimension
    last = last + array.ndim if last < 0 else min(last, array.ndim)
    if first > last:
        raise ValueError(f"Invalid dimension range passed to collapse: {array.shape}[{first}:{last}]")
    with jax_types():
        joined: Any = 1
        for size in array.shape[first:last]:
            joined = joined * size
        return SymbolicJaxArray(reshape(array, (*array.shape[:first], joined, *array.shape[last:])))


@implements("jax.lax.rev")
def _rev(operand: Any, dimensions: Any) -> SymbolicJaxArray:
    plain_axes(dimensions)
    return rule("jax.numpy.flip")(operand, tuple(dimensions))


# -- slices ---------------------------------------------------------------------------------------


@implements("jax.lax.slice")
def _slice(operand: Any, start_indices: Any, limit_indices: Any, strides: Any = None) -> SymbolicJaxArray:
    array = lifted(operand)
    steps = strides or (1,) * array.ndim
    starts, limits = shape_of(start_indices), shape_of(limit_indices)
    for axis, (start, limit, size) in enumerate(zip(starts, limits, array.shape, strict=True)):
        require(start >= 0, f"index {start} into axis {axis} of size {size}")
        require(limit <= size, f"index {limit} into axis {axis} of size {size}")
        require(start <= limit, f"index {start} after {limit} in axis {axis}")
    extent = tuple(-((a - b) // s) for a, b, s in zip(starts, limits, steps, strict=True))
    with jax_types():
        return SymbolicJaxArray(record(Slice(starts, extent, tuple(steps)), array.node, dtype=array.dtype))


@implements("jax.lax.slice_in_dim")
def _slice_in_dim(operand: Any, start_index: Any, limit_index: Any, stride: int = 1, axis: int = 0) -> Any:
    array = lifted(operand)
    place = normal_axis(axis, array.ndim)
    size = array.shape[place]
    start = 0 if start_index is None else start_index
    limit = size if limit_index is None else limit_index
    marks = {"start": start + size if start < 0 else start, "limit": limit + size if limit < 0 else limit}
    if stride <= 0:
        raise TypeError(f"slice strides must be positive, got {stride}")
    starts = [marks["start"] if i == place else 0 for i in range(array.ndim)]
    limits = [marks["limit"] if i == place else s for i, s in enumerate(array.shape)]
    return _slice(operand, starts, limits, tuple(stride if i == place else 1 for i in range(array.ndim)))


@implements("jax.lax.index_in_dim")
def _index_in_dim(operand: Any, index: Any, axis: int = 0, keepdims: bool = True) -> Any:
    array = lifted(operand)
    place = normal_axis(axis, array.ndim)
    require(index < array.shape[place], f"index {index} into axis {place} of size {array.shape[place]}")
    require(index >= -array.shape[place], f"index {index} into axis {place} of size {array.shape[place]}")
    picked = SymbolicJaxArray(array)[(slice(None),) * place + (index,)]
    return rule("jax.numpy.expand_dims")(picked, place) if keepdims else picked


def known_place(value: Any) -> Any:
    """A start as a size, where it is one; None where it depends on values."""
    if is_dim(value) or type(value) is int or isinstance(value, np.integer):
        return value if is_dim(value) else int(value)
    array = lifted(value)
    found = constant_value(array.node)
    if found is None or type(found) is Term:
        op = array.node.op
        if isinstance(op, Constant) and isinstance(op.value, np.ndarray) and op.value.ndim == 0:
            return int(op.value)
        return None
    return found if is_dim(found) else int(found)


@implements("jax.lax.dynamic_slice")
def _dynamic_slice(operand: Any, start_indices: Any, slice_sizes: Any, **_: Any) -> SymbolicJaxArray:
    """Slices whose start may depend on values: it is clamped so that the slice fits, which must be possible."""
    array, sizes = lifted(operand), shape_of(slice_sizes)
    starts = list(start_indices) if isinstance(start_indices, (list, tuple)) else _split_starts(start_indices, array)
    _places_of("dynamic_slice", starts)
    require(len(starts) == len(sizes) == array.ndim, "dynamic_slice: a start and a size for each axis")
    for extent in sizes:
        require(extent >= 0, "a size is not negative")
    for axis, (extent, size) in enumerate(zip(sizes, array.shape, strict=True)):
        require(extent <= size, f"index: a slice of {extent} in axis {axis} of size {size}")
    with jax_types():
        return SymbolicJaxArray(_taken(array, starts, sizes))


def _places_of(name: str, starts: list[Any]) -> None:
    """Starts are whole numbers, one for each axis."""
    for start in starts:
        if lifted(start).shape:
            raise TypeError(f"start_indices arguments to {name} must be scalars.")
        if kind_of_type(promoted(start)[0]) != "i":
            raise TypeError(f"index arguments to {name} must be integers of the same type.")


def _split_starts(starts: Any, array: SymbolicArray) -> list[Any]:
    line = lifted(starts)
    require(line.ndim == 1, "index: the starts of a dynamic slice are one row")
    require(line.shape[0] == array.ndim, "index: a dynamic slice has a start for each axis")
    return [SymbolicJaxArray(lifted(starts))[i] for i in range(array.ndim)]


def _taken(array: SymbolicArray, starts: list[Any], sizes: tuple[Any, ...]) -> SymbolicArray:
    unknown: list[Node] = []
    for axis, (start, extent, size) in enumerate(zip(starts, sizes, array.shape, strict=True)):
        if identical(extent, size):
            continue
        place = known_place(start)
        if place is None:
            unknown.append(lifted(start).node)
            continue
        place = place + size if place < 0 else place
        place = place if place <= size - extent else size - extent
        array = cut(array, axis, place, extent)
    if not unknown:
        return array
    origin = tuple(range(array.ndim))
    return record(Opaque("dynamic_slice", sizes, origin), array.node, *unknown, dtype=array.dtype)


@implements("jax.lax.dynamic_slice_in_dim")
def _dynamic_slice_in_dim(operand: Any, start_index: Any, slice_size: Any, axis: int = 0, **_: Any) -> Any:
    array = lifted(operand)
    place = normal_axis(axis, array.ndim)
    starts = [start_index if i == place else 0 for i in range(array.ndim)]
    return _dynamic_slice(operand, starts, tuple(slice_size if i == place else s for i, s in enumerate(array.shape)))


@implements("jax.lax.dynamic_index_in_dim")
def _dynamic_index_in_dim(operand: Any, index: Any, axis: int = 0, keepdims: bool = True, **_: Any) -> Any:
    picked = _dynamic_slice_in_dim(operand, index, 1, axis)
    return picked if keepdims else rule("jax.numpy.squeeze")(picked, axis)


@implements("jax.lax.dynamic_update_slice")
def _dynamic_update_slice(operand: Any, update: Any, start_indices: Any, **_: Any) -> SymbolicJaxArray:
    array, part = lifted(operand), lifted(update)
    if array.dtype != part.dtype:
        raise TypeError(
            f"lax.dynamic_update_slice requires arguments to have the same dtypes, got {array.dtype}, {part.dtype}."
        )
    require(array.ndim == part.ndim, "assigning with dynamic_update_slice: operand and update of one rank")
    for axis, (extent, size) in enumerate(zip(part.shape, array.shape, strict=True)):
        require(extent <= size, f"assigning with dynamic_update_slice to axis {axis}: {extent} into {size}")
    starts = list(start_indices) if isinstance(start_indices, (list, tuple)) else _split_starts(start_indices, array)
    _places_of("dynamic_update_slice", starts)
    require(len(starts) == array.ndim, "assigning with dynamic_update_slice: a start for each axis")
    places = [0 if identical(e, s) else known_place(p) for p, e, s in zip(starts, part.shape, array.shape, strict=True)]
    with jax_types():
        if any(p is None for p in places):
            unknown = [lifted(s).node for s, p in zip(starts, places, strict=True) if p is None]
            op = Opaque("dynamic_update_slice", array.shape, tuple(range(array.ndim)))
            return SymbolicJaxArray(record(op, array.node, part.node, *unknown, dtype=array.dtype))
        inside = []
        for place, extent, size in zip(places, part.shape, array.shape, strict=True):
            first = place + size if place < 0 else place
            inside.append(first if first <= size - extent else size - extent)
        op = Update(tuple(inside), part.shape, (1,) * array.ndim)
        return SymbolicJaxArray(record(op, array.node, part.node, dtype=array.dtype))


@implements("jax.lax.dynamic_update_slice_in_dim")
def _dynamic_update_slice_in_dim(operand: Any, update: Any, start_index: Any, axis: int, **_: Any) -> Any:
    array = lifted(operand)
    place = normal_axis(axis, array.ndim)
    return _dynamic_update_slice(operand, update, [start_index if i == place else 0 for i in range(array.ndim)])


@implements("jax.lax.dynamic_update_index_in_dim")
def _dynamic_update_index_in_dim(operand: Any, update: Any, index: Any, axis: int, **_: Any) -> Any:
    part = lifted(update)
    wide = rule("jax.numpy.expand_dims")(update, axis) if part.ndim < lifted(operand).ndim else update
    return _dynamic_update_slice_in_dim(operand, wide, index, axis)


@implements("jax.lax.pad")
def _pad(operand: Any, padding_value: Any, padding_config: Any) -> SymbolicJaxArray:
    array = lifted(operand)
    if len(padding_config) != array.ndim or lifted(padding_value).shape:
        raise ValueError("lax.pad takes a scalar and a triple of widths for each axis")
    if promoted(padding_value)[0] != array.dtype:
        raise TypeError(f"pad operand and padding_value must be same dtype: got {array.dtype}.")
    for low, high, interior in padding_config:
        if interior or not (low >= 0 and high >= 0):
            raise unsupported("jax.lax.pad with interior or negative padding")
    widths = [(low, high) for low, high, _ in padding_config]
    with jax_types():
        return wrapped(dispatch(np.pad, (array, widths), {"constant_values": lifted(padding_value)}))


# -- reductions and accumulations -----------------------------------------------------------------

REDUCING = {"sum": "sum", "prod": "product", "max": "max", "min": "min", "and": "all", "or": "any"}


def _reducing(kind: str) -> Callable[..., Any]:
    def row(operand: Any, axes: Any, **_: Any) -> SymbolicJaxArray:
        array = lifted(operand)
        plain_axes(axes)
        with jax_types():
            return SymbolicJaxArray(reduce(kind, array, tuple(axes), False, array.dtype))

    return row


for _name, _kind in REDUCING.items():
    RULES[f"jax.lax.reduce_{_name}"] = _reducing(_kind)


def _accumulating(name: str) -> Callable[..., Any]:
    def row(operand: Any, axis: int = 0, reverse: bool = False, **_: Any) -> SymbolicJaxArray:
        array = lifted(operand)
        plain_axes((axis,))
        normal_axis(axis, array.ndim)
        op = Opaque(name, array.shape, tuple(range(array.ndim)))
        return SymbolicJaxArray(record(op, array.node, dtype=array.dtype))

    return row


for _name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"):
    RULES[f"jax.lax.{_name}"] = _accumulating(_name)


@implements("jax.lax.argmax", "jax.lax.argmin")
def _arg(operand: Any, axis: int, index_dtype: Any = None) -> SymbolicJaxArray:
    plain_axes((axis,))
    if index_dtype is not None and kind_of_type(element_type(index_dtype)) != "i":
        raise TypeError(f"index_dtype must be an integer type, but got {index_dtype}")
    found = rule("jax.numpy.argmax")(operand, axis)
    return found if index_dtype is None else rule("jax.numpy.astype")(found, index_dtype)


@implements("jax.lax.top_k")
def _top_k(operand: Any, k: Any, *, axis: int = -1) -> list[SymbolicJaxArray]:
    """The k largest along an axis, which must have so many, and their places."""
    array = lifted(operand)
    place = normal_axis(axis, array.ndim)
    require(k >= 0, "a size is not negative")
    require(k <= array.shape[place], f"index: top_k of {k} among {array.shape[place]}")
    shape = (*array.shape[:place], k, *array.shape[place + 1 :])
    op = Opaque("top_k", shape, tuple(None if i == place else i for i in range(array.ndim)))
    with jax_types():
        return [SymbolicJaxArray(record(op, array.node, dtype=d)) for d in (array.dtype, np.int32)]


@implements("jax.lax.sort")
def _sort(operand: Any, dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Any:
    if isinstance(operand, (list, tuple)):
        shapes = [lifted(x).shape for x in operand]
        if not 1 <= num_keys <= len(shapes):
            raise ValueError(f"num_keys={num_keys} must be between 1 and len(operand)={len(shapes)}")
        for shape in shapes[1:]:
            require(len(shape) == len(shapes[0]), "operands of lax.sort have one shape")
            for mine, theirs in zip(shape, shapes[0], strict=True):
                require(mine == theirs, "operands of lax.sort have one shape")
        return tuple(rule("jax.numpy.sort")(x, axis=dimension) for x in operand)
    return rule("jax.numpy.sort")(operand, axis=dimension)


@implements("jax.lax.conv_general_dilated")
def _conv(
    lhs: Any, rhs: Any, window_strides: Any, padding: Any, lhs_dilation: Any = None, rhs_dilation: Any = None,
    dimension_numbers: Any = None, feature_group_count: Any = 1, batch_group_count: Any = 1, **_: Any,
) -> SymbolicJaxArray:  # fmt: skip
    """A convolution's shape: channels must agree; values are not followed.

    Source: StableHLO specification, convolution.
    """
    arrays, dtype, _weak = alike(lhs, rhs)
    image, kernel = arrays
    orders = _orders(dimension_numbers, image.ndim)
    (batch, channels, *space), (out, into, *window), (to_batch, to_channels, *to_space) = orders
    require(image.ndim == kernel.ndim, "convolution: image and kernel of one rank")
    if batch_group_count != 1:
        raise unsupported("jax.lax.conv_general_dilated with batch_group_count")
    require(
        image.shape[channels] == kernel.shape[into] * feature_group_count,
        f"axis {channels} of [{', '.join(map(str, image.shape))}] against axis {into} of the kernel",
        (image.shape, kernel.shape),
    )
    require(kernel.shape[out] % feature_group_count == 0, "splitting the kernels by feature_group_count")
    pads = padding
    if not isinstance(padding, str):
        pads = [tuple(p) for p in padding]
    shape: list[Any] = [0] * image.ndim
    shape[to_batch], shape[to_channels] = image.shape[batch], kernel.shape[out]
    for number, (axis, place, target) in enumerate(zip(space, window, to_space, strict=True)):
        stride = window_strides[number]
        spread = 1 if lhs_dilation is None else lhs_dilation[number]
        hole = 1 if rhs_dilation is None else rhs_dilation[number]
        size = (image.shape[axis] - 1) * spread + 1
        reach = (kernel.shape[place] - 1) * hole + 1
        if isinstance(pads, str):
            if pads.upper() not in ("SAME", "VALID"):
                raise unsupported(f"jax.lax.conv_general_dilated with padding={pads!r}")
            places = -((-size) // stride) if pads.upper() == "SAME" else (size - reach) // stride + 1
        else:
            low, high = pads[number]
            places = (size + low + high - reach) // stride + 1
        shape[target] = places if places >= 0 else 0
    origin = [None] * image.ndim
    with jax_types():
        op = Opaque("convolution", tuple(shape), tuple(batch if i == to_batch else None for i, _ in enumerate(origin)))
        return SymbolicJaxArray(record(op, image.node, kernel.node, dtype=dtype))


def _orders(numbers: Any, rank: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    if numbers is None:
        plain = tuple(range(rank))
        return plain, plain, plain
    if hasattr(numbers, "lhs_spec"):
        return numbers.lhs_spec, numbers.rhs_spec, numbers.out_spec
    lhs, rhs, out = numbers
    if not all(isinstance(n, str) for n in (lhs, rhs, out)):
        return tuple(lhs), tuple(rhs), tuple(out)
    inner = [c for c in lhs if c not in "NC"]
    return (
        (lhs.index("N"), lhs.index("C"), *(lhs.index(c) for c in inner)),
        (rhs.index("O"), rhs.index("I"), *(rhs.index(c) for c in inner)),
        (out.index("N"), out.index("C"), *(out.index(c) for c in inner)),
    )


@implements("jax.ops.segment_sum", "jax.ops.segment_max", "jax.ops.segment_min", "jax.ops.segment_prod")
def _segment(data: Any, segment_ids: Any, num_segments: Any = None, *_: Any, **__: Any) -> SymbolicJaxArray:
    array, places = lifted(data), lifted(segment_ids)
    if num_segments is None:
        raise unsupported("jax.ops.segment_sum without num_segments")
    if places.ndim != 1:
        raise unsupported("jax.ops.segment_sum with ids of several axes")
    if places.dtype.kind not in "iu":
        raise TypeError("segment_sum takes whole numbers for ids")
    require(num_segments >= 0, "a size is not negative")
    require(array.shape[0] == places.shape[0], "index: an id for each row of a segment reduction")
    shape = (num_segments, *array.shape[1:])
    op = Opaque("segment", shape, (None, *range(1, array.ndim)))
    with jax_types():
        return SymbolicJaxArray(record(op, array.node, places.node, dtype=array.dtype))
