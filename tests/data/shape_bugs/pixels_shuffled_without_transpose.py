"""Channels become pixels without a transpose: the picture is interleaved wrongly."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "b c*r*r h w"], r: int) -> Float[np.ndarray, "b c h*r w*r"]:
    b, _, h, w = x.shape
    return x.reshape(b, -1, r, r, h, w).reshape(b, -1, h * r, w * r)


def fixed(x: Float[np.ndarray, "b c*r*r h w"], r: int) -> Float[np.ndarray, "b c h*r w*r"]:
    b, _, h, w = x.shape
    return x.reshape(b, -1, r, r, h, w).transpose(0, 1, 4, 2, 5, 3).reshape(b, -1, h * r, w * r)


CODE = "ATT030"
ASSUMES = []
