"""NumPy's functions that sort, search, accumulate and count: shapes are known, values are not looked into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dims import Size, symbol
from ...graph.node import Shape, require
from ...graph.ops import Opaque
from ...graph.primitive import elements
from ..recording import current_graph
from .array import SymbolicArray, unsupported
from .functions import TABLE, apply_ufunc, dispatch, implements
from .indexing import inside_axis
from .lower import broadcast_shapes, broadcast_to, elementwise, lift, normal_axes, normal_axis, record, reduce, reshape


def opaque(
    name: str, shape: Shape, origin: tuple[int | None, ...], *inputs: SymbolicArray, dtype: Any
) -> SymbolicArray:
    """A result whose values are not followed."""
    return record(Opaque(name, shape, origin), *(a.node for a in inputs), dtype=dtype)


def along(name: str, array: SymbolicArray, dtype: Any) -> SymbolicArray:
    """A result of the array's own shape."""
    return opaque(name, array.shape, tuple(range(array.ndim)), array, dtype=dtype)


def fresh_size() -> Size:
    """A size that only the data decide."""
    return symbol(f"count_{len(current_graph().nodes)}")


@implements(np.sort)
def _sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, **_: Any) -> SymbolicArray:
    array = lift(a) if axis is not None else reshape(lift(a), (elements(lift(a).shape),))
    normal_axis(-1 if axis is None else axis, array.ndim)
    return along("sort", array, array.dtype)


@implements(np.argsort)
def _argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, **_: Any) -> SymbolicArray:
    array = lift(a) if axis is not None else reshape(lift(a), (elements(lift(a).shape),))
    normal_axis(-1 if axis is None else axis, array.ndim)
    return along("argsort", array, np.int64)


@implements(np.argmax)
def _argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> SymbolicArray:
    return _index_of("argmax", lift(a), axis, keepdims is True)


@implements(np.argmin)
def _argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> SymbolicArray:
    return _index_of("argmin", lift(a), axis, keepdims is True)


def _index_of(name: str, array: SymbolicArray, axis: Any, keepdims: bool) -> SymbolicArray:
    if isinstance(axis, (tuple, list)):
        raise TypeError(f"{name} takes one axis, or None")
    places = normal_axes(axis, array.ndim) if array.shape or axis not in (0, -1) else ()
    for place in places:
        require(array.shape[place] != 0, f"{name} over axis {place} needs an element")
    kept = [i for i in range(array.ndim) if i not in places]
    result = opaque(name, tuple(array.shape[i] for i in kept), tuple(kept), array, dtype=np.int64)
    return reshape(result, tuple(1 if i in places else s for i, s in enumerate(array.shape))) if keepdims else result


def _accumulating(name: str, ufunc: np.ufunc) -> Callable[..., Any]:
    def row(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> SymbolicArray:
        array = lift(a) if axis is not None and lift(a).shape else reshape(lift(a), (elements(lift(a).shape),))
        if axis is not None:
            normal_axis(axis, array.ndim)
        result = np.dtype(dtype) if dtype is not None else ufunc.reduce(np.zeros(1, array.dtype)).dtype
        return along(name, array, result)

    return row


TABLE[np.cumsum], TABLE[np.cumprod] = _accumulating("cumsum", np.add), _accumulating("cumprod", np.multiply)


@implements(np.diff)
def _diff(a: Any, n: int = 1, axis: int = -1, **_: Any) -> SymbolicArray:
    array = lift(a)
    place = normal_axis(axis, array.ndim)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    for _step in range(n):
        size = array.shape[place]
        if not size >= 1:
            return array
        rest: list[Any] = [slice(None)] * array.ndim
        later, earlier = list(rest), list(rest)
        later[place], earlier[place] = slice(1, None), slice(None, -1)
        array = array[tuple(later)] - array[tuple(earlier)]
    return array


@implements(np.take_along_axis)
def _take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> SymbolicArray:
    array, places = lift(arr), lift(indices)
    if axis is None:
        array, axis = reshape(array, (elements(array.shape),)), 0
    if array.ndim != places.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    if places.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    place = normal_axis(axis, array.ndim)
    others = broadcast_shapes(
        [tuple(s for i, s in enumerate(x.shape) if i != place) for x in (array, places)], "take_along_axis"
    )
    shape = (*others[:place], places.shape[place], *others[place:])
    inside_axis(places, array.shape[place], place)
    return opaque(
        "take_along_axis",
        shape,
        tuple(None if i == place else i for i in range(len(shape))),
        array,
        places,
        dtype=array.dtype,
    )


@implements(np.nonzero)
def _nonzero(a: Any) -> tuple[SymbolicArray, ...]:
    array = lift(a)
    if not array.shape:
        raise ValueError("Calling nonzero on 0d arrays is not allowed.")
    count = fresh_size()
    return tuple(opaque("nonzero", (count,), (None,), array, dtype=np.int64) for _ in range(array.ndim))


@implements(np.argwhere)
def _argwhere(a: Any) -> SymbolicArray:
    array = lift(a)
    return opaque("argwhere", (fresh_size(), array.ndim), (None, None), array, dtype=np.int64)


@implements(np.flatnonzero)
def _flatnonzero(a: Any) -> SymbolicArray:
    return opaque("flatnonzero", (fresh_size(),), (None,), lift(a), dtype=np.int64)


@implements(np.unique)
def _unique(
    ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, **options: Any
) -> Any:
    if return_index or return_inverse or return_counts or options.get("axis") is not None:
        raise unsupported("numpy.unique with more than values")
    array = lift(ar)
    return opaque("unique", (fresh_size(),), (None,), array, dtype=array.dtype)


@implements(np.compress)
def _compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> SymbolicArray:
    array = lift(a) if axis is not None else reshape(lift(a), (elements(lift(a).shape),))
    place = 0 if axis is None else normal_axis(axis, array.ndim)
    if lift(condition).ndim != 1:
        raise ValueError("condition must be a 1-d array")
    shape = (*array.shape[:place], fresh_size(), *array.shape[place + 1 :])
    return opaque(
        "compress", shape, tuple(None if i == place else i for i in range(array.ndim)), array, dtype=array.dtype
    )


def line(array: SymbolicArray) -> None:
    """What NumPy takes for one row of numbers has exactly one axis."""
    if array.ndim != 1:
        raise ValueError(f"object {'too deep' if array.shape else 'of too small depth'} for desired array")


@implements(np.searchsorted)
def _searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> SymbolicArray:
    places, row = lift(v), lift(a)
    line(row)
    if sorter is not None:
        order = lift(sorter)
        if order.ndim != 1 or order.dtype.kind not in "iu":
            raise TypeError("sorter must be one row of integers")
        require(order.shape[0] == row.shape[0], "index: the sorter of searchsorted has a place for each element")
    return opaque("searchsorted", places.shape, tuple(range(places.ndim)), places, lift(a), dtype=np.int64)


@implements(np.digitize)
def _digitize(x: Any, bins: Any, right: bool = False) -> SymbolicArray:
    return _searchsorted(bins, x)


def _folding(name: str) -> Callable[..., Any]:
    def row(a: Any, axis: Any = None, *_: Any, keepdims: Any = False, **__: Any) -> SymbolicArray:
        array = lift(a)
        places = normal_axes(axis, array.ndim)
        kept = [i for i in range(array.ndim) if i not in places]
        dtype = np.result_type(array.dtype, np.float64) if array.dtype.kind in "iub" else array.dtype
        result = opaque(name, tuple(array.shape[i] for i in kept), tuple(kept), array, dtype=dtype)
        if keepdims is True:
            result = reshape(result, tuple(1 if i in places else s for i, s in enumerate(array.shape)))
        return result

    return row


for _name in ("median", "nanmean", "nanstd", "nanvar", "nanmedian"):
    TABLE[getattr(np, _name)] = _folding(_name)


def _without_nan(ordinary: Callable[..., Any]) -> Callable[..., Any]:
    return lambda a, *args, **options: dispatch(ordinary, (a, *args), options)


TABLE[np.nansum], TABLE[np.nanmax], TABLE[np.nanmin] = _without_nan(np.sum), _without_nan(np.max), _without_nan(np.min)


@implements(np.ptp)
def _ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> SymbolicArray:
    return dispatch(np.max, (a,), {"axis": axis, "keepdims": keepdims}) - dispatch(
        np.min, (a,), {"axis": axis, "keepdims": keepdims}
    )


@implements(np.count_nonzero)
def _count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> SymbolicArray:
    return reduce("sum", elementwise("not_equal", lift(a), 0, dtype=bool), axis, keepdims, np.int64)


def _times(left: SymbolicArray, right: SymbolicArray) -> SymbolicArray:
    return apply_ufunc(np.multiply, "__call__", (left, right), {})


def _spread(weights: SymbolicArray, array: SymbolicArray) -> SymbolicArray:
    """The weights in the array's shape."""
    return broadcast_to(weights, array.shape)


@implements(np.average)
def _average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False) -> Any:
    if weights is None:
        return dispatch(np.mean, (a,), {"axis": axis, "keepdims": keepdims})
    array, given = lift(a), lift(weights)
    if given.ndim != array.ndim:
        if axis is None or given.ndim != 1:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        place = normal_axis(axis, array.ndim)
        require(given.shape[0] == array.shape[place], "weights along the averaged axis")
        given = reshape(given, tuple(given.shape[0] if i == place else 1 for i in range(array.ndim)))
    options = {"axis": axis, "keepdims": keepdims}
    return dispatch(np.sum, (_times(array, given),), options) / dispatch(np.sum, (_spread(given, array),), options)


@implements(np.isclose)
def _isclose(a: Any, b: Any, *_: Any, **__: Any) -> SymbolicArray:
    shape = broadcast_shapes([lift(a).shape, lift(b).shape], "isclose")
    return opaque("isclose", shape, (None,) * len(shape), lift(a), lift(b), dtype=bool)


@implements(np.nan_to_num)
def _nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> SymbolicArray:
    return along("nan_to_num", lift(x), lift(x).dtype)


@implements(np.round, np.around)
def _round(a: Any, decimals: int = 0, out: Any = None) -> SymbolicArray:
    return along("round", lift(a), lift(a).dtype)


@implements(np.interp)
def _interp(x: Any, xp: Any, fp: Any, *_: Any, **__: Any) -> SymbolicArray:
    places = lift(x)
    for row in (lift(xp), lift(fp)):
        line(row)
    require(lift(xp).shape[0] == lift(fp).shape[0], "interp: fp and xp are not of the same length")
    require(lift(xp).shape[0] != 0, "interp over axis 0 needs an element")
    return opaque("interp", places.shape, tuple(range(places.ndim)), places, dtype=np.float64)
