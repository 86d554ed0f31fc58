"""NumPy's functions that are seldom seen in attention: blocks, quantiles, partitions, powers of a matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...graph.node import require
from ...graph.primitive import elements
from .algebra import _square  # pyright: ignore[reportPrivateUsage]
from .array import SymbolicArray, unsupported
from .functions import TABLE, dispatch, implements
from .lower import broadcast_shapes, lift, matmul, normal_axes, normal_axis, reshape
from .ordering import along, opaque


@implements(np.dstack)
def _dstack(tup: Any, **_: Any) -> SymbolicArray:
    arrays = [_three(lift(a)) for a in tup]
    return dispatch(np.concatenate, (arrays, 2), {})


def _three(array: SymbolicArray) -> SymbolicArray:
    """At least three axes, as `np.atleast_3d` puts them."""
    if array.ndim >= 3:
        return array
    if array.ndim == 2:
        return reshape(array, (*array.shape, 1))
    return reshape(array, (1, *array.shape, 1) if array.ndim else (1, 1, 1))


@implements(np.block)
def _block(arrays: Any) -> SymbolicArray:
    depth = _depth(arrays)
    rank = max(depth, *(a.ndim for a in _leaves(arrays)))
    return _joined(arrays, depth, rank)


def _depth(part: Any) -> int:
    return 1 + max(map(_depth, part)) if isinstance(part, list) else 0


def _leaves(part: Any) -> list[SymbolicArray]:
    return [leaf for p in part for leaf in _leaves(p)] if isinstance(part, list) else [lift(part)]


def _joined(part: Any, depth: int, rank: int) -> SymbolicArray:
    """Innermost lists are joined along the last axis, the next ones along the axis before it."""
    if not isinstance(part, list):
        array = lift(part)
        return reshape(array, (*(1,) * (rank - array.ndim), *array.shape)) if array.ndim < rank else array
    if any(_depth(p) != depth - 1 for p in part):
        raise ValueError("List depths are mismatched")
    return dispatch(np.concatenate, ([_joined(p, depth - 1, rank) for p in part], -depth), {})


@implements(np.rot90)
def _rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> SymbolicArray:
    array = lift(m)
    first, second = normal_axes(tuple(axes), array.ndim)
    turns = k % 4
    if turns == 0:
        return array
    if turns == 2:
        return dispatch(np.flip, (array, (first, second)), {})
    if turns == 1:
        return dispatch(np.swapaxes, (dispatch(np.flip, (array, second), {}), first, second), {})
    return dispatch(np.flip, (dispatch(np.swapaxes, (array, first, second), {}), second), {})


def _quantile(name: str) -> Callable[..., Any]:
    def row(a: Any, q: Any, axis: Any = None, *_: Any, keepdims: Any = False, **__: Any) -> SymbolicArray:
        array, wanted = lift(a), lift(q)
        places = normal_axes(axis, array.ndim)
        top = 100 if name.endswith("percentile") else 1
        if type(q) in (int, float) and not 0 <= q <= top:
            raise ValueError(f"{name} must be in the range [0, {top}]")
        if array.dtype.kind == "b":
            raise TypeError(f"{name} of truth values")
        if not name.startswith("nan"):
            for place in places:
                require(array.shape[place] != 0, f"{name} over axis {place} needs an element")
        rest = tuple(1 if i in places else s for i, s in enumerate(array.shape) if keepdims or i not in places)
        origin = tuple(None if i in places else i for i in range(array.ndim) if keepdims or i not in places)
        dtype = array.dtype if array.dtype.kind == "f" else np.dtype(np.float64)
        return opaque(name, (*wanted.shape, *rest), (*(None,) * wanted.ndim, *origin), array, wanted, dtype=dtype)

    return row


for _name in ("quantile", "percentile", "nanquantile", "nanpercentile"):
    TABLE[getattr(np, _name)] = _quantile(_name)


def _partition(name: str) -> Callable[..., Any]:
    def row(a: Any, kth: Any, axis: Any = -1, *_: Any, **__: Any) -> SymbolicArray:
        array = lift(a) if axis is not None else reshape(lift(a), (elements(lift(a).shape),))
        size = array.shape[normal_axis(-1 if axis is None else axis, array.ndim)]
        for place in kth if isinstance(kth, (tuple, list)) else (kth,):
            if not (place < size and place >= -size):
                raise ValueError(f"kth(={place}) out of bounds ({size})")
        return along(name, array, np.int64 if name == "argpartition" else array.dtype)

    return row


for _name in ("partition", "argpartition"):
    TABLE[getattr(np, _name)] = _partition(_name)


@implements(np.put_along_axis)
def _put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    from .updating import fit, write

    array, places = lift(arr), lift(indices)
    if arr is not array:
        raise unsupported("numpy.put_along_axis into a real array")
    if axis is None or array.ndim != places.ndim:
        raise unsupported("numpy.put_along_axis of arrays of different rank")
    place = normal_axis(axis, array.ndim)
    others = broadcast_shapes(
        [tuple(s for i, s in enumerate(x.shape) if i != place) for x in (array, places)], "put_along_axis"
    )
    part = (*others[:place], places.shape[place], *others[place:])
    fitted = fit(lift(values), part, "put_along_axis")
    write(array, opaque("put_along_axis", array.shape, tuple(range(array.ndim)), array, fitted, dtype=array.dtype))


@implements(np.linalg.matrix_power)
def _matrix_power(a: Any, n: Any) -> SymbolicArray:
    array = lift(a)
    _square(array, "matrix_power")
    if isinstance(n, float):
        raise TypeError("exponent must be an integer")
    if type(n) is not int or not 1 <= n <= 16:
        return opaque("matrix_power", array.shape, (None,) * array.ndim, array, dtype=array.dtype)
    result = array
    for _ in range(n - 1):
        result = matmul(result, array)
    return result


def _component(name: str) -> Callable[..., Any]:
    def row(val: Any) -> SymbolicArray:
        array = lift(val)
        if array.dtype.kind != "c":
            return array if name == "real" else dispatch(np.zeros_like, (array,), {})
        return along(name, array, np.real(np.zeros((), array.dtype)).dtype)

    return row


TABLE[np.real], TABLE[np.imag] = _component("real"), _component("imag")
