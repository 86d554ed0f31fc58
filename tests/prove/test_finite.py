"""Bounded sizes are tried out: a contradiction is told only where every value meets one."""

from __future__ import annotations

import pytest

from verifier.dims import Scope
from verifier.prove.finite import without_model


@pytest.mark.parametrize(
    ("texts", "contradictory"),
    [
        (["2 % g == 0", "g <= 1 // (2 // g)"], True),
        (["1 % g == 0", "1 // g == 0"], True),
        (["6 % g == 0", "g > 3", "g < 6"], True),
        (["g <= 3", "g * g == 2"], True),
        (["6 % g == 0", "g > 3"], False),
        (["6 % g == 0", "g > n"], False),
        (["g > 3", "g * g == 2"], False),
        (["n == d"], False),
        ([], False),
    ],
)
def test_a_contradiction_among_bounded_sizes(texts: list[str], contradictory: bool) -> None:
    scope = Scope.of("g n d")
    for text in texts:
        scope = scope.assuming(text)
    assert without_model([a.relation for a in scope.assumptions], scope.least) is contradictory
