"""Query heads are declared group by group, and are split copy by copy."""

import numpy as np
from jaxtyping import Float


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def buggy(q: Float[np.ndarray, "b n g*r d"], k: Float[np.ndarray, "b m g d"]) -> Float[np.ndarray, "b g r n m"]:
    b, n, h, d = q.shape
    g = k.shape[2]
    return softmax(np.einsum("bnrgd,bmgd->bgrnm", q.reshape(b, n, h // g, g, d), k))


def fixed(q: Float[np.ndarray, "b n g*r d"], k: Float[np.ndarray, "b m g d"]) -> Float[np.ndarray, "b g r n m"]:
    b, n, h, d = q.shape
    g = k.shape[2]
    return softmax(np.einsum("bngrd,bmgd->bgrnm", q.reshape(b, n, g, h // g, d), k))


CODE = "ATT031"
ASSUMES = []
