"""Heads are merged behind the features, the projection expects them in front."""

import numpy as np
from jaxtyping import Float


def buggy(
    heads: Float[np.ndarray, "h n d_v"], w_o: Float[np.ndarray, "h*d_v d"]
) -> Float[np.ndarray, "n d"]:
    h, n, d_v = heads.shape
    return np.transpose(heads, (1, 2, 0)).reshape(n, h * d_v) @ w_o


def fixed(
    heads: Float[np.ndarray, "h n d_v"], w_o: Float[np.ndarray, "h*d_v d"]
) -> Float[np.ndarray, "n d"]:
    h, n, d_v = heads.shape
    return np.transpose(heads, (1, 0, 2)).reshape(n, h * d_v) @ w_o


CODE = "ATT031"
