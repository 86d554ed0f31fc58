"""Only the bias of the first query is kept."""

import numpy as np
from jaxtyping import Float


def buggy(
    q: Float[np.ndarray, "h n d"], k: Float[np.ndarray, "h m d"], bias: Float[np.ndarray, "h n m"]
) -> Float[np.ndarray, "h n m"]:
    length = 1
    return q @ k.transpose(0, 2, 1) + bias[:, :length]


def fixed(
    q: Float[np.ndarray, "h n d"], k: Float[np.ndarray, "h m d"], bias: Float[np.ndarray, "h n m"]
) -> Float[np.ndarray, "h n m"]:
    length = q.shape[1]
    return q @ k.transpose(0, 2, 1) + bias[:, :length]


CODE = "ATT035"
