"""Sizes obey the laws of the integers: symbolically first and numbers after gives what numbers alone give."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.sizes import COMPARISONS, build, grid, trees
from verifier.dims import Dim, Relation, is_dim, symbol
from verifier.dims.dim import evaluate, floordiv, substitute, symbols_of, terms_of
from verifier.errors import NeedsConcreteSize, UndecidedSize

NAMES = "abc"
SYMBOLS = {name: symbol(name) for name in NAMES}
points = st.fixed_dictionaries({name: st.integers(0, 7) for name in NAMES})


def symbolic(tree):
    """The tree on symbols; a plain division by zero is none of our business here."""
    try:
        return build(tree, SYMBOLS)
    except ZeroDivisionError:
        assume(False)


def numeric(tree, sizes):
    try:
        return build(tree, sizes)
    except ZeroDivisionError:
        assume(False)


@given(trees(NAMES, leaves=6), points)
@example(("//", ("-", 0, "a"), ("-", 0, "b")), {"a": 3, "b": 2, "c": 0})
@example(("//", "a", ("-", 0, 2)), {"a": 3, "b": 2, "c": 0})
@example(("%", ("*", 6, "a"), ("*", 4, "a")), {"a": 3, "b": 0, "c": 0})
@example(("%", ("+", ("*", 4, "a"), 6), 4), {"a": 3, "b": 0, "c": 0})
@example(("//", ("*", "a", ("+", "a", "b")), "a"), {"a": 3, "b": 2, "c": 0})
def test_symbols_then_numbers_is_numbers_alone(tree, sizes):
    expected = numeric(tree, sizes)
    assert evaluate(symbolic(tree), sizes) == expected


@given(trees(NAMES), trees(NAMES), points)
def test_substituting_then_evaluating_is_evaluating(tree, replacement, sizes):
    size, other = symbolic(tree), symbolic(replacement)
    inner = numeric(replacement, sizes)
    expected = numeric(tree, {**sizes, "a": inner})
    try:
        substituted = substitute(size, {"a": other})
    except ZeroDivisionError:
        assume(False)
    assert evaluate(substituted, sizes) == expected


@given(trees(NAMES), trees(NAMES), points)
def test_a_decided_comparison_holds_at_every_point(left, right, sizes):
    a, b = symbolic(left), symbolic(right)
    for compare in COMPARISONS.values():
        answer = compare(a, b)
        if isinstance(answer, bool):
            assert answer == compare(numeric(left, sizes), numeric(right, sizes))
        else:
            assert type(answer) is Relation


@given(trees(NAMES), trees(NAMES))
def test_equal_sizes_hash_and_print_alike(left, right):
    a, b = symbolic(left), symbolic(right)
    if (a == b) is True:
        assert hash(a) == hash(b)
        assert str(a) == str(b)
    elif str(a) == str(b):
        pytest.fail(f"{a} prints like {b} and is another size")


@given(trees(NAMES, operators="+ - *"), trees(NAMES, operators="+ - *"), trees(NAMES, operators="+ - *"))
def test_ring_laws(x, y, z):
    a, b, c = map(symbolic, (x, y, z))
    assert (a + b == b + a) is True
    assert (a * b == b * a) is True
    assert ((a + b) + c == a + (b + c)) is True
    assert ((a * b) * c == a * (b * c)) is True
    assert (a * (b + c) == a * b + a * c) is True
    assert (a - a == 0) is True
    negative = -a
    assert (-negative == a) is True
    assert (a**2 - b**2 == (a - b) * (a + b)) is True


@given(trees(NAMES), st.integers(-5, 5).filter(bool), points)
def test_floor_and_remainder_belong_together(tree, divisor, sizes):
    a = symbolic(tree)
    numeric(tree, sizes)
    assert (a // divisor * divisor + a % divisor == a) is True
    assert (divmod(a, divisor)[0] == a // divisor) is True
    assert (divmod(a, divisor)[1] == a % divisor) is True
    remainder = evaluate(a % divisor, sizes)
    assert 0 <= remainder < divisor or divisor < remainder <= 0


def test_laws_on_a_grid():
    a, b, c = SYMBOLS.values()
    rows = [
        ((a * b) // b, lambda a, b, c: a),
        ((a * b + c) // b, lambda a, b, c: (a * b + c) // b),
        ((a * b + c) % b, lambda a, b, c: (a * b + c) % b),
        ((6 * a + 4) // 4, lambda a, b, c: (6 * a + 4) // 4),
        ((a * b * 6) // (b * 4), lambda a, b, c: (a * b * 6) // (b * 4)),
        ((a - b) // c, lambda a, b, c: (a - b) // c),
        (a // (b - 4), lambda a, b, c: a // (b - 4)),
        (-a // b, lambda a, b, c: -a // b),
        (7 // a, lambda a, b, c: 7 // a),
        (7 % a, lambda a, b, c: 7 % a),
        ((a // b) // c, lambda a, b, c: (a // b) // c),
        ((a % b) % c, lambda a, b, c: (a % b) % c),
        (a // (b // c), lambda a, b, c: a // (b // c)),
    ]
    for size, direct in rows:
        for sizes in grid(NAMES, 1, 6):
            try:
                expected = direct(**sizes)
            except ZeroDivisionError:
                continue
            assert evaluate(size, sizes) == expected, (size, sizes)


def test_constant_results_are_plain_ints():
    n = symbol("n")
    for value in (n - n, n * 0, (n * 3) // n, (4 * n) % 4, n - n + 2):
        assert type(value) is int


def test_an_undecided_comparison_is_never_false():
    n, m = symbol("n"), symbol("m")
    for relation in (n == m, n != m, n < m, n <= m, n == 3, n > 1):
        assert type(relation) is Relation
        with pytest.raises(UndecidedSize, match="depends on the sizes"):
            bool(relation)


def test_a_size_is_no_text():
    assert (symbol("n") == "n") is False
    assert (symbol("n") != None) is True  # noqa: E711
    with pytest.raises(TypeError):
        symbol("n") < "n"  # noqa: B015


def test_a_number_is_asked_for():
    n = symbol("n")
    for demand in (int, float, range, lambda d: [0] * d, lambda d: d * [0], lambda d: "x" * d, math.sqrt):
        with pytest.raises(NeedsConcreteSize):
            demand(n)


def test_numpy_integers_are_integers():
    n = symbol("n")
    assert (n + np.int64(2) == n + 2) is True
    assert (np.int64(2) * n == 2 * n) is True
    assert type(terms_of(n + np.int32(1))[()]) is int


def test_passes_for_an_int():
    n = symbol("n")
    assert isinstance(n, int)
    assert is_dim(n)
    assert not is_dim(3)
    assert type(n + 1) is Dim


def test_fractions_of_sizes_floor_rightly():
    half = symbol("a") * Fraction(1, 2)
    for a in range(12):
        assert evaluate(floordiv(half, 3), {"a": a}) == Fraction(a, 2) // 3


def test_one_form_for_one_quotient():
    a, b, c = SYMBOLS.values()
    assert str(6 * a // 4) == "a + (a // 2)"
    assert str((a * c) // (b * c)) == str(a // b) == "(a // b)"
    assert str(-a // -b) == "(a // b)"
    assert str(-3 * a // 2) == str(-2 * a + a // 2)
    assert str((a * b + c) // b) == "a + (c // b)"
    assert str((a + 7) // 2) == str((a + 1) // 2 + 3)


def test_symbols_within_quotients_are_found():
    assert symbols_of(symbol("a") * (symbol("b") // (symbol("c") + 1))) == {"a", "b", "c"}


def test_division_by_a_plain_zero_is_python_s_error():
    for divide in (lambda n: n // 0, lambda n: n % 0, lambda n: divmod(n, 0)):
        with pytest.raises(ZeroDivisionError):
            divide(symbol("n"))
