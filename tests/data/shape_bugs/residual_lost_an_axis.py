"""The squeezed context is added to the query, and the batch is broadcast."""

import numpy as np
from jaxtyping import Float


def softmax(s: Float[np.ndarray, "*batch m"]) -> Float[np.ndarray, "*batch m"]:
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def buggy(q: Float[np.ndarray, "b 1 d"], v: Float[np.ndarray, "b m d"]) -> Float[np.ndarray, "b 1 d"]:
    w = softmax(q @ v.transpose(0, 2, 1))
    context = np.squeeze(w @ v, axis=1)
    return context + q


def fixed(q: Float[np.ndarray, "b 1 d"], v: Float[np.ndarray, "b m d"]) -> Float[np.ndarray, "b 1 d"]:
    w = softmax(q @ v.transpose(0, 2, 1))
    context = w @ v
    return context + q
