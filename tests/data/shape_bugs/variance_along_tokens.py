"""The mean is taken along the channels, the variance along the tokens."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "b n d"], y: Float[np.ndarray, "b n d"]) -> Float[np.ndarray, "b n d"]:
    x = x + y
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-2, keepdims=True) + 1e-5)


def fixed(x: Float[np.ndarray, "b n d"], y: Float[np.ndarray, "b n d"]) -> Float[np.ndarray, "b n d"]:
    x = x + y
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)


CODE = "ATT040"
ASSUMES = []
