"""NumPy's functions that make arrays from sizes: they do not dispatch, so they are replaced for the length of a run."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...dims import Relation, Size, is_dim
from ...graph.node import require
from ...graph.ops import Iota
from ...terms import Term
from .array import SymbolicArray, unsupported
from .lower import broadcast_to, cast, elementwise, is_symbolic, lift, record, reshape


def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", **_: Any) -> SymbolicArray:
    value = lift(fill_value)
    if dtype is not None:
        value = cast(value, np.dtype(dtype))
    extent = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    for size in extent:
        if not size >= 0:
            raise ValueError("negative dimensions are not allowed")
    return broadcast_to(value, extent) if value.shape or extent else value


def zeros(shape: Any, dtype: Any = float, order: str = "C", **_: Any) -> SymbolicArray:
    return full(shape, np.zeros((), dtype)[()], dtype)


def ones(shape: Any, dtype: Any = None, order: str = "C", **_: Any) -> SymbolicArray:
    return full(shape, np.ones((), dtype or float)[()], dtype or float)


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, **_: Any) -> SymbolicArray:
    """start, start + step, ...: ceil((stop - start) / step) of them."""
    if stop is None:
        start, stop = 0, start
    if not any(map(_holds_symbols, (start, stop, step))) and any(isinstance(v, float) for v in (start, stop, step)):
        return lift(ORIGINAL["arange"](start, stop, step, dtype=dtype))
    for value in (start, stop, step):
        if not (is_dim(value) or type(value) is int or isinstance(value, np.integer)):
            raise unsupported("numpy.arange with a start, stop or step that is no integer")
    start, stop, step = (v if is_dim(v) else int(v) for v in (start, stop, step))
    if type(step) is not int or step == 0:
        raise unsupported("numpy.arange with a symbolic step")
    length: Size = -((start - stop) // step)
    if not length >= 0:
        length = 0
    places = record(Iota(length), dtype=np.int64)
    if step != 1:
        places = elementwise("multiply", places, step, dtype=np.int64)
    if type(start) is not int or start != 0:
        places = elementwise("add", places, start, dtype=np.int64)
    return places if dtype is None else cast(places, np.dtype(dtype))


def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, **_: Any) -> SymbolicArray:
    """1 where row + k >= column."""
    rows, columns = arange(N), arange(N if M is None else M)
    shifted = elementwise("add", reshape(rows, (*rows.shape, 1)), k, dtype=np.int64)
    return cast(elementwise("greater_equal", shifted, columns, dtype=bool), np.dtype(dtype))


def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, **_: Any) -> SymbolicArray:
    """1 where row + k == column."""
    rows, columns = arange(N), arange(N if M is None else M)
    shifted = elementwise("add", reshape(rows, (*rows.shape, 1)), k, dtype=np.int64)
    return cast(elementwise("equal", shifted, columns, dtype=bool), np.dtype(dtype))


def linspace(start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None, **options: Any) -> Any:
    """num places from start to stop: the values are not followed where the number of them is a size."""
    from ...graph.ops import Opaque

    if not any(map(_holds_symbols, (start, stop, num))):
        return ORIGINAL["linspace"](start, stop, num, endpoint, dtype=dtype, **options)
    if options.get("retstep"):
        raise unsupported("numpy.linspace with retstep")
    require(num >= 0, f"linspace of {num} samples")
    return record(Opaque("linspace", (num,), (None,)), dtype=np.dtype(dtype or float))


def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """The places along each axis of a grid."""
    if sparse:
        raise unsupported("numpy.indices with sparse")
    from .functions import dispatch

    extent = tuple(dimensions)
    lines = [
        broadcast_to(reshape(arange(size), tuple(size if i == axis else 1 for i in range(len(extent)))), extent)
        for axis, size in enumerate(extent)
    ]
    return dispatch(np.stack, (lines,), {})


def array(value: Any, dtype: Any = None, *, ndmin: int = 0, **_: Any) -> Any:
    """An array of what may hold symbols; real data stays real."""
    if ndmin:
        raise unsupported("numpy.array with ndmin")
    if is_symbolic(value):
        return value if dtype is None else cast(value, np.dtype(dtype))
    if is_dim(value) or type(value) in (Term, Relation):
        return lift(value) if dtype is None else cast(lift(value), np.dtype(dtype))
    if isinstance(value, (list, tuple)) and _holds_symbols(value):
        from ..loops.running import grown_arrays
        from ..loops.values import side_by_side
        from .functions import dispatch

        grown = grown_arrays(value)
        stacked = dispatch(np.stack, ([lift(array(v)) for v in value],), {})
        stacked = stacked if grown is None else side_by_side(stacked, grown, 0)
        return stacked if dtype is None else cast(stacked, np.dtype(dtype))
    return ORIGINAL["array"](value, dtype=dtype)


def _holds_symbols(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_symbols, value))
    return is_symbolic(value) or is_dim(value) or type(value) in (Term, Relation)


def copied(value: Any, dtype: Any = None, copy: Any = True, **options: Any) -> Any:
    """`np.array` copies an array, where `np.asarray` does not."""
    from .updating import duplicate

    made = array(value, dtype, **options)
    return duplicate(made) if made is value and is_symbolic(value) and copy else made


REPLACED: Mapping[str, Callable[..., Any]] = {
    "zeros": zeros,
    "empty": zeros,
    "ones": ones,
    "full": full,
    "arange": arange,
    "tri": tri,
    "eye": eye,
    "identity": lambda n, dtype=float, **_: eye(n, dtype=dtype),
    "linspace": linspace,
    "indices": indices,
    "array": copied,
    "asarray": array,
    "asanyarray": array,
    "ascontiguousarray": array,
}
ORIGINAL: Mapping[str, Callable[..., Any]] = {name: getattr(np, name) for name in REPLACED}


ALWAYS = frozenset({"zeros", "empty", "ones", "full", "default_rng"})
"""Arrays that are filled later, maybe with symbolic values, and generators that are asked for sizes later."""


def _wrapped(name: str, replacement: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    """The replacement where the code under test passes symbols; all other use keeps the original."""
    from ..explorer import caller_is_machinery

    def creation(*args: Any, **options: Any) -> Any:
        plain = name not in ALWAYS and not any(map(_holds_symbols, (*args, *options.values())))
        if plain or caller_is_machinery():
            return original(*args, **options)
        return replacement(*args, **options)

    creation.__name__ = original.__name__
    creation.__symbolic__ = replacement  # type: ignore[attr-defined]
    return creation


@contextmanager
def symbolic_creation() -> Generator[None]:
    """`np.zeros` and the like take symbolic sizes inside, when called from the code under test."""
    from . import randomness

    places = [(np, REPLACED, ORIGINAL), (np.random, randomness.REPLACED, None)]
    before: list[tuple[Any, str, Any]] = []  # a run inside a run finds the outer one's
    for module, replacements, originals in places:
        for name, replacement in replacements.items():
            before.append((module, name, getattr(module, name)))
            setattr(module, name, _wrapped(name, replacement, originals[name] if originals else getattr(module, name)))
    try:
        yield
    finally:
        for module, name, function in before:
            setattr(module, name, function)
