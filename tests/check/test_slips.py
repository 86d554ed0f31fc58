"""A name of an axis that only the result has is a slip where it is one letter away and always has the other's size."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from verifier.check.finding import Report
from verifier.check.slips import is_near

Told = Callable[..., Report]

SLIPS = {
    '(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n dd"]: | x * 2': ("dd", "d"),
    '(x: Float[np.ndarray, "n d_model"]) -> Float[np.ndarray, "n d_modle"]: | x * 2': ("d_modle", "d_model"),
    '(x: Float[np.ndarray, "n d"], w: Float[np.ndarray, "d d_ff"]) -> Float[np.ndarray, "n d_f"]: | x @ w': (
        "d_f",
        "d_ff",
    ),
    '(x: Float[np.ndarray, "n d"]) -> tuple[Float[np.ndarray, "n d"], Float[np.ndarray, "nn"]]: | (x, x[:, 0])': (
        "nn",
        "n",
    ),
}


@pytest.mark.parametrize("case", SLIPS)
def test_a_slip_is_a_warning(told: Told, case: str) -> None:
    head, _, body = case.partition(" | ")
    report = told(f"def f{head}\n    return {body}")
    (finding,) = report.findings
    name, meant = SLIPS[case]
    assert (finding.code, finding.severity) == ("ATT048", "warning") and report.fails
    assert f"an axis {name}, whose size is always {meant}" in finding.message
    assert finding.fix == f"write {meant} for {name} in the result"


@pytest.mark.parametrize(
    "case",
    [
        '(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d2"]: | np.concatenate([x, x], axis=1)',  # another size
        '(x: Float[np.ndarray, "n d"], w: Float[np.ndarray, "d k"]) -> Float[np.ndarray, "n m"]: | x @ w',  # one letter
        '(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]: | x',
        '(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n _dd"]: | x',
        '(x: Float[np.ndarray, "n d"], dd: Float[np.ndarray, "dd"]) -> Float[np.ndarray, "dd"]: | dd',
        '(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n width"]: | x',
        '(x: Float[np.ndarray, "n d"], c: bool) -> Float[np.ndarray, "nn d"]: | x if c else np.concatenate([x, x])',
    ],
)
def test_a_name_of_its_own_is_none(told: Told, case: str) -> None:
    head, _, body = case.partition(" | ")
    assert not told(f"def f{head}\n    return {body}").findings


def test_two_exchanged_letters_are_near_and_two_other_ones_are_not() -> None:
    assert is_near("bn", "nb") and not is_near("ab", "cd") and not is_near("n", "nnn") and not is_near("d", "d")
