"""The mask keeps the future and hides the past."""

import numpy as np
from jaxtyping import Float


def softmax(s: Float[np.ndarray, "*batch m"]) -> Float[np.ndarray, "*batch m"]:
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def buggy(q: Float[np.ndarray, "n d"], k: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n n"]:
    n = q.shape[0]
    keep = np.triu(np.ones((n, n), dtype=bool))
    return softmax(np.where(keep, q @ k.T, -np.inf))


def fixed(q: Float[np.ndarray, "n d"], k: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n n"]:
    n = q.shape[0]
    keep = np.tril(np.ones((n, n), dtype=bool))
    return softmax(np.where(keep, q @ k.T, -np.inf))


CODE = "ATT037"
