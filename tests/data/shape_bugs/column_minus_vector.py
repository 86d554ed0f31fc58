"""A trailing axis of one meets a vector: all pairs instead of one difference each."""

import numpy as np
from jaxtyping import Float


def buggy(
    x: Float[np.ndarray, "b n d"], head: Float[np.ndarray, "d 1"], target: Float[np.ndarray, "b"]
) -> Float[np.ndarray, ""]:
    predicted = x.mean(axis=1) @ head
    return ((predicted - target) ** 2).mean()


def fixed(
    x: Float[np.ndarray, "b n d"], head: Float[np.ndarray, "d 1"], target: Float[np.ndarray, "b"]
) -> Float[np.ndarray, ""]:
    predicted = (x.mean(axis=1) @ head)[:, 0]
    return ((predicted - target) ** 2).mean()


CODE = "ATT035"
