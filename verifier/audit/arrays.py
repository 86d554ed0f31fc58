"""Array expressions of claims: kernels and a few plain operations, on symbolic arrays and on real ones.

`concatenate_heads(project_heads(x, W)) == output_projection(x, concatenate_heads(W))` is evaluated twice: on
symbolic arrays, whose elements become terms, and on real arrays, where it must hold or fail as the terms say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from .. import kernels
from ..dims import Scope, Size
from ..dims.axes import parse_axes, sizes_of
from ..dims.dim import evaluate
from ..dims.expression import Expression
from ..errors import VerifierError
from ..frontends.numpy.array import SymbolicArray
from ..frontends.recording import current_graph
from ..graph.ops import Input

Array = Any
MAX_ELEMENTS = 1_000_000
"""Claims are tried on small arrays: what is larger has its sizes written as numbers."""


def tie(W: Array, h: Size) -> Array:
    """The same matrix for each of h heads: [d_model, d] -> [h, d_model, d]."""
    shape: Any = (h, *W.shape)
    return np.broadcast_to(W, shape)


def row(x: Array, i: Size) -> Array:
    """Row i, as a matrix of one row."""
    return x[..., i : i + 1, :]


def rows_before(x: Array, i: Size) -> Array:
    """The first i rows."""
    return x[..., :i, :]


def head(x: Array, i: Size) -> Array:
    """The i-th entry along the first axis."""
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


def scale_by(a: Array, factor: Any) -> Array:
    """a times a number."""
    return a * factor


def sum_rows(x: Array) -> Array:
    """The sum along the last axis."""
    return np.sum(x, axis=-1)


def mean_row(x: Array) -> Array:
    """The average of the rows, as a matrix of one row."""
    return np.mean(x, axis=-2, keepdims=True)


def permute_rows(x: Array, order: Array) -> Array:
    """Row i of the result is row order[i]."""
    return np.take(x, order, axis=-2)


def first(*values: Array) -> Array:
    """The first of what a kernel returns."""
    return values[0][0] if isinstance(values[0], tuple) else values[0]


PLAIN: Mapping[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (tie, row, rows_before, head, transpose, matmul, add, scale_by, sum_rows, mean_row, permute_rows, first)
}
"""Operations besides the kernels; their documentation is the reference of the claim language."""


def functions() -> Mapping[str, Callable[..., Any]]:
    """Everything that an array expression may call."""
    return {**{name: getattr(kernels, name) for name in kernels.__all__}, **PLAIN}


@dataclass(frozen=True)
class Declared:
    """An array of a claim: axes, and whether it is boolean or a permutation of its own places."""

    name: str
    axes: str
    kind: str = "float"

    @classmethod
    def of(cls, name: str, text: str) -> Declared:
        """`"n d_model"`, `"bool n m"` or `"permutation n"`.

        Raises:
            VerifierError: the axes are none.
        """
        kind, _, rest = text.partition(" ")
        declared = cls(name, rest, kind) if kind in ("bool", "permutation") else cls(name, text)
        axes = parse_axes(declared.axes)
        for axis in axes:
            if axis.kind in ("variadic", "anonymous") or axis.size < 0:
                raise VerifierError(f"the axis {axis.text} of {name} has no size", remedy="name every axis")
        if kind == "permutation" and len(axes) != 1:
            raise VerifierError(f"the permutation {name} has {len(axes)} axes", remedy=f'{name} = "permutation n"')
        return declared

    def shape(self, sizes: Mapping[str, Size]) -> tuple[Size, ...]:
        return sizes_of(parse_axes(self.axes), sizes)

    @property
    def dtype(self) -> type:
        return {"float": np.float64, "bool": np.bool_, "permutation": np.int64}[self.kind]

    def symbolic(self, sizes: Mapping[str, Size]) -> SymbolicArray:
        """A fresh input of the graph that is being recorded."""
        return SymbolicArray(
            current_graph().add(Input(self.name, self.shape(sizes), self.kind == "permutation"), dtype=self.dtype)
        )

    def real(self, sizes: Mapping[str, int], random: np.random.Generator) -> np.ndarray:
        """Small integers over 4, so that sums are exact; random truth values; a random permutation."""
        shape = tuple(evaluate(s, sizes) for s in self.shape(sizes))
        if prod(shape) > MAX_ELEMENTS:
            raise VerifierError(f"{self.name} is too large to try: {list(shape)}", remedy="name its axes")
        if self.kind == "permutation":
            return random.permutation(shape[0])
        if self.kind == "bool":
            mask = random.random(shape) < 0.6
            if mask.ndim:
                mask[..., 0] |= ~mask.any(axis=-1)  # a row without any key has no weights
            return mask
        return random.integers(-4, 5, shape) / 4.0


def evaluate_side(expression: Expression, values: Mapping[str, Any]) -> Any:
    """One side of a relation on arrays, symbolic or real."""
    result = expression.value(values, functions())
    return result[0] if isinstance(result, tuple) and result and hasattr(result[0], "shape") else result


def symbols_of(claim_sizes: tuple[str, ...], arrays: Mapping[str, str]) -> Scope:
    """The sizes of a claim and those that its arrays introduce."""
    names = dict.fromkeys(claim_sizes)
    for name, text in arrays.items():
        try:
            for axis in parse_axes(Declared.of(name, text).axes):
                names.update(dict.fromkeys(axis.symbols))
        except VerifierError as error:
            raise VerifierError(f"the axes of {name}: {error.fact}", remedy=error.remedy) from None
    return Scope.of(names)
