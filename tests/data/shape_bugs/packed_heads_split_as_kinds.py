"""Weights hold query, key and value of each head together, and are split as all queries first."""

import numpy as np
from jaxtyping import Float


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def buggy(x: Float[np.ndarray, "n d"], W: Float[np.ndarray, "d h*3*k"], h: int) -> Float[np.ndarray, "{h} n n"]:
    qkv = (x @ W).reshape(x.shape[0], 3, h, -1)
    return softmax(np.einsum("nhk,mhk->hnm", qkv[:, 0], qkv[:, 1]))


def fixed(x: Float[np.ndarray, "n d"], W: Float[np.ndarray, "d h*3*k"], h: int) -> Float[np.ndarray, "{h} n n"]:
    qkv = (x @ W).reshape(x.shape[0], h, 3, -1)
    return softmax(np.einsum("nhk,mhk->hnm", qkv[:, :, 0], qkv[:, :, 1]))


CODE = "ATT031"
ASSUMES = []
