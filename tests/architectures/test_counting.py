"""Polynomials evaluate to what the kernel does on real numbers."""

from __future__ import annotations

import numpy as np
import pytest

from verifier import kernels
from verifier.architectures.counting import at_sizes, broken_conditions, facts_of


def test_grouped_attention_raises_where_its_condition_breaks() -> None:
    sizes = {"h": 6, "g": 4, "n": 2, "t": 1, "d_k": 3, "d_v": 3, "d_model": 5, "d_out": 5}
    assert [str(r) for r in broken_conditions("grouped_query_attention", sizes)] == ["h - g*(h // g) == 0"]
    x, K, W, W_K = np.ones((2, 5)), np.ones((4, 1, 3)), np.ones((6, 5, 3)), np.ones((4, 5, 3))
    with pytest.raises(ValueError, match="do not divide"):
        kernels.grouped_query_attention(x, K, K, W, W_K, W_K, np.ones((18, 5)))


@pytest.mark.parametrize(("g", "t"), [(1, 0), (2, 3), (4, 7)])
def test_flops_of_grouped_attention(g: int, t: int) -> None:
    h, n, d, e = 4, 5, 6, 3
    sizes = {"h": h, "g": g, "n": n, "t": t, "d_k": e, "d_v": e, "d_model": d, "d_out": d}
    projections = 2 * n * d * e * (h + 2 * g) + 2 * n * h * e * d
    scores = 2 * 2 * h * n * (n + t) * e
    assert at_sizes(facts_of("grouped_query_attention").forward, sizes) == projections + scores


def test_backward_is_twice_forward_unless_an_operand_is_constant() -> None:
    sizes = {"n": 3, "d_in": 4, "d_out": 5}
    forward = at_sizes(facts_of("linear").forward, sizes)
    assert at_sizes(facts_of("linear").backward, sizes) == 2 * forward
    assert at_sizes(facts_of("linear", frozenset(), frozenset({"x"})).backward, sizes) == forward


def test_absorbed_latent_attention_is_latent_attention() -> None:
    rng = np.random.default_rng(0)
    n, t, d, q, r, d_r, h, d_n, d_v = 2, 3, 8, 8, 6, 2, 3, 4, 5
    shapes = [
        (n, q),
        (n, d),
        (t, r),
        (t, d_r),
        (d, r),
        (d, d_r),
        (r,),
        (h, q, d_n),
        (h, q, d_r),
        (h, r, d_n),
        (h, r, d_v),
    ]
    values = [rng.normal(size=s) for s in [*shapes, (h * d_v, d)]]
    np.testing.assert_allclose(kernels.absorbed_latent_attention(*values), kernels.latent_attention(*values))
