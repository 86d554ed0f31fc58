"""The softmax runs over the queries, the sum over the keys."""

import numpy as np
from jaxtyping import Float


def buggy(
    q: Float[np.ndarray, "b n d"], k: Float[np.ndarray, "b m d"], v: Float[np.ndarray, "b m d_v"]
) -> Float[np.ndarray, "b n d_v"]:
    s = q @ k.transpose(0, 2, 1)
    e = np.exp(s)
    w = e / e.sum(axis=1, keepdims=True)
    return w @ v


def fixed(
    q: Float[np.ndarray, "b n d"], k: Float[np.ndarray, "b m d"], v: Float[np.ndarray, "b m d_v"]
) -> Float[np.ndarray, "b n d_v"]:
    s = q @ k.transpose(0, 2, 1)
    e = np.exp(s)
    w = e / e.sum(axis=2, keepdims=True)
    return w @ v


CODE = "ATT033"
