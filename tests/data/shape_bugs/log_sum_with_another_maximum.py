"""The maximum inside a log of a sum of exponentials is taken along the examples."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "b v"]) -> Float[np.ndarray, "b v"]:
    top = x.max(axis=0, keepdims=True)
    return x - top - np.log(np.exp(x - top).sum(axis=1, keepdims=True))


def fixed(x: Float[np.ndarray, "b v"]) -> Float[np.ndarray, "b v"]:
    top = x.max(axis=1, keepdims=True)
    return x - top - np.log(np.exp(x - top).sum(axis=1, keepdims=True))


CODE = "ATT040"
ASSUMES = []
