"""The table of positions has a fixed length."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
    n, d = x.shape
    table = np.zeros((16, d))
    return x + table[:n]


def fixed(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
    n, d = x.shape
    table = np.zeros((n, d))
    return x + table[:n]
