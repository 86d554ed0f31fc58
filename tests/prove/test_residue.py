"""Numbers modulo a prime obey the laws of real numbers, and printed terms have the values that they say."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.errors import VerifierError
from verifier.prove.exact import Exact, Inexact
from verifier.prove.residue import field
from verifier.prove.term_text import TermText

NUMBERS = st.fractions(-50, 50, max_denominator=12)
SIZES = st.integers(1, 24)


@given(NUMBERS, NUMBERS, SIZES)
def test_exponentials_turn_sums_into_products(a, b, size):
    root = field().of(size).sqrt()
    x, y = field().of(a) / root, field().of(b) / root
    assert x.exp() * y.exp() == (x + y).exp()
    assert x.exp() / y.exp() == (x - y).exp()
    assert (x.exp() == y.exp()) == (a == b)


@given(NUMBERS, NUMBERS, SIZES, SIZES)
def test_order_and_equality_are_those_of_real_numbers(a, b, r, s):
    x, y = field().of(a) * field().of(r).sqrt(), field().of(b) * field().of(s).sqrt()
    mine, theirs = (Fraction(q) * abs(q) * n for q, n in ((a, r), (b, s)))
    assert (x == y) == (mine == theirs)
    assert (x < y) == (mine < theirs)
    assert (x.exp() == y.exp()) == (mine == theirs)


def test_roots_of_sizes_multiply():
    roots = [field().of(n).sqrt() for n in (2, 3, 6, 12)]
    assert roots[0] * roots[1] == roots[2]
    assert roots[3] == 2 * roots[1]
    assert roots[2].number == roots[0].number * roots[1].number % field().prime


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "1", None])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(Inexact):
        field().of(value)


def test_what_it_cannot_hold_is_refused():
    one = field().of(1).exp()
    for refused in (one.exp, one.sqrt, (field().of(2).sqrt() + 1).sqrt, field().of(29).sqrt().exp().__bool__):
        try:
            refused()
        except Inexact:
            continue
        assert refused.__name__ == "__bool__"
    with pytest.raises(ZeroDivisionError):
        1 / field().of(0)
    with pytest.raises(Inexact):
        _ = one < 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sum[i₁<d_k](q[o₁, i₁]*k[o₂, i₁])", 1 * 5 + 2 * 6),
        ("2*q[o₁, 1] - 1", 3),
        ("[o₁ == o₂]*3 + [o₁ < 1]", 1),
        ("sum[i₁<2, i₂<d_k](i₁*2 + i₂)", 6),
        ("sum[i₁<2](sum[i₂<i₁ + 1](q[i₁, i₂]))", 1 + 3 + 4),
        ("d_k**(-1/2)*d_k", 2**0.5),
        ("q[o₂ + 5, 0]*[o₂ == 0] + 7", 7),
        ("exp(q[0, 0])*sum[i₁<2](exp(q[0, i₁]))**(-1)", exp(1) / (exp(1) + exp(2))),
        ("q[(o₂ // d_k), o₂ - (o₂ // d_k)*d_k]", 2),
    ],
)
def test_a_printed_term_has_its_value(text, expected):
    values = {"d_k": 2, "q": np.array([[1.0, 2.0], [3.0, 4.0]]), "k": np.array([[1.0, 1.0], [5.0, 6.0]])}
    assert float(TermText(text).at(values, (0, 1), Exact.of)) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("text", ["", "sum[", "__import__('os')", "q.shape", "lambda: 1", "[x for x in q]", "'a'"])
def test_other_text_is_refused(text):
    with pytest.raises((VerifierError, Inexact)):
        TermText(text).at({"q": np.ones((2, 2))}, (0, 0), Exact.of)


def test_signs_are_read_off_a_term():
    for text, sure in {
        "exp(x[o₁])*sum[i₁<m](exp(x[i₁]))**(-1)": True,
        "x[o₁]**2 + n": True,
        "x[o₁]**3": False,
        "exp(x[o₁]) - 1": False,
        "x[o₁]": False,
        "n*[o₁ < n]": True,
    }.items():
        assert TermText(text).positive() == sure, text
