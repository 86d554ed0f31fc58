"""The maximum of a softmax is taken along the queries, its sum along the keys."""

import numpy as np
from jaxtyping import Float


def buggy(s: Float[np.ndarray, "n m"]) -> Float[np.ndarray, "n m"]:
    e = np.exp(s - s.max(axis=0, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def fixed(s: Float[np.ndarray, "n m"]) -> Float[np.ndarray, "n m"]:
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


CODE = "ATT040"
ASSUMES = []
