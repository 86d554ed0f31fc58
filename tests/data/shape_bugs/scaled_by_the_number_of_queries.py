"""Scores are scaled by the number of queries."""

import numpy as np
from jaxtyping import Float


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def buggy(q: Float[np.ndarray, "b h n d_k"], k: Float[np.ndarray, "b h m d_k"]) -> Float[np.ndarray, "b h n m"]:
    scale = q.shape[2] ** -0.5
    return softmax(q @ k.swapaxes(-1, -2) * scale)


def fixed(q: Float[np.ndarray, "b h n d_k"], k: Float[np.ndarray, "b h m d_k"]) -> Float[np.ndarray, "b h n m"]:
    scale = q.shape[3] ** -0.5
    return softmax(q @ k.swapaxes(-1, -2) * scale)


CODE = "ATT046"
ASSUMES = []
