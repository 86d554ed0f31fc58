"""Exact numbers against floating-point ones, and where rounding cannot tell."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from verifier.audit.arrays import Comparison
from verifier.audit.exact_run import run_exactly
from verifier.errors import VerifierError
from verifier.prove.exact import Exact, Inexact

quarters = st.integers(-8, 8).map(lambda n: Fraction(n, 4))


@st.composite
def numbers(draw: Any, depth: int = 3) -> tuple[Exact, float]:
    """An exact number with the same value as a float."""
    if depth == 0 or draw(st.booleans()):
        value = draw(quarters)
        kind = draw(st.sampled_from(["plain", "exp", "sqrt"]))
        if kind == "exp":
            return Exact.of(value).exp(), math.exp(value)
        if kind == "sqrt":
            return Exact.of(abs(value)).sqrt(), math.sqrt(abs(value))
        return Exact.of(value), float(value)
    (a, x), (b, y) = draw(numbers(depth - 1)), draw(numbers(depth - 1))
    operation = draw(st.sampled_from("+-*/"))
    if operation == "/":
        assume(bool(b))
        return a / b, x / y
    return {"+": (a + b, x + y), "-": (a - b, x - y), "*": (a * b, x * y)}[operation]


@settings(max_examples=200, deadline=None)
@given(numbers(), numbers())
def test_agrees_with_floats(left: tuple[Exact, float], right: tuple[Exact, float]) -> None:
    (a, x), (b, y) = left, right
    assume(abs(x) < 1e9 and abs(y) < 1e9)
    assert float(a) == pytest.approx(x, rel=1e-6, abs=1e-6)
    if abs(x - y) > 1e-6 * (1 + abs(x)):
        assert (a < b) == (x < y)
        assert a != b
    assert a - a == 0
    assert (a + b) * (a + b) == a * a + 2 * a * b + b * b


def test_what_rounding_does_not_tell() -> None:
    third = Exact.of(Fraction(1, 3))
    assert third + third + third == 1
    assert Exact.of(2).sqrt() * Exact.of(8).sqrt() == 4
    assert Exact.of(2).exp() * Exact.of(-2).exp() == 1
    assert Exact.of(Fraction(1, 10**30)).exp() != 1
    assert Exact.of(10**30) + 1 > 10**30
    half_root = Exact.of(2).sqrt() / 2
    assert half_root.exp() * half_root.exp() == Exact.of(2).sqrt().exp()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Exact.of(math.nan),
        lambda: Exact.of(1).exp().exp(),
        lambda: Exact.of(-1).sqrt(),
        lambda: Exact.of(2) ** Fraction(1, 3),
        lambda: Exact.of("1"),
    ],
)
def test_what_it_cannot_hold_is_refused(make: Any) -> None:
    with pytest.raises(Inexact):
        make()
    with pytest.raises(ZeroDivisionError):
        Exact.of(1) / Exact.of(0)


def comparison(left: str, right: str, **arrays: str) -> Comparison:
    sizes = {s: 1 for axes in arrays.values() for s in axes.split()}
    return Comparison.from_json(
        {"op": "==", "left": left, "right": right, "arrays": arrays, "sizes": sizes, "assumptions": []}
    )


def test_kernels_run_exactly() -> None:
    ran = run_exactly(comparison("sum_rows(softmax(x))", "1", x="n m"))
    assert ran is not None
    assert len(ran.sizes) >= 3
    with pytest.raises(VerifierError, match="fails at"):
        run_exactly(comparison("softmax(x)", "softmax(times(x, 1 + 1/10**14))", x="n m"))  # no float shows this


def test_numpy_is_left_as_it_was() -> None:
    before = (np.exp, np.sqrt)
    run_exactly(comparison("softmax(x)", "softmax(x)", x="n m"))
    assert (np.exp, np.sqrt) == before
