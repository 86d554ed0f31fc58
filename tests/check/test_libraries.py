"""einops and scipy.special, where they are installed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from verifier.check.finding import Report

Told = Callable[..., Report]


def test_einops_patterns_are_read_with_their_requirements(told: Told) -> None:
    pytest.importorskip("einops")
    report = told(
        """
        from einops import rearrange, repeat, reduce

        def f(x: Float[np.ndarray, "b n d"], h: int) -> Float[np.ndarray, "b {h} _"]:
            return reduce(repeat(rearrange(x, "b n (h k) -> b h n k", h=h), "b h n k -> b h (n 2) k"), "b h n k -> b h k", "max")
        """
    )
    assert (report.verdict, report.assumptions) == ("PROVED_IF", ["d % h == 0"])


def test_einops_may_merge_in_another_order_than_annotated(told: Told) -> None:
    pytest.importorskip("einops")
    report = told(
        """
        from einops import rearrange

        def f(x: Float[np.ndarray, "h n k"]) -> Float[np.ndarray, "n h*k"]:
            return rearrange(x, "h n k -> n (k h)")
        """
    )
    assert [f.code for f in report.findings] == ["ATT031"]


def test_scipys_softmax_is_a_softmax(told: Told) -> None:
    pytest.importorskip("scipy")
    source = """
        from scipy.special import logsumexp, softmax

        def f(q: Float[np.ndarray, "n d"], k: Float[np.ndarray, "m d"]) -> Float[np.ndarray, "n d"]:
            s = q @ k.T
            return softmax(s - logsumexp(s, axis=-1, keepdims=True), axis={0}) @ k
        """
    assert told(source.format(-1)).verdict == "PROVED"
    assert [f.code for f in told(source.format(0)).findings] == ["ATT033"]
