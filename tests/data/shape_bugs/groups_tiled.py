"""Key heads are tiled, so that neighbouring query heads do not share one."""

import numpy as np
from jaxtyping import Float


def buggy(q: Float[np.ndarray, "n h d"], k: Float[np.ndarray, "m g d"]) -> Float[np.ndarray, "h n m"]:
    groups = q.shape[1] // k.shape[1]
    k = np.tile(k, (1, groups, 1))
    return np.einsum("nhd,mhd->hnm", q, k)


def fixed(q: Float[np.ndarray, "n h d"], k: Float[np.ndarray, "m g d"]) -> Float[np.ndarray, "h n m"]:
    groups = q.shape[1] // k.shape[1]
    k = np.repeat(k, groups, axis=1)
    return np.einsum("nhd,mhd->hnm", q, k)


CODE = "ATT032"
ASSUMES = ["h % g == 0"]
