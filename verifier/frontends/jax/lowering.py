"""Between JAX's stand-in and NumPy's: unwrapping, wrapping, and NumPy's rows under JAX's element types."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from typing import cast as typed

import numpy as np

from ...dims import is_dim
from ...graph.node import Node
from ...graph.ops import Opaque
from ...terms import Term
from ..numpy.array import SymbolicArray
from ..numpy.functions import dispatch
from ..numpy.lower import cast, elementwise, lift, record
from .array import KEY, SymbolicJaxArray, wraps_array
from .engine import jax
from .types import jax_types, kind_of_type, promoted, promoted_inexact


def is_ours(value: object) -> bool:
    return type(value) is SymbolicJaxArray


def bare(value: Any) -> Any:
    """The value with JAX's stand-ins as NumPy's, also inside lists, tuples and dictionaries."""
    if type(value) is SymbolicJaxArray:
        return value.inner
    if type(value) in (list, tuple):
        return type(value)(map(bare, value))
    if type(value) is dict:
        return {k: bare(v) for k, v in typed("dict[Any, Any]", value).items()}
    return value


def wrapped(value: Any, weak: bool = False) -> Any:
    """The value with NumPy's stand-ins as JAX's."""
    if type(value) is SymbolicArray:
        return SymbolicJaxArray(value, weak)
    if isinstance(value, (list, tuple)):
        made = [wrapped(v, weak) for v in typed("Sequence[Any]", value)]
        return typed(Any, type(value))(*made) if hasattr(value, "_fields") else typed(Any, type(value))(made)
    return value


def opened(value: Any) -> Any:
    """What wraps an array as that array, also inside lists; a list without any is itself, which a loop may follow."""
    kind = type(value)
    if kind in (list, tuple):
        parts = list(map(opened, value))
        return value if all(map(operator.is_, parts, value)) else kind(parts)
    return value.__jax_array__() if wraps_array(value) else value


def lifted(value: Any) -> SymbolicArray:
    """An operand of an operation of JAX as NumPy's stand-in, with JAX's element type."""
    if type(value) is SymbolicJaxArray:
        return value.inner
    if wraps_array(value):
        return lifted(value.__jax_array__())
    with jax_types():
        if is_key(value):  # of which NumPy knows nothing
            return record(Opaque("key", value.shape, (None,) * value.ndim), dtype=KEY)
        return lift(bare(value))


def is_key(value: Any) -> bool:
    """Whether a value is a real key of random numbers, of the new kind."""
    return is_real_array(value) and str(value.dtype).startswith("key<")


def of_node(node: Node) -> SymbolicJaxArray:
    return SymbolicJaxArray(SymbolicArray(node))


def through(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """A row of NumPy, with JAX's element types."""
    with jax_types():
        return wrapped(dispatch(function, bare(args), bare(options)))


def alike(*values: Any) -> tuple[list[SymbolicArray], np.dtype[Any], bool]:
    """The values in their common element type, as most of JAX's functions of several arrays begin."""
    dtype, weak = promoted(*values)
    with jax_types():
        return [cast(lifted(v), dtype) for v in values], dtype, weak


REFUSED = {
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "invert"), "fc"),
    **dict.fromkeys(("left_shift", "right_shift", "bitwise_count"), "fcb"),
    **dict.fromkeys(("subtract", "negative"), "b"),
}
"""Kinds of element types that JAX has a function not for."""


def apply(name: str, *operands: Any, inexact: bool = False, dtype: Any = None) -> SymbolicJaxArray:
    """A function of broadcast operands, element by element."""
    refuse_sequences(name, operands)
    known, weak = promoted_inexact(*operands) if inexact else promoted(*operands)
    if kind_of_type(known) in REFUSED.get(name, ""):
        raise TypeError(f"{name} does not accept dtype {known.name}.")
    with jax_types():
        made = elementwise(name, *map(bare, operands), dtype=known if dtype is None else dtype)
    return SymbolicJaxArray(made, weak and dtype is None)


def refuse_sequences(name: str, operands: Sequence[Any]) -> None:
    """JAX takes no list for an array.

    Raises:
        TypeError: an operand is one, or nothing at all.
    """
    for place, operand in enumerate(operands):
        if operand is None or isinstance(operand, (list, tuple, str, dict, set)):
            kind = type(operand).__name__
            raise TypeError(f"{name} requires ndarray or scalar arguments, got {kind} at position {place}.")


def is_scalar(value: Any) -> bool:
    return is_dim(value) or type(value) in (int, float, complex, bool, Term)


def is_real_array(value: Any) -> bool:
    """A real array of JAX."""
    return not is_ours(value) and isinstance(value, jax.Array)


def holds_symbols(value: Any) -> bool:
    """Whether a stand-in, a size or a term occurs in an argument."""
    kind = type(value)
    if kind in (list, tuple):
        return any(map(holds_symbols, value))
    if kind is dict:
        return any(map(holds_symbols, typed("Mapping[Any, Any]", value).values()))
    if kind is slice:
        return holds_symbols((value.start, value.stop, value.step))
    if kind is SymbolicJaxArray or kind is SymbolicArray or kind is Term or is_dim(value):
        return True
    if kind.__module__.partition(".")[0] == "jax":
        return False  # JAX's own symbolic sizes become arrays by a primitive, which asks here
    return wraps_array(value) and holds_symbols(value.__jax_array__())
