"""Keys are repeated along the tokens instead of the heads."""

import numpy as np
from jaxtyping import Float


def buggy(q: Float[np.ndarray, "b n h d"], k: Float[np.ndarray, "b m g d"]) -> Float[np.ndarray, "b h n m"]:
    groups = q.shape[2] // k.shape[2]
    if groups > 1:
        k = np.repeat(k, groups, axis=1)
    return np.einsum("bnhd,bmhd->bhnm", q, k)


def fixed(q: Float[np.ndarray, "b n h d"], k: Float[np.ndarray, "b m g d"]) -> Float[np.ndarray, "b h n m"]:
    groups = q.shape[2] // k.shape[2]
    if groups > 1:
        k = np.repeat(k, groups, axis=2)
    return np.einsum("bnhd,bmhd->bhnm", q, k)


ASSUMES = ["h % g == 0"]
