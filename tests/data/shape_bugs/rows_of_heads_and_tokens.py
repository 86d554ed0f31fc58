"""Batch and tokens are merged while the heads stand between them."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "b h n d"]) -> Float[np.ndarray, "b*n h*d"]:
    b, h, n, d = x.shape
    return x.reshape(b * n, h * d)


def fixed(x: Float[np.ndarray, "b h n d"]) -> Float[np.ndarray, "b*n h*d"]:
    b, h, n, d = x.shape
    return x.transpose(0, 2, 1, 3).reshape(b * n, h * d)


CODE = "ATT030"
ASSUMES = []
