"""The padding mask marks queries, which the softmax does not see."""

import numpy as np
from jaxtyping import Bool, Float


def softmax(s: Float[np.ndarray, "*batch m"]) -> Float[np.ndarray, "*batch m"]:
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def buggy(
    q: Float[np.ndarray, "b n d"], k: Float[np.ndarray, "b n d"], keep: Bool[np.ndarray, "b n"]
) -> Float[np.ndarray, "b n n"]:
    scores = q @ k.transpose(0, 2, 1)
    scores = np.where(keep[:, :, None], scores, -1e9)
    return softmax(scores)


def fixed(
    q: Float[np.ndarray, "b n d"], k: Float[np.ndarray, "b n d"], keep: Bool[np.ndarray, "b n"]
) -> Float[np.ndarray, "b n n"]:
    scores = q @ k.transpose(0, 2, 1)
    scores = np.where(keep[:, None, :], scores, -1e9)
    return softmax(scores)


CODE = "ATT037"
