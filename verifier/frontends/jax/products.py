"""Sums of products: matmul, einsum, dot_general; their operands are brought to one element type first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...graph.node import require
from ..numpy.array import SymbolicArray, unsupported
from ..numpy.functions import dispatch
from ..numpy.lower import cast, contract, normal_axis
from .array import SymbolicJaxArray
from .elementwise import element_type
from .lowering import alike, lifted, refuse_sequences
from .table import RULES, implements
from .types import jax_types

NATIVE = "biufc"


def _computed(arrays: list[SymbolicArray], dtype: np.dtype[Any], compute: Callable[..., Any], wanted: Any) -> Any:
    """The product in an element type that NumPy knows; bfloat16 and its like go by way of float32."""
    with jax_types():
        known = arrays if dtype.kind in NATIVE else [cast(a, np.dtype(np.float32)) for a in arrays]
        made = compute(*known)
        return SymbolicJaxArray(cast(made, dtype if wanted is None else element_type(wanted)))


def product(function: Callable[..., Any]) -> Callable[..., Any]:
    """A row of NumPy that multiplies two arrays."""

    def row(a: Any, b: Any, *args: Any, preferred_element_type: Any = None, **options: Any) -> SymbolicJaxArray:
        refuse_sequences(function.__name__, (a, b))
        arrays, dtype, _ = alike(a, b)
        kept = {k: v for k, v in options.items() if k in ("axes", "axis", "axisa", "axisb")}
        return _computed(arrays, dtype, lambda x, y: dispatch(function, (x, y, *args), kept), preferred_element_type)

    return row


for _function in (np.dot, np.tensordot, np.inner, np.outer, np.vdot, np.kron):
    RULES[f"jax.numpy.{_function.__name__}"] = product(_function)


@implements("jax.numpy.matmul")
def _matmul(a: Any, b: Any, *, preferred_element_type: Any = None, **_: Any) -> SymbolicJaxArray:
    from ..numpy.lower import matmul

    refuse_sequences("matmul", (a, b))
    arrays, dtype, _weak = alike(a, b)
    return _computed(arrays, dtype, matmul, preferred_element_type)


@implements("jax.numpy.vecdot")
def _vecdot(x1: Any, x2: Any, /, *, axis: int = -1, **_: Any) -> SymbolicJaxArray:
    from .table import rule

    for array in (lifted(x1), lifted(x2)):
        normal_axis(axis, array.ndim)
    require(lifted(x1).shape[axis] == lifted(x2).shape[axis], f"axis {axis} of the operands of vecdot")
    return rule("jax.numpy.sum")(rule("jax.numpy.multiply")(x1, x2), axis=axis)


@implements("jax.numpy.einsum")
def _einsum(subscripts: Any, /, *operands: Any, preferred_element_type: Any = None, **_: Any) -> SymbolicJaxArray:
    if not isinstance(subscripts, str):
        raise unsupported("jax.numpy.einsum without a subscript string")
    if not operands:
        raise ValueError("einsum needs an operand")
    refuse_sequences("einsum", operands)
    arrays, dtype, _weak = alike(*operands)
    return _computed(
        arrays, dtype, lambda *parts: dispatch(np.einsum, (subscripts, *parts), {}), preferred_element_type
    )


@implements("jax.lax.dot_general")
def _dot_general(
    lhs: Any, rhs: Any, dimension_numbers: Any, precision: Any = None, preferred_element_type: Any = None, **_: Any
) -> SymbolicJaxArray:
    """Batch axes first, then what is left of each side; contracted and batch axes must agree one by one."""
    (left_summed, right_summed), (left_batch, right_batch) = dimension_numbers
    arrays, dtype, _weak = alike(lhs, rhs)
    left, right = arrays
    for summed, batched, array in ((left_summed, left_batch, left), (right_summed, right_batch, right)):
        named = [int(i) for i in (*summed, *batched)]
        if len(set(named)) != len(named) or any(not 0 <= i < array.ndim for i in named):
            raise TypeError("dot_general requires dimension numbers that are distinct axes, counted from the front")
    for mine, theirs, what in ((left_summed, right_summed, "contracted"), (left_batch, right_batch, "batch")):
        if len(mine) != len(theirs):
            raise TypeError(f"dot_general requires equally many {what} dimensions, got {mine} and {theirs}")
    one = [f"l{i}" for i in range(left.ndim)]
    two = [f"r{i}" for i in range(right.ndim)]
    for i, j in (*zip(left_batch, right_batch, strict=True), *zip(left_summed, right_summed, strict=True)):
        two[int(j)] = one[int(i)]
    batch = [one[int(i)] for i in left_batch]
    taken = {int(i) for i in (*left_batch, *left_summed)}, {int(j) for j in (*right_batch, *right_summed)}
    result = [*batch, *(s for i, s in enumerate(one) if i not in taken[0])]
    result += [s for j, s in enumerate(two) if j not in taken[1]]
    return _computed(arrays, dtype, lambda x, y: contract((x, y), (one, two), result, x.dtype), preferred_element_type)


@implements("jax.lax.dot")
def _dot(lhs: Any, rhs: Any, *args: Any, dimension_numbers: Any = None, **options: Any) -> SymbolicJaxArray:
    if dimension_numbers is not None:
        return _dot_general(lhs, rhs, dimension_numbers, **options)
    left, right = lifted(lhs), lifted(rhs)
    if not (1 <= left.ndim <= 2 and 1 <= right.ndim <= 2):
        raise TypeError("Incompatible shapes for dot: vectors and matrices only")
    return _matmul(lhs, rhs, preferred_element_type=options.get("preferred_element_type"))


@implements("jax.lax.batch_matmul")
def _batch_matmul(lhs: Any, rhs: Any, precision: Any = None) -> SymbolicJaxArray:
    left, right = lifted(lhs), lifted(rhs)
    if left.ndim < 2 or right.ndim != left.ndim:
        raise ValueError(f"Arguments to batch_matmul must be at least 2D, got {left.ndim}, {right.ndim}")
    for a, b in zip(left.shape[:-2], right.shape[:-2], strict=True):
        require(a == b, "batch axes of @")
    return _matmul(lhs, rhs)


@implements("jax.numpy.linalg.matmul")
def _linalg_matmul(x1: Any, x2: Any, /, **options: Any) -> SymbolicJaxArray:
    return _matmul(x1, x2, **options)


@implements("jax.numpy.linalg.outer")
def _linalg_outer(x1: Any, x2: Any, /) -> SymbolicJaxArray:
    if lifted(x1).ndim != 1 or lifted(x2).ndim != 1:
        raise ValueError("Input arrays must be one-dimensional")
    return RULES["jax.numpy.outer"](x1, x2)


@implements("jax.numpy.linalg.tensordot")
def _linalg_tensordot(x1: Any, x2: Any, /, *, axes: Any = 2, **_: Any) -> SymbolicJaxArray:
    return RULES["jax.numpy.tensordot"](x1, x2, axes=axes)
