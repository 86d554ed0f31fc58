"""Windows are put back with the rows and columns inside each exchanged."""

import numpy as np
from jaxtyping import Float


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def buggy(x: Float[np.ndarray, "b h w c"], s: int) -> Float[np.ndarray, "b h w c"]:
    # verifier: given h % s == 0
    # verifier: given w % s == 0
    b, h, w, c = x.shape
    y = x.reshape(b, h // s, s, w // s, s, c).transpose(0, 1, 3, 2, 4, 5).reshape(-1, s * s, c)
    y = (softmax(y @ y.transpose(0, 2, 1)) @ y).reshape(b, h // s, w // s, s, s, c)
    return x + y.transpose(0, 1, 4, 2, 3, 5).reshape(b, h, w, c)


def fixed(x: Float[np.ndarray, "b h w c"], s: int) -> Float[np.ndarray, "b h w c"]:
    # verifier: given h % s == 0
    # verifier: given w % s == 0
    b, h, w, c = x.shape
    y = x.reshape(b, h // s, s, w // s, s, c).transpose(0, 1, 3, 2, 4, 5).reshape(-1, s * s, c)
    y = (softmax(y @ y.transpose(0, 2, 1)) @ y).reshape(b, h // s, w // s, s, s, c)
    return x + y.transpose(0, 1, 3, 2, 4, 5).reshape(b, h, w, c)


CODE = "ATT030"
ASSUMES = []
