"""jax.numpy's functions whose shapes are NumPy's: NumPy's rows, under JAX's element types."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from ...graph.node import require
from ..loops.running import grown_arrays
from ..loops.values import side_by_side
from ..numpy.functions import JOINED_ALONG, dispatch
from ..numpy.lower import cast, normal_axes, normal_axis, reduce
from .array import SymbolicJaxArray
from .creation import shape_of
from .elementwise import element_type
from .fallback import asked
from .lowering import alike, bare, lifted, refuse_sequences, through, wrapped
from .table import RULES, implements
from .types import canonical_type, jax_types, kind_of_type

REARRANGING = (
    *("ravel", "transpose", "matrix_transpose", "permute_dims", "swapaxes", "moveaxis", "rollaxis"),
    *("squeeze", "expand_dims", "broadcast_to", "broadcast_arrays"),
    *("tile", "repeat", "roll", "flip", "flipud", "fliplr", "diagonal", "diag", "trace", "tril", "triu"),
    *("sort", "cumsum", "cumprod", "nonzero", "argwhere", "flatnonzero", "unique", "compress"),
    *("digitize", "nan_to_num", "round", "around", "count_nonzero", "copy", "atleast_1d", "atleast_2d"),
    *("shape", "ndim", "diff", "pad", "median", "nanmedian", "nanmean", "nanstd", "nanvar", "interp", "ptp"),
)
"""Functions whose first argument is an array, or all of whose arguments are."""
SEVERAL = ("concatenate", "concat", "stack", "vstack", "hstack", "column_stack")
"""Functions of a list of arrays, which are brought to one element type."""
IGNORED = frozenset(
    {"precision", "out_sharding", "indices_are_sorted", "unique_indices", "stable", "descending", "method"}
)
"""Options that change neither shape nor meaning, or nothing that is followed."""


def _row(function: Callable[..., Any]) -> Callable[..., Any]:
    name = function.__name__

    def row(*args: Any, **options: Any) -> Any:
        refuse_sequences(name, args[:1])
        kept = {k: v for k, v in options.items() if k not in IGNORED and v is not None}
        if "total_repeat_length" in kept or "size" in kept:
            sized = RULES.get(f"jax.numpy.{name} with size")
            return asked(f"jax.numpy.{name}", args, options) if sized is None else sized(*args, **kept)
        return through(function, *args, **kept)

    return row


for _name in REARRANGING:
    RULES[f"jax.numpy.{_name}"] = _row(getattr(np, _name))


def _splitting(name: str, axis: int | None) -> Callable[..., Any]:
    """Places to split at stand inside the axis and in order, where NumPy takes what there is."""
    row = _row(getattr(np, name))

    def split(ary: Any, indices_or_sections: Any, *rest: Any, **options: Any) -> Any:
        array = lifted(ary)
        if isinstance(indices_or_sections, (list, tuple, np.ndarray)) and array.shape:
            given = options.get("axis", rest[0] if rest else 0) if axis is None else min(axis, array.ndim - 1)
            size = array.shape[normal_axis(given, array.ndim)]
            marks = shape_of(tuple(indices_or_sections))
            for first, last in pairwise((0, *marks, size)):
                require(first <= last, f"index {first} before {last} in splitting an axis of size {size}")
        return row(ary, indices_or_sections, *rest, **options)

    return split


for _name, _axis in (("split", None), ("array_split", None), ("hsplit", 1), ("vsplit", 0), ("dsplit", 2)):
    RULES[f"jax.numpy.{_name}"] = _splitting(_name, _axis)


@implements("jax.numpy.searchsorted")
def _searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None, **_: Any) -> Any:
    refuse_sequences("searchsorted", (a, v))
    row = lifted(a)
    if row.ndim != 1:
        raise ValueError("a should be 1-dimensional")
    ordered = row if sorter is None else lifted(SymbolicJaxArray(row)[sorter])
    return through(np.searchsorted, ordered, v, side)


def _running(name: str) -> Callable[..., Any]:
    """`cumsum` and `cumprod`: sums that go on keep small integers as they are."""
    row = RULES[f"jax.numpy.{name}"]

    def running(a: Any, axis: Any = None, dtype: Any = None, **options: Any) -> Any:
        kept = lifted(a).dtype
        if dtype is not None:
            return row(a, axis, dtype, **options)
        made = row(a, axis, **options)
        return made.astype(kept) if kept.kind in "iu" else made

    return running


for _name in ("cumsum", "cumprod"):
    RULES[f"jax.numpy.{_name}"] = _running(_name)
for _name in ("svd", "qr", "eigh", "inv", "pinv", "cholesky", "det", "solve", "multi_dot", "norm"):
    RULES[f"jax.numpy.linalg.{_name}"] = _row(getattr(np.linalg, _name))
RULES["jax.numpy.linalg.vector_norm"] = _row(np.linalg.vector_norm)
RULES["jax.numpy.linalg.matrix_norm"] = _row(np.linalg.matrix_norm)
RULES["jax.numpy.linalg.matrix_transpose"] = RULES["jax.numpy.matrix_transpose"]


@implements("jax.numpy.linalg.multi_dot")
def _multi_dot(arrays: Any, **_: Any) -> Any:
    return through(np.linalg.multi_dot, list(arrays))


@implements("jax.numpy.reshape")
def _reshape(a: Any, shape: Any = None, order: str = "C", **old: Any) -> Any:
    refuse_sequences("reshape", (a,))
    return through(np.reshape, a, old.get("newshape", shape), order=order)


@implements("jax.numpy.unstack", "jax.lax.unstack")
def _unstack(x: Any, /, axis: int = 0) -> Any:
    array = lifted(x)
    place = normal_axis(axis, array.ndim)
    whole = (slice(None),) * place
    return tuple(SymbolicJaxArray(array)[(*whole, i)] for i in range(array.shape[place].__index__()))


def _joining(function: Callable[..., Any]) -> Callable[..., Any]:
    def row(arrays: Any = None, *args: Any, dtype: Any = None, **options: Any) -> Any:
        given = options.pop("tup", options.pop("array_list", arrays))
        grown = grown_arrays(given)
        if not isinstance(given, (list, tuple)):
            given = list(given)
        parts = alike(*given)[0] if given else []
        with jax_types():
            made = wrapped(dispatch(function, (parts, *args), options))
            if grown is not None:
                along = JOINED_ALONG[function](made.ndim, *args, **options)
                made = SymbolicJaxArray(side_by_side(made.inner, grown, along))
            return made if dtype is None else SymbolicJaxArray(cast(made.inner, element_type(dtype)))

    return row


for _name in SEVERAL:
    RULES[f"jax.numpy.{_name}"] = _joining(getattr(np, _name))


@implements("jax.numpy.append")
def _append(arr: Any, values: Any, axis: Any = None) -> Any:
    parts, _, _ = alike(arr, values)
    with jax_types():
        return wrapped(dispatch(np.append, tuple(parts), {"axis": axis}))


# -- reductions -----------------------------------------------------------------------------------

REDUCING = {"sum": "sum", "prod": "product", "max": "max", "min": "min", "amax": "max", "amin": "min"}


def _reduction(kind: str) -> Callable[..., Any]:
    def row(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, **options: Any
    ) -> SymbolicJaxArray:
        refuse_sequences(kind, (a,))
        initial, where = options.get("initial"), options.get("where")
        if kind in ("max", "min") and where is not None and initial is None:
            raise ValueError(f"{kind} with a where mask needs `initial`")
        array = masked(lifted(a), where, kind)
        if not array.shape and axis is not None:
            normal_axes(axis, 0)  # an axis of a scalar is an error, where NumPy lets it pass
        if kind in ("max", "min") and initial is not None and holds_nothing(array, axis):
            kept = [1 if i in normal_axes(axis, array.ndim) else s for i, s in enumerate(array.shape)]
            if not keepdims:
                kept = [s for i, s in enumerate(array.shape) if i not in normal_axes(axis, array.ndim)]
            return RULES["jax.numpy.full"](tuple(kept), initial, array.dtype)
        with jax_types():
            if dtype is not None:
                array = cast(array, element_type(dtype))
            elif kind in ("sum", "product"):
                array = cast(array, summed_in(array.dtype))
            made = SymbolicJaxArray(reduce(kind, array, bare(axis), bool(keepdims), array.dtype))
        if initial is not None:
            join = {"sum": "add", "product": "multiply", "max": "maximum", "min": "minimum"}[kind]
            made = RULES[f"jax.numpy.{join}"](made, initial)
        return made

    return row


def holds_nothing(array: Any, axis: Any) -> bool:
    """Whether the axes that are folded away hold no element, on this path."""
    return any(array.shape[i] == 0 for i in normal_axes(axis, array.ndim))


def summed_in(dtype: Any) -> Any:
    """The element type in which JAX adds and multiplies along an axis: small integers grow to its ordinary ones.

    Source: jax.numpy.sum, `promote_integers`.
    """
    if dtype.kind not in "biu":
        return dtype
    wanted = canonical_type(np.uint64 if dtype.kind == "u" else np.int64)
    return wanted if wanted.itemsize > dtype.itemsize else dtype


def masked(array: Any, where: Any, kind: str) -> Any:
    """The array with what a reduction's `where` leaves out replaced by what changes nothing."""
    if where is None:
        return array
    neutral = {"sum": 0, "product": 1, "max": -np.inf, "min": np.inf, "any": False, "all": True}[kind]
    return RULES["jax.numpy.where"](where, SymbolicJaxArray(array), neutral).inner


for _public, _kind in REDUCING.items():
    RULES[f"jax.numpy.{_public}"] = _reduction(_kind)


def _extreme(kind: str) -> Callable[..., Any]:
    row = RULES[f"jax.numpy.{kind}"]
    return lambda a, axis=None, out=None, keepdims=False, initial=None, where=None: row(
        a, axis, None, out, keepdims, initial=initial, where=where
    )


for _public in ("max", "min", "amax", "amin"):
    RULES[f"jax.numpy.{_public}"] = _extreme(_public)
RULES["jax.numpy.nansum"], RULES["jax.numpy.nanmax"], RULES["jax.numpy.nanmin"] = (
    RULES[f"jax.numpy.{_n}"] for _n in ("sum", "max", "min")
)


def _logical(kind: str) -> Callable[..., Any]:
    def row(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = None) -> Any:
        refuse_sequences(kind, (a,))
        array = masked(lifted(a), where, kind)
        with jax_types():
            return SymbolicJaxArray(reduce(kind, array, axis, bool(keepdims), np.bool_))

    return row


RULES["jax.numpy.any"], RULES["jax.numpy.all"] = _logical("any"), _logical("all")


def _floating(a: Any, dtype: Any) -> Any:
    """The array with floating-point elements, as means and deviations want it."""
    array = lifted(a)
    if dtype is not None:
        return cast(array, element_type(dtype))
    return cast(array, canonical_type(np.float64)) if kind_of_type(array.dtype) in "bi" else array


@implements("jax.numpy.mean")
def _mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = None
) -> Any:
    refuse_sequences("mean", (a,))
    if where is not None:
        total = RULES["jax.numpy.sum"](a, axis, dtype, None, keepdims, where=where)
        shape = lifted(a).shape
        count = RULES["jax.numpy.sum"](through(np.broadcast_to, where, shape), axis, keepdims=keepdims)
        return RULES["jax.numpy.true_divide"](total, count)
    with jax_types():
        array = _floating(a, dtype)
        return wrapped(dispatch(np.mean, (array, axis, array.dtype), {"keepdims": bool(keepdims)}))


def _spread(function: Callable[..., Any]) -> Callable[..., Any]:
    def row(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: bool = False,
        *, where: Any = None, correction: Any = None, mean: Any = None,
    ) -> Any:  # fmt: skip
        from ..numpy.array import unsupported

        refuse_sequences(function.__name__, (a,))
        if where is not None or mean is not None:
            raise unsupported(f"jax.numpy.{function.__name__} with where or mean")
        with jax_types():
            array = _floating(a, dtype)
            degrees = ddof if correction is None else correction
            made = dispatch(function, (array, axis), {"ddof": degrees, "keepdims": bool(keepdims)})
            return SymbolicJaxArray(cast(made, array.dtype))

    return row


RULES["jax.numpy.var"], RULES["jax.numpy.std"] = _spread(np.var), _spread(np.std)


@implements("jax.numpy.average")
def _average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, keepdims: bool = False) -> Any:
    with jax_types():
        array = _floating(a, None)
        given = None if weights is None else lifted(weights)
        return wrapped(dispatch(np.average, (array, axis, given, returned), {"keepdims": keepdims}))


def _place_of(function: Callable[..., Any]) -> Callable[..., Any]:
    def row(a: Any, axis: Any = None, out: Any = None, keepdims: Any = None, **_: Any) -> Any:
        refuse_sequences(function.__name__, (a,))
        return through(function, a, axis, keepdims=bool(keepdims))

    return row


for _name in ("argmax", "argmin"):
    RULES[f"jax.numpy.{_name}"] = RULES[f"jax.numpy.nan{_name}"] = _place_of(getattr(np, _name))


@implements("jax.numpy.meshgrid")
def _meshgrid(*xi: Any, **options: Any) -> Any:
    if any(lifted(x).ndim > 1 for x in xi):
        raise ValueError("Arguments to jax.numpy.meshgrid must be 1D")
    return list(through(np.meshgrid, *xi, **options))


@implements("jax.numpy.argsort")
def _argsort(a: Any, axis: Any = -1, **_: Any) -> Any:
    return through(np.argsort, a, axis)


@implements("jax.numpy.isclose")
def _isclose(a: Any, b: Any, *_: Any, **__: Any) -> Any:
    return through(np.isclose, a, b)


@implements("jax.numpy.allclose", "jax.numpy.array_equal")
def _allclose(a: Any, b: Any, *_: Any, **__: Any) -> Any:
    return RULES["jax.numpy.all"](through(np.isclose, a, b))


@implements("jax.numpy.take")
def _take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = None, **_: Any) -> Any:
    """A place outside gives NaN, and no error."""
    from ...graph.ops import Gather
    from ..numpy.lower import record

    refuse_sequences("take", (a,))
    with jax_types():
        array = lifted(a) if axis is not None else dispatch(np.ravel, (lifted(a),), {})
        places = lifted(indices)
        if places.dtype.kind not in "iu":
            raise TypeError("take requires integer indices")
        return SymbolicJaxArray(
            record(
                Gather(0 if axis is None else normal_axis(axis, array.ndim)), array.node, places.node, dtype=array.dtype
            )
        )


@implements("jax.numpy.take_along_axis")
def _take_along_axis(arr: Any, indices: Any, axis: Any = -1, **_: Any) -> Any:
    return through(np.take_along_axis, arr, indices, axis)


@implements("jax.numpy.vectorize", always=True)
def _vectorize(pyfunc: Any, **options: Any) -> Any:
    from .mapping import vectorized

    return vectorized(pyfunc, **options)


@implements("jax.numpy.isscalar")
def _isscalar(element: Any) -> bool:
    return not getattr(element, "shape", ())


@implements("jax.numpy.iscomplexobj")
def _iscomplexobj(x: Any) -> bool:
    return kind_of_type(lifted(x).dtype) == "c"


@implements("jax.numpy.isrealobj")
def _isrealobj(x: Any) -> bool:
    return not _iscomplexobj(x)
