"""Keys are past then new, values new then past."""

import numpy as np
from jaxtyping import Float


def softmax(s: Float[np.ndarray, "*batch m"]) -> Float[np.ndarray, "*batch m"]:
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def buggy(
    q: Float[np.ndarray, "s d"], k: Float[np.ndarray, "s d"], v: Float[np.ndarray, "s d"],
    old_k: Float[np.ndarray, "p d"], old_v: Float[np.ndarray, "p d"],
) -> Float[np.ndarray, "s d"]:
    keys = np.concatenate([old_k, k])
    values = np.concatenate([v, old_v])
    return softmax(q @ keys.T) @ values


def fixed(
    q: Float[np.ndarray, "s d"], k: Float[np.ndarray, "s d"], v: Float[np.ndarray, "s d"],
    old_k: Float[np.ndarray, "p d"], old_v: Float[np.ndarray, "p d"],
) -> Float[np.ndarray, "s d"]:
    keys = np.concatenate([old_k, k])
    values = np.concatenate([old_v, v])
    return softmax(q @ keys.T) @ values


CODE = "ATT034"
