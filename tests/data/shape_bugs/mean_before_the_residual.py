"""The mean is that of the array before the residual was added, the variance that of the sum."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "b n d"], y: Float[np.ndarray, "b n d"]) -> Float[np.ndarray, "b n d"]:
    z = x + y
    return (z - x.mean(-1, keepdims=True)) * (z.var(-1, keepdims=True) + 1e-5) ** -0.5


def fixed(x: Float[np.ndarray, "b n d"], y: Float[np.ndarray, "b n d"]) -> Float[np.ndarray, "b n d"]:
    z = x + y
    return (z - z.mean(-1, keepdims=True)) * (z.var(-1, keepdims=True) + 1e-5) ** -0.5


CODE = "ATT040"
ASSUMES = []
