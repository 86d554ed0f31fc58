"""Heads are cut out of the batch and not out of the width."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "b n d"], heads: int) -> Float[np.ndarray, "{heads}*b n d//{heads}"]:
    b, n, d = x.shape
    if d % heads != 0:
        raise ValueError("heads must divide d")
    return x.reshape(heads * b, n, d // heads)


def fixed(x: Float[np.ndarray, "b n d"], heads: int) -> Float[np.ndarray, "{heads}*b n d//{heads}"]:
    b, n, d = x.shape
    if d % heads != 0:
        raise ValueError("heads must divide d")
    return x.reshape(b, n, heads, d // heads).transpose(2, 0, 1, 3).reshape(heads * b, n, -1)


CODE = "ATT030"
