"""Orders of growth: the rays that refute one keep to the premises."""

from __future__ import annotations

import pytest

from verifier.dims import Scope, symbol
from verifier.prove.asymptotic import prove_big_o

n, h, k, d, e = (symbol(s) for s in "nhkde")


@pytest.mark.parametrize(
    ("above", "below", "premises", "truth"),
    [
        (n * n, n, [], "REFUTED"),
        (3 * n + h, n * h, [], "PROVED"),
        # All heads together are as wide as the model, however many there are: they cannot grow alone.
        (n * h * k, n * d, ["h*k == d"], "PROVED"),
        (n * h * k, n * d * e, ["h*k == d*e"], "UNDECIDED"),
        (n * n * h * k, n * d * e, ["h*k == d*e"], "REFUTED"),
        (n * h, n * d, ["h*k == d*e", "k != e"], "REFUTED"),
    ],
)
def test_a_ray_keeps_to_the_premises(above: object, below: object, premises: list[str], truth: str) -> None:
    scope = Scope.of("n h k d e").assuming(*premises) if premises else Scope.of("n h k d e")
    verdict = prove_big_o(above, below, scope)
    assert verdict.truth == truth
