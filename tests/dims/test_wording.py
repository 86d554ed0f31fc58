"""What is printed of a size or a condition, read by Python at drawn sizes, is what it stands for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.dims import symbol
from verifier.dims.dim import Size, evaluate, floordiv
from verifier.dims.relation import HOLDS, Relation
from verifier.dims.wording import condition_text, divided_out, exact_of, remainders_of, size_text

NAMES = ("d", "h", "n", "self.g")
D, H, N, G = map(symbol, NAMES)

CONDITIONS = {
    "d % h == 0": Relation("==", (D // H) * H, D),
    "d % h != 0": Relation("!=", D, H * (D // H)),
    "n % 4 == 0": Relation("==", N - 4 * (N // 4), 0),
    "(d // h) % 2 == 0": Relation("==", (D // H) - 2 * ((D // H) // 2), 0),
    "h >= self.g": Relation("!=", (H // G) * G, 0),
    "h < self.g": Relation("==", 2 * (H // G), 0),
    "h != self.g": Relation("!=", 2 * N * H * D, 2 * N * G * D),
    "n > 3": Relation("<", 3 - N, 0),
    "n < 3": Relation("<", N, 3),
    "n <= 2": Relation("<=", N, 2),
    "d + n != 3": Relation("!=", N, 3 - D),
    "n == 1": Relation("==", 1, N),
    "h != 1": Relation("!=", H, 1),
    "d <= n": Relation("<", D, N + 1),
    "d < n": Relation("<=", D + 1, N),
    "d + 2 <= n": Relation("<", D + 1, N),
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_a_condition_reads_as_a_person_would_write_it(text: str) -> None:
    assert condition_text(CONDITIONS[text]) == text


SIZES = {
    "d % 2": D - 2 * (D // 2),
    "(d + 1) // 2": D - D // 2,
    "(d + 2) // 3": -((-D) // 3),
    "(d // h) % 2": (D // H) - 2 * ((D // H) // 2),
    "h*(d % 2) + n": H * D - 2 * H * (D // 2) + N,
    "2*(d // 2)": 2 * (D // 2),
    "3 - n": 3 - N,
    "2*d*(h // self.g)": 2 * (H // G) * D,
}


@pytest.mark.parametrize("text", SIZES)
def test_a_size_reads_as_a_person_would_write_it(text: str) -> None:
    assert size_text(SIZES[text]) == text


def test_a_premise_makes_quotients_exact() -> None:
    exact = exact_of([Relation("==", H - G * (H // G), 0)])
    assert size_text((H // G) * G * 2 * D, exact) == "2*d*h"
    assert size_text((D // G) * G, exact) == "(d // self.g)*self.g"


@st.composite
def sizes(draw: st.DrawFn, depth: int = 3) -> Size:
    kind = draw(st.integers(0, 7)) if depth else draw(st.integers(0, 1))
    if kind == 0:
        return draw(st.integers(-4, 6))
    if kind == 1:
        return symbol(draw(st.sampled_from(NAMES)))
    a, b = draw(sizes(depth - 1)), draw(sizes(depth - 1))
    if kind in (2, 3):
        return a + b
    if kind == 4:
        return a - b
    if kind == 5:
        return a * b
    below: Size = draw(st.sampled_from([2, 3, 4, H, G]))
    return floordiv(a, below) if kind == 6 else a - below * floordiv(a, below)


VALUES = st.fixed_dictionaries({n: st.integers(1, 9) for n in NAMES})


def value(text: str, at: dict[str, int]) -> object:
    return eval(text.replace("self.", "self_"), {n.replace(".", "_"): v for n, v in at.items()})


@given(sizes(), VALUES)
def test_what_is_printed_of_a_size_has_its_value(size: Size, at: dict[str, int]) -> None:
    assert value(size_text(size), at) == evaluate(size, at)


@given(sizes(), sizes(), st.sampled_from(["==", "!=", "<", "<="]), VALUES)
def test_what_is_printed_of_a_condition_has_its_truth(a: Size, b: Size, op: str, at: dict[str, int]) -> None:
    truth = HOLDS[op](evaluate(a, at), evaluate(b, at))
    assert value(condition_text(Relation(op, a, b)), at) == truth


@given(sizes(), sizes(), st.sampled_from(["==", "!=", "<", "<="]), VALUES)
def test_under_a_premise_it_has_its_truth_where_the_premise_holds(
    a: Size, b: Size, op: str, at: dict[str, int]
) -> None:
    at = {**at, "h": at["h"] * at["self.g"], "d": at["d"] * 2}
    exact = [(H, G), (D, 2)]
    truth = HOLDS[op](evaluate(a, at), evaluate(b, at))
    assert value(condition_text(Relation(op, a, b), exact), at) == truth
    assert value(size_text(a, exact), at) == evaluate(divided_out(a, exact), at) == evaluate(a, at)


@given(sizes(), VALUES)
def test_a_remainder_says_exactly_where_it_vanishes(size: Size, at: dict[str, int]) -> None:
    for found in remainders_of(size):
        top, bottom = (evaluate(s, at) for s in found)
        assert (evaluate(size, at) == 0) == (top % bottom == 0)
