"""The additive causal mask hides each token from itself."""

import numpy as np
from jaxtyping import Float


def softmax(s: Float[np.ndarray, "*batch m"]) -> Float[np.ndarray, "*batch m"]:
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def buggy(q: Float[np.ndarray, "b n d"], k: Float[np.ndarray, "b n d"]) -> Float[np.ndarray, "b n n"]:
    n = q.shape[1]
    hidden = np.where(np.triu(np.ones((n, n)), k=0) == 1, -1e9, 0.0)
    return softmax(q @ k.swapaxes(1, 2) + hidden)


def fixed(q: Float[np.ndarray, "b n d"], k: Float[np.ndarray, "b n d"]) -> Float[np.ndarray, "b n n"]:
    n = q.shape[1]
    hidden = np.where(np.triu(np.ones((n, n)), k=1) == 1, -1e9, 0.0)
    return softmax(q @ k.swapaxes(1, 2) + hidden)


CODE = "ATT038"
