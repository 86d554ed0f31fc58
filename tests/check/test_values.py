"""What is said of masks and weights that are wrong behind right shapes: one finding for one mistake, with its remedy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.finding import Finding, Report
from verifier.check.judge import judge

Told = Callable[..., Report]
DATA = Path(__file__).parent.parent / "data"
WEIGHTS = subjects_of(Target(DATA / "weights.py"))
MASKS = [s for s in subjects_of(Target(DATA / "masks.py")) if s.name.startswith("b_")]
SOFTMAX = """
def softmax(s, axis=-1):
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

"""


@pytest.mark.parametrize("subject", WEIGHTS, ids=lambda s: s.name)
def test_weights_are_told_once_with_the_axis_to_use(subject: Subject) -> None:
    (finding,) = judge(subject).findings
    assert finding.code == "ATT033" and "normalise over" in finding.fix and "axis=-" in finding.fix


@pytest.mark.parametrize("subject", MASKS, ids=lambda s: s.name)
def test_a_mask_is_told_once(subject: Subject) -> None:
    (finding,) = judge(subject).findings
    assert finding.code == ("ATT038" if "shifted" in subject.name else "ATT037") and finding.fix


def only(
    told: Told, body: str, annotations: str = 'q: Float[np.ndarray, "n d"], k: Float[np.ndarray, "n d"]'
) -> Finding:
    result = "n n" if "scores" in body else "n d"
    source = f'def f({annotations}) -> Float[np.ndarray, "{result}"]:\n    n = q.shape[0]\n'
    (finding,) = told(SOFTMAX + source + "".join(f"    {line}\n" for line in body.splitlines())).findings
    return finding


def test_rows_and_columns_are_named_where_two_axes_have_one_name(told: Told) -> None:
    finding = only(told, "w = softmax(q @ q.T)\nreturn w.T @ k")
    assert finding.message == "the weights are normalised over the columns n, and summed over the rows n"
    assert finding.fix == "use the weights as they are, not transposed; or normalise over the rows n: axis=-2"
    finding = only(told, "w = softmax(q @ q.T, axis=0)\nreturn w @ k")
    assert finding.message == "the weights are normalised over the rows n, and summed over the columns n"
    assert finding.fix == "normalise over the columns n, the axis that is summed over: axis=-1"


def test_queries_and_keys_are_named_where_the_arrays_tell(told: Told) -> None:
    arrays = ", ".join(f'{n}: Float[np.ndarray, "{s} d"]' for n, s in (("q", "n"), ("k", "m"), ("v", "m")))
    finding = only(told, "return softmax(q @ k.T, axis=0) @ v", arrays)
    assert finding.message == "the weights are normalised over the queries n, and summed over the keys m"
    assert finding.fix == "normalise over the keys m, the axis that is summed over: axis=-1"


@pytest.mark.parametrize(
    ("mask", "fix"),
    [
        ("scores = np.where(np.triu(np.ones((n, n))) > 0, s, -1e9)", "keep what is up to the diagonal: tril(...)"),
        ("scores = np.where(np.tril(np.ones((n, n)), -1) > 0, -1e9, s)", "hide what is above the diagonal: triu(..., 1)"),
        ("scores = s + np.tril(np.full((n, n), -np.inf), -1)", "add the hiding value above the diagonal: triu(..., 1)"),
        ("scores = s + np.where(np.triu(np.ones((n, n)), k=0) == 1, -1e9, 0.0)", "hide from the diagonal 1: triu(..., 1)"),
        ("scores = np.where(np.tril(np.ones((n, n)), k=-1) > 0, s, -1e9)", "keep up to the diagonal 0: tril(..., 0)"),
    ],
)  # fmt: skip
def test_the_remedy_is_in_the_terms_of_the_mask(told: Told, mask: str, fix: str) -> None:
    finding = only(told, f"s = q @ k.T\n{mask}\nreturn softmax(scores)")
    assert finding.fix.startswith(fix)


@pytest.mark.parametrize("triangle", ["np.tril", "np.triu"])
@pytest.mark.parametrize(
    "mask",
    [
        "np.where({0} & pad, s, -1e9)",
        "np.where(~({0} & pad), -1e9, s)",
        "np.where(~{0} | ~pad, -1e9, s)",
        "np.where(pad, np.where({0}, s, -1e9), -1e9)",
        "s + np.where({0}, np.where(pad, 0.0, -1e9), -1e9)",
        "s + (np.where({0}, 0.0, -1e9) + np.where(pad, 0.0, -1e9))",
        "s + (1.0 - {0} * pad) * -1e9",
        "s - 1e9 * (1.0 - np.minimum({0}, pad))",
    ],
)
def test_a_triangle_is_seen_through_what_it_is_joined_with(told: Told, mask: str, triangle: str) -> None:
    joined = mask.format(f"{triangle}(np.ones((n, n), dtype=bool))")
    source = f"""
def f(q: Float[np.ndarray, "n d"], k: Float[np.ndarray, "n d"], keep: Bool[np.ndarray, "n"]) -> Float[np.ndarray, "n n"]:
    n, s, pad = q.shape[0], q @ k.T, keep[None, :]
    return softmax({joined})
"""
    assert [f.code for f in told(SOFTMAX + source).findings] == ([] if triangle == "np.tril" else ["ATT037"])
