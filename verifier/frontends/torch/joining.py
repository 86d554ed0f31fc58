"""Joining, splitting and taking apart along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dims import Size
from ...graph.node import require
from ..loops.running import grown_arrays
from ..loops.values import side_by_side
from ..numpy.array import SymbolicArray
from ..numpy.functions import dispatch
from ..numpy.rearranging import cut
from .elements import numpy_type
from .framework import torch
from .layout import UNKNOWN, strides_of, tidy
from .shaping import axis_of, looking, size_of, sizes, unsqueezed
from .table import arr, as_tensor, implements, is_real, is_tensor, out
from .tensor import SymbolicTensor


def _of_grown(row: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The row, also of a list with a tensor for each iteration of a loop that is run for all counts."""

    def joined(tensors: Any, dim: Any = 0) -> Any:
        grown = grown_arrays(tensors)
        pair = row(tensors, dim)
        return pair if grown is None else out(side_by_side(arr(pair), grown, axis_of(dim, pair.ndim)), pair.dtype)

    return joined


@implements("cat", "concat", "concatenate")
@_of_grown
def concatenated(tensors: Any, dim: Any = 0) -> Any:
    """The tensors behind one another along an axis."""
    given = [as_tensor(t) for t in tensors]
    if not given:
        raise RuntimeError("torch.cat(): expected a non-empty list of Tensors")
    kept = [t for t in given if not (t.ndim == 1 and type(t.shape[0]) is int and t.shape[0] == 0)] or given[:1]
    for other in kept[1:]:
        require(other.ndim == kept[0].ndim, f"concatenating tensors of {kept[0].ndim} and {other.ndim} axes")
    if not kept[0].ndim:
        raise RuntimeError("zero-dimensional tensor (at position 0) cannot be concatenated")
    dtype = given[0].dtype
    for other in given[1:]:
        dtype = torch.promote_types(dtype, other.dtype)
    place = axis_of(dim, kept[0].ndim)
    result = dispatch(np.concatenate, ([arr(t) for t in kept],), {"axis": place, "dtype": numpy_type(dtype)})
    return out(result, dtype)


@implements("stack")
@_of_grown
def _stack(tensors: Any, dim: Any = 0) -> Any:
    given = [as_tensor(t) for t in tensors]
    if not given:
        raise RuntimeError("stack expects a non-empty TensorList")
    for other in given[1:]:
        require(other.ndim == given[0].ndim, "stacking tensors of different rank")
        for a, b in zip(given[0].shape, other.shape, strict=True):
            require(a == b, "stacking tensors of one shape")
    return concatenated([unsqueezed(t, dim) for t in given], dim)


@implements("hstack")
def _hstack(tensors: Any) -> Any:
    return concatenated(tensors, 0 if as_tensor(tensors[0]).ndim == 1 else 1)


@implements("vstack", "row_stack")
def _vstack(tensors: Any) -> Any:
    return concatenated([unsqueezed(t, 0) if as_tensor(t).ndim == 1 else t for t in tensors], 0)


def part(tensor: SymbolicTensor, axis: int, start: Size, extent: Size) -> SymbolicTensor:
    """A view of a run of places along an axis that surely lies inside."""
    shape = tuple(tensor.shape)
    strides = strides_of(tensor.memory, shape)
    target = tuple(extent if i == axis else s for i, s in enumerate(shape))

    def back(array: SymbolicArray, value: SymbolicArray) -> SymbolicArray:
        from .picking import replaced

        return replaced(
            array, tuple(slice(start, start + extent) if i == axis else slice(None) for i in range(len(shape))), value
        )

    return looking(
        tensor,
        lambda array: cut(array, axis, start, extent),
        back,
        UNKNOWN if strides is None else tidy(strides, target),
    )


@implements("narrow")
def _narrow(input: Any, dim: Any, start: Any, length: Any) -> Any:
    place, first, count = axis_of(dim, input.ndim), size_of(start), size_of(length)
    size = input.shape[place]
    if not first >= 0:
        first = first + size
    require(first + count <= size, f"index: narrowing axis {place} of size {size} to {count} places from {first}")
    return part(input, place, first, count)


@implements("select")
def _select(input: Any, dim: Any, index: Any) -> Any:
    place = axis_of(dim, input.ndim)
    return input[(slice(None),) * place + (index,)]


@implements("split", "split_with_sizes")
def _split(input: Any, split_size_or_sections: Any = None, dim: Any = 0, split_size: Any = None) -> Any:
    tensor = as_tensor(input)
    wanted = split_size if split_size_or_sections is None else split_size_or_sections
    place = axis_of(dim, tensor.ndim)
    size = tensor.shape[place]
    if isinstance(wanted, (tuple, list)):
        widths = list(map(size_of, wanted))
        total: Size = 0
        for width in widths:
            require(
                width >= 0, f"splitting axis {place} of size {size} into {' + '.join(map(str, widths))}: {width} < 0"
            )
            total = total + width
        require(total == size, f"splitting axis {place} of size {size} into {' + '.join(map(str, widths))}")
        return _pieces(tensor, place, widths)
    each = size_of(wanted)
    require(each >= 0, f"splitting axis {place} of size {size} into parts of {each}")
    if each == 0:
        require(size == 0, f"splitting axis {place} of size {size} into parts of 0")
        return _pieces(tensor, place, [0])
    if size == 0:
        return _pieces(tensor, place, [0])
    count = -(-size // each)
    if size % each == 0:
        return _pieces(tensor, place, [each] * (size // each).__index__())
    plain = count.__index__()
    return _pieces(tensor, place, [*[each] * (plain - 1), size - each * (plain - 1)])


def _pieces(tensor: SymbolicTensor, place: int, widths: list[Size]) -> tuple[SymbolicTensor, ...]:
    found: list[SymbolicTensor] = []
    start: Size = 0
    for width in widths:
        found.append(part(tensor, place, start, width))
        start = start + width
    return tuple(found)


@implements("chunk", "unsafe_chunk")
def _chunk(input: Any, chunks: Any, dim: Any = 0) -> Any:
    """Pieces of ceil(size / chunks): fewer than `chunks` of them where that leaves nothing for the last."""
    tensor = as_tensor(input)
    place, count = axis_of(dim, tensor.ndim), chunks.__index__()
    require(count > 0, f"splitting axis {place} into {count} chunks")
    size = tensor.shape[place]
    if size == 0:
        return _pieces(tensor, place, [0] * count)
    if size % count == 0:
        return _pieces(tensor, place, [size // count] * count)
    each, start = -(-size // count), 0
    widths: list[Size] = []
    while size - start > each:
        widths.append(each)
        start = start + each
    return _pieces(tensor, place, [*widths, size - start])


@implements("tensor_split")
def _tensor_split(input: Any, indices_or_sections: Any, dim: Any = 0) -> Any:
    parts = dispatch(np.array_split, (arr(input), indices_or_sections), {"axis": axis_of(dim, input.ndim)})
    return tuple(out(p, input.dtype) for p in parts)


@implements("unbind")
def _unbind(input: Any, dim: Any = 0) -> Any:
    place = axis_of(dim, input.ndim)
    return tuple(input[(slice(None),) * place + (i,)] for i in range(input.shape[place].__index__()))


@implements("meshgrid")
def _meshgrid(*tensors: Any, indexing: str = "ij") -> Any:
    given = list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else list(tensors)
    for line in map(as_tensor, given):
        if line.ndim > 1:
            raise RuntimeError(f"meshgrid: expected a line, got [{', '.join(map(str, line.shape))}]")
        if line.dtype is not as_tensor(given[0]).dtype:
            raise RuntimeError("torch.meshgrid expects all tensors to have the same dtype")
    lines = dispatch(np.meshgrid, tuple(arr(t) for t in given), {"indexing": indexing})
    return tuple(out(a, as_tensor(t).dtype, UNKNOWN) for a, t in zip(lines, given, strict=True))


@implements("cartesian_prod")
def _cartesian_prod(*tensors: Any) -> Any:
    for line in tensors:
        if not is_tensor(line) and not is_real(line):
            raise TypeError(f"cartesian_prod: expected a Tensor, got {type(line).__name__}")
        if line.ndim != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape [{', '.join(map(str, line.shape))}]")
    if len(tensors) == 1:
        return tensors[0]
    grid = _meshgrid(*tensors)
    return _stack([g.reshape(-1) for g in grid], -1)


@implements("fliplr")
def _fliplr(input: Any) -> Any:
    if input.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return _flip(input, 1)


@implements("flipud")
def _flipud(input: Any) -> Any:
    if input.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return _flip(input, 0)


@implements("flip")
def _flip(input: Any, *dims: Any) -> Any:
    return out(dispatch(np.flip, (arr(input), tuple(sizes(dims))), {}), input.dtype)


@implements("roll")
def _roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    return out(dispatch(np.roll, (arr(input), shifts), {"axis": dims}), input.dtype)


@implements("diff")
def _diff(input: Any, n: int = 1, dim: int = -1) -> Any:
    return out(dispatch(np.diff, (arr(input),), {"n": n, "axis": dim}), input.dtype)
