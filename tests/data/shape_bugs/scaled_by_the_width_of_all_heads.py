"""Scores of one head are scaled by the width of all heads together."""

import numpy as np
from jaxtyping import Float


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def buggy(
    x: Float[np.ndarray, "n d"], W_Q: Float[np.ndarray, "d d"], W_K: Float[np.ndarray, "d d"], h: int
) -> Float[np.ndarray, "{h} n n"]:
    # verifier: given d % h == 0
    n, d = x.shape
    q, k = ((x @ W).reshape(n, h, d // h).transpose(1, 0, 2) for W in (W_Q, W_K))
    return softmax(q @ k.transpose(0, 2, 1) / np.sqrt(d))


def fixed(
    x: Float[np.ndarray, "n d"], W_Q: Float[np.ndarray, "d d"], W_K: Float[np.ndarray, "d d"], h: int
) -> Float[np.ndarray, "{h} n n"]:
    # verifier: given d % h == 0
    n, d = x.shape
    q, k = ((x @ W).reshape(n, h, d // h).transpose(1, 0, 2) for W in (W_Q, W_K))
    return softmax(q @ k.transpose(0, 2, 1) / np.sqrt(d // h))


CODE = "ATT046"
ASSUMES = []
