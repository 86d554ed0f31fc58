"""What listing a constructor's choices raises stays out of the runs that come after, and one path is enough for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.check import judge
from verifier.check.conversions import call
from verifier.check.finding import Report
from verifier.dims import Scope, symbol
from verifier.dims.dim import evaluate
from verifier.frontends.explorer import explore
from verifier.prove.search import true_at
from verifier.terms import as_term

Told = Callable[..., Report]


def test_a_handler_of_the_code_under_test_does_not_see_what_listing_raised(told: Told) -> None:
    source = """
        @dataclass
        class Layer:
            w: Float[np.ndarray, "d"]

            def __post_init__(self):
                try:
                    self.width = self.w.shape[0]
                finally:
                    self.made = True

            def apply(self, x: Float[np.ndarray, "n {self.width}"]) -> Float[np.ndarray, "n {self.width}"]:
                return x * self.w
        """
    assert told(source).verdict == "PROVED"


def test_a_constructor_of_many_paths_is_listed_by_one(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[object] = []
    plain = judge.run_everywhere

    def counted(run, world):
        return plain(lambda fixed: runs.append(fixed) or run(fixed), world)

    monkeypatch.setattr(judge, "run_everywhere", counted)
    source = """
        class Layer:
            def __init__(self, a: int, b: int):
                self.n = (a if a > b else b) + (a if a > 3 * b else b) + (a if a > 5 * b else b)

            def apply(self, x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
                return x
        """
    assert told(source).verdict == "PROVED"
    assert len(runs) == 1


@given(st.integers(1, 60), st.sampled_from([0.5, 1.5, 2.5, 0.125, 0.25, 3.0, 0.75]))
def test_round_is_pythons(size: int, factor: float) -> None:
    d = symbol("d")
    found = [
        p for p in explore(lambda: call(round, as_term(d) * factor), Scope.of("d"))
        if all(true_at(c, {"d": size}) for c in p.conditions)
    ]  # fmt: skip
    assert [evaluate(p.value, {"d": size}) for p in found] == [round(size * factor)]


@given(st.integers(1, 60), st.integers(1, 60), st.sampled_from([2, 3, 32]))
def test_int_of_a_sum_over_a_number_is_its_floor(d: int, e: int, below: int) -> None:
    (path,) = explore(lambda: call(int, (as_term(symbol("d")) + as_term(5 * symbol("e"))) / below), Scope.of("d e"))
    assert evaluate(path.value, {"d": d, "e": e}) == int((d + 5 * e) / below)


@pytest.mark.parametrize("annotation", [": Any", ""])
def test_an_element_type_that_nothing_describes_is_told(told: Told, annotation: str) -> None:
    head = "from typing import Any\n\n"
    report = told(
        f'{head}def f(x: Float[np.ndarray, "n d"], dtype{annotation}) -> Float[np.ndarray, "n d"]:\n    return x.astype(dtype)'
    )
    assert (report.verdict, report.reason) == ("BOUNDED", "dtype is float32")
