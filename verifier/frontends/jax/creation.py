"""What JAX makes from sizes: zeros, ranges, triangles; single precision unless told otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dims import is_dim
from ...graph.node import require
from ...graph.ops import Iota, Opaque
from ...graph.primitive import elements
from ...terms import Term
from ..numpy import creation as ours
from ..numpy.array import SymbolicArray, unsupported
from ..numpy.functions import dispatch
from ..numpy.lower import broadcast_to, cast, constant_value, record, reshape
from .array import SymbolicJaxArray
from .elementwise import element_type
from .lowering import bare, is_ours, is_scalar, lifted, wrapped
from .table import RULES, implements
from .types import canonical_type, jax_types, promoted


def shape_of(shape: Any) -> tuple[Any, ...]:
    """A shape argument as a tuple of sizes; constants that are arrays count as numbers."""
    extent = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    return tuple(map(size_of, extent))


def size_of(value: Any) -> Any:
    if is_dim(value):
        return value
    if is_ours(value):
        known = constant_value(value.node)
        if known is None:
            raise TypeError("Shapes must be 1D sequences of concrete values of integer type, got an array's value")
        return known
    if isinstance(value, float):
        raise TypeError(f"Shapes must be 1D sequences of concrete values of integer type, got {value}")
    return value.__index__()


def filled(shape: Any, value: Any, dtype: Any) -> SymbolicJaxArray:
    extent = shape_of(shape)
    weak = dtype is None and is_scalar(value)
    with jax_types():
        element = promoted(value)[0] if dtype is None else element_type(dtype)
        source = cast(lifted(value), element)
        for size in extent:
            if not size >= 0:
                raise ValueError("negative dimensions are not allowed")
        return SymbolicJaxArray(broadcast_to(source, extent) if source.shape or extent else source, weak)


@implements("jax.numpy.zeros", "jax.numpy.empty", "jax.lax.empty")
def _zeros(shape: Any, dtype: Any = None, **_: Any) -> SymbolicJaxArray:
    return filled(shape, 0, float if dtype is None else dtype)


@implements("jax.numpy.ones")
def _ones(shape: Any, dtype: Any = None, **_: Any) -> SymbolicJaxArray:
    return filled(shape, 1, float if dtype is None else dtype)


@implements("jax.lax.full")
def _lax_full(shape: Any, fill_value: Any, dtype: Any = None, **_: Any) -> SymbolicJaxArray:
    if lifted(fill_value).shape:
        raise TypeError("full must be called with scalar fill_value.")
    return filled(shape, fill_value, dtype)


@implements("jax.numpy.full")
def _full(shape: Any, fill_value: Any, dtype: Any = None, **_: Any) -> SymbolicJaxArray:
    return filled(shape, fill_value, dtype)


def _like(value: Any) -> Any:
    def row(a: Any, dtype: Any = None, shape: Any = None, **_: Any) -> SymbolicJaxArray:
        array = lifted(a)
        return filled(array.shape if shape is None else shape, value, array.dtype if dtype is None else dtype)

    return row


RULES["jax.numpy.zeros_like"] = RULES["jax.numpy.empty_like"] = _like(0)
RULES["jax.numpy.ones_like"] = _like(1)


@implements("jax.numpy.full_like", "jax.lax.full_like")
def _full_like(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None, **_: Any) -> SymbolicJaxArray:
    array = lifted(a)
    return filled(array.shape if shape is None else shape, fill_value, array.dtype if dtype is None else dtype)


@implements("jax.numpy.arange")
def _arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None, **_: Any) -> SymbolicJaxArray:
    """Integers count exactly; with a float among them only the number of places is known."""
    first, last = (0, start) if stop is None else (start, stop)
    stride = 1 if step is None else step
    values = [v.size if type(v) is Term and v.size is not None else constant(v) for v in (first, last, stride)]
    if any(type(v) is Term for v in (first, last, stride)):
        dtype = float if dtype is None else dtype  # `float(n)` counts in floats
    with jax_types():
        element = None if dtype is None else element_type(dtype)
        if any(type(v) in (float, Term) for v in values):
            return SymbolicJaxArray(_counted(values, element))
        return SymbolicJaxArray(ours.arange(*values, dtype=element))


def constant(value: Any) -> Any:
    """A number that stands in an array, as a number."""
    if is_ours(value):
        return size_of(value)
    return (
        value.item() if hasattr(value, "item") and not is_dim(value) and getattr(value, "shape", None) == () else value
    )


def _counted(values: list[Any], element: Any) -> SymbolicArray:
    """arange(0., n, 1.) and the like: places times a step where start, stop and step are sizes or whole numbers."""
    whole = [int(v) if type(v) is float and v.is_integer() else v for v in values]
    if any(type(v) in (float, Term) for v in whole):
        raise unsupported("jax.numpy.arange with a start, stop or step that is no integer")
    return ours.arange(*whole, dtype=canonical_type(float) if element is None else element)


@implements("jax.numpy.linspace")
def _linspace(start: Any, stop: Any, num: Any = 50, endpoint: bool = True, *args: Any, **options: Any) -> Any:
    if args or options.get("retstep") or any(getattr(v, "shape", ()) != () for v in (start, stop)):
        raise unsupported("jax.numpy.linspace of arrays or with retstep")
    dtype = options.get("dtype")
    require(size_of(num) >= 0, "a size is not negative")
    with jax_types():
        element = canonical_type(float) if dtype is None else element_type(dtype)
        count = size_of(num)
        require(count >= 0, f"linspace of {count} samples")
        return SymbolicJaxArray(record(Opaque("linspace", (count,), (None,)), dtype=element))


@implements("jax.numpy.tri")
def _tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> SymbolicJaxArray:
    with jax_types():
        element = np.dtype(float) if dtype is None else element_type(dtype)
        for size in (N, N if M is None else M):
            require(size_of(size) >= 0, "a size is not negative")
        return SymbolicJaxArray(ours.tri(size_of(N), None if M is None else size_of(M), bare(k), element))


@implements("jax.numpy.eye")
def _eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None, **_: Any) -> SymbolicJaxArray:
    with jax_types():
        element = np.dtype(float) if dtype is None else element_type(dtype)
        return SymbolicJaxArray(ours.eye(size_of(N), None if M is None else size_of(M), bare(k), element))


@implements("jax.numpy.identity")
def _identity(n: Any, dtype: Any = None) -> SymbolicJaxArray:
    return _eye(n, dtype=dtype)


@implements("jax.numpy.indices")
def _indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    with jax_types():
        return wrapped(ours.indices(shape_of(dimensions), dtype, sparse))


@implements("jax.numpy.tril_indices", "jax.numpy.triu_indices")
def _tril_indices(n: Any, k: Any = 0, m: Any = None) -> Any:
    """As many places as the triangle has: n (n + 1) / 2 where it is square and whole."""
    size = size_of(n)
    if m is not None or type(k) is not int or k != 0:
        raise unsupported("jax.numpy.tril_indices off the main diagonal, or of an oblong")
    count = size * (size + 1) // 2
    places = Opaque("tril_indices", (count,), (None,))
    with jax_types():
        return tuple(SymbolicJaxArray(record(places, dtype=np.int64)) for _ in range(2))


@implements("jax.numpy.array", "jax.numpy.asarray")
def _array(object: Any, dtype: Any = None, copy: Any = None, order: Any = None, ndmin: int = 0, **_: Any) -> Any:  # noqa: A002  JAX's name
    weak = dtype is None and is_scalar(object)
    with jax_types():
        made = _joined(object)
        if dtype is not None:
            made = cast(made, element_type(dtype))
        if ndmin > made.ndim:
            made = reshape(made, (*(1,) * (ndmin - made.ndim), *made.shape))
    return SymbolicJaxArray(made, weak or (dtype is None and is_ours(object) and object.weak))


def _joined(value: Any) -> SymbolicArray:
    if not isinstance(value, (list, tuple)):
        return lifted(value)
    parts = [_joined(v) for v in value]
    if not parts:
        raise unsupported("jax.numpy.array of an empty list")
    element = promoted(*(_leaves(value)))[0]
    return dispatch(np.stack, ([cast(p, element) for p in parts],), {})


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [leaf for v in value for leaf in _leaves(v)]
    return [value]


@implements("jax.lax.iota")
def _iota(dtype: Any, size: Any) -> SymbolicJaxArray:
    require(size_of(size) >= 0, "a size is not negative")
    if element_type(dtype) == np.bool_:
        raise TypeError("iota does not accept dtype bool.")
    with jax_types():
        return SymbolicJaxArray(cast(record(Iota(size_of(size)), dtype=np.int64), element_type(dtype)))


@implements("jax.lax.broadcasted_iota")
def _broadcasted_iota(dtype: Any, shape: Any, dimension: int, **_: Any) -> SymbolicJaxArray:
    extent = shape_of(shape)
    if not 0 <= dimension < len(extent):
        raise ValueError(f"iota dimension must be between 0 and len(shape), got {dimension=}")
    line = _iota(dtype, extent[dimension]).inner
    with jax_types():
        shaped = reshape(line, tuple(s if i == dimension else 1 for i, s in enumerate(extent)))
        return SymbolicJaxArray(broadcast_to(shaped, extent))


@implements("jax.numpy.size")
def _size(a: Any, axis: Any = None) -> Any:
    shape = lifted(a).shape
    return elements(shape) if axis is None else shape[axis]
