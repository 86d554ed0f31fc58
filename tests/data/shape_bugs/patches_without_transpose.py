"""An image is cut into patches, and the grid is merged before its axes stand side by side."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "b gh*p gw*q c"], gh: int, gw: int) -> Float[np.ndarray, "b {gh}*{gw} p*q*c"]:
    b, height, width, c = x.shape
    p, q = height // gh, width // gw
    return x.reshape(b, gh, p, gw, q, c).reshape(b, gh * gw, p * q * c)


def fixed(x: Float[np.ndarray, "b gh*p gw*q c"], gh: int, gw: int) -> Float[np.ndarray, "b {gh}*{gw} p*q*c"]:
    b, height, width, c = x.shape
    p, q = height // gh, width // gw
    return x.reshape(b, gh, p, gw, q, c).transpose(0, 1, 3, 2, 4, 5).reshape(b, gh * gw, p * q * c)


CODE = "ATT030"
ASSUMES = []
