"""A relation of array expressions on real arrays in exact arithmetic: the second evaluator of identities.

The kernels themselves run, on NumPy's arrays of `Exact` numbers; nothing of the graph, the terms or their normal form
is used. Two sides that are equal here are equal numbers, not numbers that are close.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np
from jaxtyping import config

from .. import kernels
from ..dims.expression import Expression
from ..errors import VerifierError
from ..prove.exact import Exact, Inexact
from .array_functions import PLAIN
from .arrays import Comparison

COMPARE: Mapping[str, Callable[[Exact, Exact], bool]] = {
    "==": operator.eq,
    "!=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
RUNS = 4
"""Sizes at which a certificate is run, the ones without coincidences among them."""
LARGEST = 120
"""Elements of all arrays together: exact numbers are slow."""


def run_exactly(comparison: Comparison) -> int | None:
    """At how many sizes the relation holds; of `!=`, whose witness is an identity, the identity is run.

    None where the sides are made of other functions than exp and roots.

    Raises:
        VerifierError: they differ.
    """
    drawn = [d for d in comparison.drawn() if sum(a.size for a in d[1].values()) <= LARGEST]
    drawn.sort(key=lambda d: len(set(d[0].values())), reverse=True)
    done = 0
    for sizes, inputs in drawn:
        try:
            left, right = _sides(comparison, sizes, inputs)
            holds = _agree(comparison.op, left, right)
        except (Inexact, TypeError):  # NumPy's own word for a function that objects do not have
            continue
        if not holds:
            raise VerifierError(f"{comparison.left.text} {comparison.op} {comparison.right.text} fails at {sizes}")
        done += 1
        if done >= RUNS:
            break
    return done or None


def _agree(op: str, left: np.ndarray, right: np.ndarray) -> bool:
    if left.shape and right.shape and left.shape != right.shape:
        return False
    left, right = np.broadcast_arrays(left, right)
    compare = COMPARE[op]
    return all(compare(Exact.of(a), Exact.of(b)) for a, b in zip(left.flat, right.flat, strict=True))


def _sides(
    comparison: Comparison, sizes: Mapping[str, int], inputs: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    values = {**sizes, **{n: _exact(a) for n, a in inputs.items()}}
    with _exact_numpy():
        return _side(comparison.left, values), _side(comparison.right, values)


def _side(expression: Expression, values: Mapping[str, Any]) -> np.ndarray:
    result = expression.value(values, FUNCTIONS)
    result = result[0] if isinstance(result, tuple) else result
    return np.asarray(Exact.of(result) if isinstance(result, (int, float, Fraction, Exact)) else result)


def _exact(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind != "f":
        return array
    made = np.empty(array.shape, object)
    for place, value in np.ndenumerate(array):
        made[place] = Exact.of(value)
    return made


def _number(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: function(*(Exact.of(a) if type(a) is Fraction else a for a in args))


FUNCTIONS = {
    **{name: _number(getattr(kernels, name)) for name in kernels.__all__},
    **{name: _number(function) for name, function in PLAIN.items()},
}


def _elementwise(name: str, on_infinity: float | None) -> Callable[..., Any]:
    original = getattr(np, name)

    def one(value: Any) -> Any:
        if isinstance(value, float) and value == -np.inf and on_infinity is not None:
            return Exact.of(on_infinity)
        return getattr(Exact.of(value), name)()

    def function(x: Any, *args: Any, **options: Any) -> Any:
        if isinstance(x, (int, Fraction, Exact)):
            return one(x)
        if isinstance(x, np.ndarray) and x.dtype == object:
            made = np.empty(x.shape, object)
            for place, value in np.ndenumerate(x):
                made[place] = one(value)
            return made if made.shape else made[()]
        return original(x, *args, **options)

    return function


@contextmanager
def _exact_numpy() -> Generator[None]:
    """exp and sqrt answer exactly, and arrays of objects pass the annotations, whose element types they have not."""
    replaced = {"exp": _elementwise("exp", 0.0), "sqrt": _elementwise("sqrt", None)}
    before = {name: getattr(np, name) for name in replaced}
    disabled = config.jaxtyping_disable
    config.update("jaxtyping_disable", True)
    for name, function in replaced.items():
        setattr(np, name, function)
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        for name, function in before.items():
            setattr(np, name, function)
        config.update("jaxtyping_disable", disabled)
