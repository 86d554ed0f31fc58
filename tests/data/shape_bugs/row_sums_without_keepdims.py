"""The row sums are lined up with the columns."""

import numpy as np
from jaxtyping import Float


def buggy(a: Float[np.ndarray, "n n"]) -> Float[np.ndarray, "n n"]:
    return a / a.sum(axis=1)


def fixed(a: Float[np.ndarray, "n n"]) -> Float[np.ndarray, "n n"]:
    return a / a.sum(axis=1, keepdims=True)


CODE = "ATT035"
