"""Key heads are picked in turns by a remainder, while query heads of one group are neighbours."""

import numpy as np
from jaxtyping import Float


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def buggy(q: Float[np.ndarray, "b g*r n d"], k: Float[np.ndarray, "b g m d"]) -> Float[np.ndarray, "b g*r n m"]:
    heads = np.arange(q.shape[1]) % k.shape[1]
    return softmax(q @ k[:, heads].swapaxes(-1, -2))


def fixed(q: Float[np.ndarray, "b g*r n d"], k: Float[np.ndarray, "b g m d"]) -> Float[np.ndarray, "b g*r n m"]:
    heads = np.arange(q.shape[1]) // (q.shape[1] // k.shape[1])
    return softmax(q @ k[:, heads].swapaxes(-1, -2))


CODE = "ATT032"
ASSUMES = []
