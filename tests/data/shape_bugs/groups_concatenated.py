"""Key heads are concatenated with themselves, while query heads of one group are neighbours."""

import numpy as np
from jaxtyping import Float


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def buggy(q: Float[np.ndarray, "b g*r n d"], k: Float[np.ndarray, "b g m d"]) -> Float[np.ndarray, "b g*r n m"]:
    r = q.shape[1] // k.shape[1]
    k = np.concatenate([k] * r, axis=1)
    return softmax(q @ k.swapaxes(-1, -2))


def fixed(q: Float[np.ndarray, "b g*r n d"], k: Float[np.ndarray, "b g m d"]) -> Float[np.ndarray, "b g*r n m"]:
    r = q.shape[1] // k.shape[1]
    k = np.stack([k] * r, axis=2).reshape(q.shape[0], q.shape[1], k.shape[2], k.shape[3])
    return softmax(q @ k.swapaxes(-1, -2))


CODE = "ATT032"
ASSUMES = []
