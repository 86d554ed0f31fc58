"""The annotation forgets that the cache grows."""

import numpy as np
from jaxtyping import Float


def buggy(
    new: Float[np.ndarray, "b s h d"], cache: Float[np.ndarray, "b t h d"]
) -> Float[np.ndarray, "b s h d"]:
    return np.concatenate((cache, new), axis=1)


def fixed(
    new: Float[np.ndarray, "b s h d"], cache: Float[np.ndarray, "b t h d"]
) -> Float[np.ndarray, "b t+s h d"]:
    return np.concatenate((cache, new), axis=1)


CODE = "ATT001"
