"""Limits of arrays: what the calculus proves is so, and what it must not prove."""

from __future__ import annotations

from pathlib import Path

import pytest

from .claims import judged


@pytest.mark.parametrize(
    ("relation", "truth"),
    [
        ("softmax(times(v, 1/g)) == 1/m", "PROVED"),
        ("softmax(times(v, 1/g)) == softmax(v)", "REFUTED"),
        ("softmax(times(v, g)) == 1/m", "UNDECIDED"),  # no rule knows which score is the largest
        ("at(softmax(times(v, g)), t) == 1", "UNDECIDED"),
        ("at(softmax(times(gaps_but_at(gaps, t), g)), t) == 1", "PROVED"),
        ("times(at(softmax_gradient(times(gaps_but_at(gaps, t), g), v), t), g) == 0", "PROVED"),
        ("at(softmax_gradient(gaps_but_at(gaps, t), v), t) == 0", "REFUTED"),
        # A place times g does not grow where the place is the first.
        ("matmul(softmax(times(places(m), -g)), v) == 0", "REFUTED"),
        ("sum_all(softmax(times(places(m), -g))) == 0", "REFUTED"),
        # A polynomial under a fraction bar grows without bound only where its leading coefficient is not 0.
        ("divide(1, add(1, times(ones(1), g))) == 0", "PROVED"),
        ("divide(1, add(1, times(ones(1), g))) == 1", "REFUTED"),
        ("divide(1, add(1, times(v, g))) == 0", "UNDECIDED"),
        ("divide(g, add(1, times(ones(1), g))) == 0", "UNDECIDED"),
        # Written numbers have places of their own.
        ("softmax(identity(3)) == 0", "REFUTED"),
    ],
)
def test_limits_of_arrays(relation: str, truth: str, tmp_path: Path) -> None:
    arrays = '{ v = "m", gaps = "positive m", t = "index m" }'
    given = {"method": '"limit"', "sizes": '"m g"', "options": '{ variable = "g" }', "arrays": arrays}
    assert judged(tmp_path, relation=f'"{relation}"', mutants='["v == times(v, 2)"]', **given).truth == truth
