"""Every shape finding names the remedy that fits the sizes in hand, and one cause is told once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from verifier.check.finding import Report

Told = Callable[..., Report]

CASES = {
    "x @ W | x n d, W k d | n k": ("ATT002", "transpose the right one: W.T"),
    "w.T @ v | w n m, v m d | n d": ("ATT002", "use w as it is, [n, m], not transposed"),
    "w @ v | w b m n, v b m d | b n d": ("ATT002", "transpose the left one: w.swapaxes(-1, -2)"),
    "np.einsum('nd,dk->nk', x, W) | x n d, W k d | n k": ("ATT002", "d stands for two axes"),
    "np.where(x > 0, x, y) | x n m, y m n | n m": ("ATT003", "swap the axes of [m, n]: y.T is [n, m]"),
    "x + y | x b n h, y b h n | b n h": ("ATT003", "swap the axes of [b, h, n]: y.swapaxes(1, 2) is [b, n, h]"),
    "s + mask | s b h n m, mask b m | b h n m": (
        "ATT003",
        "put axes of one where [b, m] has none: mask[:, None, None, :]",
    ),
    "x + np.ones(3) | x n d | n d": ("ATT003", "use d in place of the number"),
    "x + y | x n d, y m k | n d": ("ATT003", "make d and k agree, or declare d == k if they are one size"),
    "np.concatenate([x, y], axis=2) | x b h t d, y b t h d | b h _ d": (
        "ATT005",
        "bring both into one layout: y.swapaxes(1, 2)",
    ),
    "np.concatenate([x, y], axis=0) | x n d, y n k | _ d": ("ATT005", "join along axis 1, the only one that differs"),
    "np.stack([x, y]) | x n d, y m d | 2 n d": ("ATT005", "np.concatenate joins arrays of different lengths"),
    "x.sum(axis=2) | x n d | n": ("ATT006", "there are 2 axes: 0 to 1, or -1 for the last"),
    "x[y > 0] | x n d, y m | _ d": ("ATT006", "index with a mask of the axis's own length"),
    "x.squeeze(1) | x n d | n": ("ATT008", "index it, as in x[:, 0]"),
    "x | x n d | d n": ("ATT001", 'swap axes 0 and 1 of the result, or annotate it "n d"'),
    "y | x n d, y m d | n d": ("ATT001", "return n there, or annotate the axis m"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_remedy_fits_the_sizes_in_hand(told: Told, case: str) -> None:
    body, arguments, result = case.split(" | ")
    parameters = ", ".join(
        f'{name}: Float[np.ndarray, "{axes}"]'
        for name, _, axes in (a.strip().partition(" ") for a in arguments.split(","))
    )
    (finding,) = told(f'def f({parameters}) -> Float[np.ndarray, "{result}"]:\n    return {body}').findings
    code, fix = CASES[case]
    assert finding.code == code and finding.fix.startswith(fix), finding


def test_a_selection_is_named_with_its_arguments(told: Told) -> None:
    report = told(
        'def f(c: Bool[np.ndarray, "b m"], x: Float[np.ndarray, "b n k"]) -> Float[np.ndarray, "b n k"]:\n'
        "    return np.where(c, x, 0.0)"
    )
    (first, *_) = report.findings
    assert first.message.startswith(
        "np.where(condition, x, y): axis -2 of condition [b, m], x [b, n, k], y (a number): "
    ) or first.message.startswith("np.where(condition, x, y): axis -1 of condition [b, m], x [b, n, k], y (a number): ")


DECORATED = "@jaxtyped(typechecker=beartype)\ndef f({}) -> Float[np.ndarray, 'n _']:\n    return x"


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ('x: Float[np.ndarray, "n h*k"]', "h and k"),
        ('x: Float[np.ndarray, "n h*k"], w: Float[np.ndarray, "h k"]', "h and k"),
        ('w: Float[np.ndarray, "h d"], x: Float[np.ndarray, "n h*k"]', "k"),
        ('x: Float[np.ndarray, "h*k h k"]', "h and k"),
        ('x: Float[np.ndarray, "n h*k"], h: int, k: int', "h and k"),
    ],
)
def test_an_axis_that_nothing_binds_is_told_where_jaxtyping_checks(told: Told, parameters: str, names: str) -> None:
    (finding,) = told(DECORATED.format(parameters).replace("'n _'", '"..."')).findings
    assert finding.code == "ATT047" and finding.severity == "warning"
    assert f"uses {names}, which no axis before it binds" in finding.message and finding.fix


@pytest.mark.parametrize(
    "parameters",
    [
        'w: Float[np.ndarray, "h k"], x: Float[np.ndarray, "n h*k"]',
        'x: Float[np.ndarray, "n {h}*2"], h: int',
        'x: Float[np.ndarray, "n n+1"]',
        'x: Float[np.ndarray, "#n *b _ ..."]'.replace(" ...", ""),
    ],
)
def test_an_axis_that_something_binds_is_not(told: Told, parameters: str) -> None:
    report = told(DECORATED.format(parameters).replace("'n _'", '"..."'))
    assert not [f for f in report.findings if f.code == "ATT047"]


def test_without_the_run_time_check_the_names_are_sizes_of_their_own(told: Told) -> None:
    report = told('def f(x: Float[np.ndarray, "n h*k"]) -> Float[np.ndarray, "n h*k"]:\n    return x')
    assert (report.verdict, report.findings) == ("PROVED", [])
