"""The table of sines is as long as the batch."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "batch n d"]) -> Float[np.ndarray, "batch n d"]:
    _, n, d = x.shape
    positions = np.arange(x.shape[0], dtype=float)
    angles = positions[:, None, None] / 10000.0 ** (np.arange(d) / d)
    return x + np.sin(angles)


def fixed(x: Float[np.ndarray, "batch n d"]) -> Float[np.ndarray, "batch n d"]:
    _, n, d = x.shape
    positions = np.arange(n, dtype=float)
    angles = positions[:, None] / 10000.0 ** (np.arange(d) / d)
    return x + np.sin(angles)
