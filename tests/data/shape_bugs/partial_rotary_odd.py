"""The rotated part may be odd, and its two halves then differ."""

import numpy as np
from jaxtyping import Float


def buggy(q: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
    n, d = q.shape
    rot = (3 * d) // 4
    turned, rest = q[:, :rot], q[:, rot:]
    angles = np.outer(np.arange(n), 10000.0 ** (-np.arange(0, rot, 2) / d))
    angles = np.concatenate([angles, angles], axis=-1)
    half = rot // 2
    swapped = np.concatenate([-turned[:, half:], turned[:, :half]], axis=-1)
    return np.concatenate([turned * np.cos(angles) + swapped * np.sin(angles), rest], axis=-1)


def fixed(q: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
    n, d = q.shape
    rot = 2 * ((3 * d) // 8)
    turned, rest = q[:, :rot], q[:, rot:]
    angles = np.outer(np.arange(n), 10000.0 ** (-np.arange(0, rot, 2) / d))
    angles = np.concatenate([angles, angles], axis=-1)
    half = rot // 2
    swapped = np.concatenate([-turned[:, half:], turned[:, :half]], axis=-1)
    return np.concatenate([turned * np.cos(angles) + swapped * np.sin(angles), rest], axis=-1)
