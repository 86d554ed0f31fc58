"""An inverse is known by one law alone: its product with the matrix is the identity, on either side."""

from __future__ import annotations

import numpy as np
import pytest
from jaxtyping import Float

from verifier.readings import trace
from verifier.readings.meaning import meaning_of


def left(M: Float[np.ndarray, "d d"]) -> Float[np.ndarray, "d d"]:
    return np.linalg.inv(M) @ M


def right(M: Float[np.ndarray, "d d"]) -> Float[np.ndarray, "d d"]:
    return M @ np.linalg.inv(M)


def transposed(M: Float[np.ndarray, "d d"]) -> Float[np.ndarray, "d d"]:
    return M.T @ np.linalg.inv(M)


def computed(M: Float[np.ndarray, "d d"]) -> Float[np.ndarray, "d d"]:
    return np.linalg.inv(M + M)


def rectangular(M: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
    return np.linalg.inv(M)


@pytest.mark.parametrize("function", [left, right])
def test_the_product_is_the_identity(function):
    assert str(meaning_of(trace(function))[0]) == "[o₁ == o₂]"


def test_no_other_product_is():
    assert "⁻¹" in str(meaning_of(trace(transposed))[0])


def test_what_is_computed_stays_opaque_and_what_is_not_square_fails():
    assert "⁻¹" not in str(meaning_of(trace(computed))[0])
    square, other = sorted(trace(rectangular).paths, key=lambda p: p.error is not None)
    assert ({c.op for c in square.conditions}, square.error) == ({"=="}, None)
    assert {c.op for c in other.conditions} == {"!="}
    assert isinstance(other.error, ValueError)
