"""Element types as JAX promotes them: 32 bits unless x64 is on, and Python's numbers adapt to arrays."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

from ...dims import is_dim
from ...terms import Term
from ..numpy.lower import canonical
from .array import SymbolicJaxArray
from .engine import dtypes, jax, jnp

WEAK: dict[str, Any] = {"b": False, "i": 0, "f": 0.0, "c": 0j}
"""Python's number of a kind: JAX lets it take the element type of the array that it meets."""


def canonical_type(dtype: Any) -> np.dtype[Any]:
    """The element type that JAX uses where this one is asked for."""
    return _canonical(np.dtype(dtype), bool(jax.config.jax_enable_x64))


@lru_cache(maxsize=256)
def _canonical(dtype: np.dtype[Any], wide: bool) -> np.dtype[Any]:
    return np.dtype(dtypes.canonicalize_dtype(dtype)) if dtype.kind in "iufc" else dtype


@contextmanager
def jax_types() -> Generator[None]:
    """What is recorded inside has JAX's element types."""
    token = canonical.set(canonical_type)
    try:
        yield
    finally:
        canonical.reset(token)


def _described(value: Any) -> tuple[str, bool]:
    """An operand's element type by name, and whether it is weak."""
    if type(value) is SymbolicJaxArray:
        return value.element.name, value.weak
    if type(value) is bool:
        return "bool", False
    if is_dim(value) or type(value) is int:
        return "i", True
    if type(value) is float or (type(value) is Term and not value.from_numpy):
        return "f", True
    if type(value) is Term:
        return canonical_type(np.float64).name, False
    if type(value) is complex:
        return "c", True
    if hasattr(value, "dtype"):
        return canonical_type(getattr(value, "dtype", None)).name, bool(getattr(value, "weak_type", False))
    return canonical_type(np.asarray(value).dtype).name, False


def promoted(*operands: Any) -> tuple[np.dtype[Any], bool]:
    """The element type of a result of these operands, and whether it is weak."""
    described = tuple(map(_described, operands))
    return _promoted(described, bool(jax.config.jax_enable_x64)), all(weak for _, weak in described)


def result_type(*args: Any) -> Any:
    """`jnp.result_type`, which takes element types as well as arrays and numbers."""
    return dtypes.result_type(*map(_typed, args))


def _typed(value: Any) -> Any:
    """What has the element type of the value for JAX, and no sizes."""
    if not (type(value) in (SymbolicJaxArray, Term) or is_dim(value)):
        return value
    name, weak = _described(value)
    return WEAK[_kind(name)] if weak else named(name)


@lru_cache(maxsize=4096)
def _promoted(described: tuple[tuple[str, bool], ...], wide: bool) -> np.dtype[Any]:
    return np.dtype(dtypes.result_type(*(WEAK[_kind(name)] if weak else named(name) for name, weak in described)))


def named(name: str) -> np.dtype[Any]:
    """The element type of a name: NumPy's own, or one that JAX brings."""
    try:
        return np.dtype(name)
    except TypeError:
        return np.dtype(getattr(jnp, name))


def _kind(name: str) -> str:
    return name if len(name) == 1 else kind_of_type(named(name))


def kind_of_type(dtype: np.dtype[Any]) -> str:
    """One of b, i, f and c; bfloat16 and its like are f."""
    if dtype.kind == "u":
        return "i"
    return dtype.kind if dtype.kind in "bifc" else "f"


def promoted_inexact(*operands: Any) -> tuple[np.dtype[Any], bool]:
    """As `promoted`, with integers and truth values counted as floating-point."""
    dtype, weak = promoted(*operands)
    if kind_of_type(dtype) in "bi":
        return canonical_type(np.float64), weak
    return dtype, weak
