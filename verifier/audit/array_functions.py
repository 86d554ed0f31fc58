"""Plain operations on arrays that claims use besides the kernels; each works on symbolic and on real arrays.

What belongs here says how arrays are prepared for a statement (tied, swapped, spread, sliced), never what attention
does: that is `kernels`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Array = Any


def tie(W: Array, h: Any) -> Array:
    """The same matrix for each of h heads: [a, b] -> [h, a, b]."""
    return np.broadcast_to(W, (h, *W.shape))


def head(x: Array, i: Any) -> Array:
    """The entry i along the first axis, counted from 0."""
    return x[i]


def slices(W: Array, h: Any) -> Array:
    """The rows in h blocks: [h*a, b] -> [h, a, b]."""
    return np.reshape(W, (h, W.shape[0] // h, W.shape[1]))


def stack_slices(W: Array) -> Array:
    """The blocks as rows of one matrix: [h, a, b] -> [h*a, b]."""
    return np.reshape(W, (W.shape[0] * W.shape[1], W.shape[2]))


def swap_others(x: Array, other: Array, i: Any) -> Array:
    """Entry i of x along the first axis, every other entry from the other array."""
    places = np.arange(x.shape[0])
    return np.where(np.reshape(places == i, (x.shape[0], *(1,) * (x.ndim - 1))), x, other)


def only(x: Array, i: Any) -> Array:
    """Entry i of x along the first axis, every other entry 0."""
    return swap_others(x, np.zeros(x.shape), i)


def permute_first(x: Array, order: Array) -> Array:
    """Entry i of the result along the first axis is entry order[i]."""
    return np.take(x, order, axis=0)


def permute_rows(x: Array, order: Array) -> Array:
    """Row i of the result is row order[i]."""
    return np.take(x, order, axis=-2)


def row(x: Array, i: Any) -> Array:
    """Row i, as a matrix of one row."""
    return x[..., i : i + 1, :]


def rows_before(x: Array, i: Any) -> Array:
    """The rows before row i."""
    return x[..., :i, :]


def at(x: Array, i: Any) -> Array:
    """Element i of a vector, counted from 0."""
    return x[i]


def transpose(x: Array) -> Array:
    """The last two axes exchanged."""
    return np.swapaxes(x, -1, -2)


def matmul(a: Array, b: Array) -> Array:
    """a·b."""
    return a @ b


def add(a: Array, b: Array) -> Array:
    """a + b, broadcast."""
    return a + b


def subtract(a: Array, b: Array) -> Array:
    """a - b, broadcast."""
    return a - b


def divide(a: Array, b: Array) -> Array:
    """a / b, broadcast."""
    return a / b


def times(a: Array, factor: Any) -> Array:
    """a times a number or an array."""
    return a * factor


def sqrt(x: Any) -> Any:
    """The square root of a number, a size or each element."""
    return np.sqrt(x)


def kronecker(i: Any, j: Any) -> Any:
    """1 where two places are the same, else 0."""
    return np.where(np.arange(1) + i == j, 1.0, 0.0)[0]


def beside(a: Array, b: Array) -> Array:
    """Columns of a, then columns of b."""
    return np.concatenate([a, b], axis=-1)


def below(a: Array, b: Array) -> Array:
    """Rows of a, then rows of b."""
    return np.concatenate([a, b], axis=-2)


def sum_rows(x: Array) -> Array:
    """The sum along the last axis: one number for each row."""
    return np.sum(x, axis=-1)


def sum_all(x: Array) -> Array:
    """The sum of all elements."""
    return np.sum(x)


def mean_of_rows(x: Array) -> Array:
    """The average of the rows, as a vector."""
    return np.mean(x, axis=-2)


def spread(c: Array, m: Any) -> Array:
    """Each element of c in every one of m columns: all scores of a row equal."""
    return np.broadcast_to(c[..., None], (*c.shape, m))


def spread_rows(v: Array, n: Any) -> Array:
    """The vector in every one of n rows."""
    return np.broadcast_to(v, (n, *v.shape))


def lower_others(scores: Array, t: Any, g: Any) -> Array:
    """Every score but the one at place t lowered by g: score t exceeds the rest by more and more."""
    return scores - g * np.where(np.arange(scores.shape[-1]) == t, 0.0, 1.0)


def gaps_but_at(gaps: Array, t: Any) -> Array:
    """The negative of the gaps, and 0 at place t: scores of which t is the largest."""
    return np.where(np.arange(gaps.shape[-1]) == t, 0.0, -gaps)


def off_diagonal(n: Any, value: Any) -> Array:
    """An n by n matrix of a number, with 0 on the diagonal."""
    return value * (1.0 - np.eye(n))


def shifted(n: Any, k: Any, value: Any) -> Array:
    """An n by n matrix of a number at the places k to the left of the diagonal, 0 elsewhere."""
    return value * np.eye(n, k=-k)


def identity(n: Any) -> Array:
    """The n by n identity."""
    return np.eye(n)


def ones(*shape: Any) -> Array:
    """An array of ones."""
    return np.ones(shape)


def zeros(*shape: Any) -> Array:
    """An array of zeros."""
    return np.zeros(shape)


def everything(*shape: Any) -> Array:
    """A mask that is True everywhere."""
    return np.ones(shape, dtype=bool)


def places(n: Any) -> Array:
    """0, 1, 2 ... as a vector of n numbers."""
    return np.arange(n) * 1.0


def reversed_order(n: Any) -> Array:
    """The permutation that takes the last first."""
    return n - 1 - np.arange(n)


def inverse(M: Array) -> Array:
    """The inverse of an invertible matrix that the claim declares."""
    return np.linalg.inv(M)


def repeat_heads(W: Array, r: Any) -> Array:
    """Each entry along the first axis r times in a row: [g, a, b] -> [g*r, a, b]."""
    g, a, b = W.shape
    return np.reshape(np.broadcast_to(W[:, None], (g, r, a, b)), (g * r, a, b))


def diagonal(x: Array) -> Array:
    """The diagonal of a square matrix."""
    return np.einsum("ii->i", x)


def row_max(x: Array) -> Array:
    """The largest element of each row."""
    return np.max(x, axis=-1)


def visible_mean(values: Array, mask: Array) -> Array:
    """For each row of the mask the average of the values at its True places."""
    weights = np.where(mask, 1.0, 0.0)
    return (weights @ values) / np.sum(weights, axis=-1, keepdims=True)


def first(results: Any) -> Array:
    """The first of what a kernel returns."""
    return results[0]


PLAIN: Mapping[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        tie,
        head,
        slices,
        stack_slices,
        swap_others,
        only,
        permute_first,
        permute_rows,
        row,
        rows_before,
        at,
        transpose,
        matmul,
        add,
        subtract,
        divide,
        times,
        sqrt,
        kronecker,
        beside,
        below,
        sum_rows,
        sum_all,
        mean_of_rows,
        spread,
        spread_rows,
        lower_others,
        gaps_but_at,
        off_diagonal,
        shifted,
        identity,
        ones,
        zeros,
        everything,
        places,
        reversed_order,
        inverse,
        repeat_heads,
        diagonal,
        row_max,
        visible_mean,
        first,
    )
}
"""Everything above; the docstrings are the reference of the claim language."""
