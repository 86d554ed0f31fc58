"""Random numbers: shapes are known, values are drawn once and not followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...dims import Size, is_dim
from ...graph.node import require
from ...graph.ops import Opaque
from ...graph.primitive import elements
from .array import unsupported
from .lower import broadcast_shapes, is_scalar, is_symbolic, lift, normal_axis, record


def drawn(size: Any, dtype: Any = np.float64, *parameters: Any) -> Any:
    """An array of that shape; without one, of the shape that the parameters broadcast to."""
    if size is None:
        arrays = [lift(p) for p in parameters if not is_scalar(p)]
        shape = broadcast_shapes([a.shape for a in arrays], "parameters of a distribution") if arrays else ()
    else:
        shape = tuple(size) if isinstance(size, (tuple, list)) else (size,)
        for each in shape:
            require(each >= 0, "a size is not negative")
        arrays = [lift(p) for p in parameters if not is_scalar(p)]
        common = broadcast_shapes([shape, *(a.shape for a in arrays)], "parameters of a distribution")
        require(len(common) == len(shape), "parameters of a distribution have no more axes than `size`")
        for mine, theirs in zip(shape, common, strict=True):
            require(mine == theirs, "parameters of a distribution fit `size`")
    return record(Opaque("random", shape, (None,) * len(shape)), dtype=np.dtype(dtype))


class SymbolicGenerator:
    """Stands in for `numpy.random.Generator`."""

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        return np.random.Generator

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        return drawn(size, dtype)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        return drawn(size, dtype)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return drawn(size, np.float64, loc, scale)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        return drawn(size, np.float64, low, high)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
    ) -> Any:
        return _integers(low, high, size, dtype, endpoint)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        return drawn(size, np.int64, n, p)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        return drawn(size, np.float64, scale)

    gumbel = laplace = normal

    def permutation(self, x: Any, axis: int = 0) -> Any:
        if is_dim(x) or isinstance(x, (int, np.integer)):
            return record(Opaque("random", (_whole(x),), (None,)), dtype=np.int64)
        array = lift(x)
        normal_axis(axis, array.ndim)
        origin = tuple(None if i == axis else i for i in range(array.ndim))
        return record(Opaque("random", array.shape, origin), array.node, dtype=array.dtype)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, **_: Any) -> Any:
        if is_symbolic(a) and a.ndim > 1:
            raise unsupported("choice from an array of several axes")
        many = lift(a).shape[0] if is_symbolic(a) and a.shape else a
        if is_dim(many) or isinstance(many, (int, np.integer)):
            taken = () if size is None else tuple(size) if isinstance(size, (tuple, list)) else (size,)
            if not any(s == 0 for s in taken):
                require(many >= 1, "choice over axis 0 needs an element")
            if not replace:
                require(elements(taken) <= many, f"index: a choice of {elements(taken)} among {many}")
            if p is not None:
                chances = lift(p)
                require(chances.ndim == 1, "the chances of choice are one row")
                require(chances.shape[0] == many, "choice takes a chance for each place")
        return drawn(size, lift(a).dtype if is_symbolic(a) else np.int64)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        raise unsupported("shuffling in place")

    def __getattr__(self, name: str) -> Any:
        if not hasattr(np.random.Generator, name):
            raise AttributeError(name)
        raise unsupported(f"numpy.random.Generator.{name}")


def _integers(low: Any, high: Any, size: Any, dtype: Any, endpoint: bool = False) -> Any:
    """Whole numbers from `low` on and below `high`: there must be one."""
    low, high = (0, low) if high is None else (low, high)
    taken = () if size is None else tuple(size) if isinstance(size, (tuple, list)) else (size,)
    drawing = not any(s == 0 for s in taken)
    if drawing and all(is_dim(v) or isinstance(v, (int, float, np.number)) for v in (low, high)):
        require(low <= high if endpoint else low < high, f"a whole number from {low} on and below {high}")
    return drawn(size, dtype)


def _whole(value: Any) -> Size:
    return value if is_dim(value) else int(value)


_GENERATOR = SymbolicGenerator()
REPLACED: Mapping[str, Callable[..., Any]] = {
    "default_rng": lambda *_args, **_options: _GENERATOR,
    "randn": lambda *size: drawn(size or None),
    "rand": lambda *size: drawn(size or None),
    "random": lambda size=None: drawn(size),
    "random_sample": lambda size=None: drawn(size),
    "standard_normal": lambda size=None: drawn(size),
    "normal": _GENERATOR.normal,
    "uniform": _GENERATOR.uniform,
    "randint": lambda low, high=None, size=None, dtype=int: _integers(low, high, size, dtype),
    "permutation": _GENERATOR.permutation,
    "choice": _GENERATOR.choice,
    "binomial": _GENERATOR.binomial,
}
__all__ = ["REPLACED", "SymbolicGenerator", "drawn"]
