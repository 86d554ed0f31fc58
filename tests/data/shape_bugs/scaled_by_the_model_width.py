"""Scores over the channels of a head are scaled by the width of the model."""

import numpy as np
from jaxtyping import Float


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def buggy(
    x: Float[np.ndarray, "n d_model"], W_Q: Float[np.ndarray, "d_model d_k"], W_K: Float[np.ndarray, "d_model d_k"]
) -> Float[np.ndarray, "n n"]:
    q, k = x @ W_Q, x @ W_K
    return softmax(q / x.shape[-1] ** 0.5 @ k.T)


def fixed(
    x: Float[np.ndarray, "n d_model"], W_Q: Float[np.ndarray, "d_model d_k"], W_K: Float[np.ndarray, "d_model d_k"]
) -> Float[np.ndarray, "n n"]:
    q, k = x @ W_Q, x @ W_K
    return softmax(q / q.shape[-1] ** 0.5 @ k.T)


CODE = "ATT046"
ASSUMES = []
