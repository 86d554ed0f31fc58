"""The head size is floored: channels vanish."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "b n d"], W: Float[np.ndarray, "d d"], h: int) -> Float[np.ndarray, "b {h} n _"]:
    b, n, d = x.shape
    size = d // h
    return (x @ W).reshape(b, n, h, size + 1).transpose(0, 2, 1, 3)


def fixed(x: Float[np.ndarray, "b n d"], W: Float[np.ndarray, "d d"], h: int) -> Float[np.ndarray, "b {h} n _"]:
    b, n, d = x.shape
    size = d // h
    return (x @ W).reshape(b, n, h, size).transpose(0, 2, 1, 3)


ASSUMES = ["d % h == 0"]
