"""Scores are flattened to rows of all examples, and the softmax runs over the rows."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "b n d"], y: Float[np.ndarray, "b m d"]) -> Float[np.ndarray, "b n d"]:
    b, n, _ = x.shape
    m = y.shape[1]
    flat = np.matmul(x, np.swapaxes(y, 1, 2)).reshape(b * n, m)
    e = np.exp(flat - flat.max(axis=0, keepdims=True))
    w = e / e.sum(axis=0, keepdims=True)
    return w.reshape(b, n, m) @ y


def fixed(x: Float[np.ndarray, "b n d"], y: Float[np.ndarray, "b m d"]) -> Float[np.ndarray, "b n d"]:
    b, n, _ = x.shape
    m = y.shape[1]
    flat = np.matmul(x, np.swapaxes(y, 1, 2)).reshape(b * n, m)
    e = np.exp(flat - flat.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w.reshape(b, n, m) @ y


CODE = "ATT033"
