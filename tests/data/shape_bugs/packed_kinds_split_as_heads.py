"""Weights hold all queries, then keys, then values, and are split head by head."""

import numpy as np
from jaxtyping import Float


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def buggy(x: Float[np.ndarray, "n d"], W: Float[np.ndarray, "d 3*h*k"], h: int) -> Float[np.ndarray, "{h} n n"]:
    q, k, _ = np.split((x @ W).reshape(x.shape[0], h, -1), 3, axis=-1)
    return softmax(np.einsum("nhk,mhk->hnm", q, k))


def fixed(x: Float[np.ndarray, "n d"], W: Float[np.ndarray, "d 3*h*k"], h: int) -> Float[np.ndarray, "{h} n n"]:
    q, k, _ = (part.reshape(x.shape[0], h, -1) for part in np.split(x @ W, 3, axis=-1))
    return softmax(np.einsum("nhk,mhk->hnm", q, k))


CODE = "ATT031"
ASSUMES = []
