"""An image is reshaped to patches at once: each row of the result is a piece of some rows of pixels."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "b c h w"], p: int) -> Float[np.ndarray, "b _ _"]:
    # verifier: given h % p == 0
    # verifier: given w % p == 0
    b, c, h, w = x.shape
    return x.reshape(b, (h // p) * (w // p), c * p * p)


def fixed(x: Float[np.ndarray, "b c h w"], p: int) -> Float[np.ndarray, "b _ _"]:
    # verifier: given h % p == 0
    # verifier: given w % p == 0
    b, c, h, w = x.shape
    x = x.reshape(b, c, h // p, p, w // p, p).transpose(0, 2, 4, 1, 3, 5)
    return x.reshape(b, (h // p) * (w // p), c * p * p)


CODE = "ATT030"
ASSUMES = []
