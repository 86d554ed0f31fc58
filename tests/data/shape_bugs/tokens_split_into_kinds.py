"""The packed projection is split along the tokens: a third of them asks another third."""

import numpy as np
from jaxtyping import Float


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def buggy(x: Float[np.ndarray, "n d"], W: Float[np.ndarray, "d 3*k"]) -> Float[np.ndarray, "_ _"]:
    # verifier: given n % 3 == 0
    q, k, v = np.split(x @ W, 3, axis=0)
    return softmax(q @ k.T) @ v


def fixed(x: Float[np.ndarray, "n d"], W: Float[np.ndarray, "d 3*k"]) -> Float[np.ndarray, "_ _"]:
    # verifier: given n % 3 == 0
    q, k, v = np.split(x @ W, 3, axis=1)
    return softmax(q @ k.T) @ v


CODE = "ATT039"
ASSUMES = []
