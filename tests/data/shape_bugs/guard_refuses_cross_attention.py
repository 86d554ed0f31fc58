"""A check demands one length where two are declared."""

import numpy as np
from jaxtyping import Float


def softmax(s: Float[np.ndarray, "*batch m"]) -> Float[np.ndarray, "*batch m"]:
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def buggy(
    q: Float[np.ndarray, "n d"], k: Float[np.ndarray, "m d"], v: Float[np.ndarray, "m d_v"]
) -> Float[np.ndarray, "n d_v"]:
    assert q.shape[0] == k.shape[0]
    return softmax(q @ k.T / np.sqrt(q.shape[-1])) @ v


def fixed(
    q: Float[np.ndarray, "n d"], k: Float[np.ndarray, "m d"], v: Float[np.ndarray, "m d_v"]
) -> Float[np.ndarray, "n d_v"]:
    assert k.shape[0] == v.shape[0]
    return softmax(q @ k.T / np.sqrt(q.shape[-1])) @ v


CODE = "ATT021"
