"""Weights hold query, key and value of each head together, and are viewed as three blocks of heads."""

import numpy as np
from jaxtyping import Float


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def buggy(x: Float[np.ndarray, "n d"], W: Float[np.ndarray, "d h*3*k"], h: int) -> Float[np.ndarray, "{h} n n"]:
    n = x.shape[0]
    y = (x @ W).reshape(n, 3, -1)
    q, k = y[:, 0].reshape(n, h, -1), y[:, 1].reshape(n, h, -1)
    return softmax(np.einsum("nhk,mhk->hnm", q, k))


def fixed(x: Float[np.ndarray, "n d"], W: Float[np.ndarray, "d h*3*k"], h: int) -> Float[np.ndarray, "{h} n n"]:
    n = x.shape[0]
    y = (x @ W).reshape(n, h, 3, -1)
    q, k = y[:, :, 0], y[:, :, 1]
    return softmax(np.einsum("nhk,mhk->hnm", q, k))


CODE = "ATT031"
ASSUMES = []
