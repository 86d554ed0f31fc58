"""Scores are heads-major, the mask is repeated batch-major."""

import numpy as np
from jaxtyping import Bool, Float


def buggy(
    x: Float[np.ndarray, "b n h d"], keep: Bool[np.ndarray, "b n n"]
) -> Float[np.ndarray, "h*b n n"]:
    b, n, h, d = x.shape
    q = x.transpose(2, 0, 1, 3).reshape(h * b, n, d)
    scores = q @ q.transpose(0, 2, 1)
    keep = np.repeat(keep, h, axis=0)
    return np.where(keep, scores, -1e9)


def fixed(
    x: Float[np.ndarray, "b n h d"], keep: Bool[np.ndarray, "b n n"]
) -> Float[np.ndarray, "h*b n n"]:
    b, n, h, d = x.shape
    q = x.transpose(2, 0, 1, 3).reshape(h * b, n, d)
    scores = q @ q.transpose(0, 2, 1)
    keep = np.tile(keep, (h, 1, 1))
    return np.where(keep, scores, -1e9)


CODE = "ATT031"
