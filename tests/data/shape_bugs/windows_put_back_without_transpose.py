"""Windows are put back row by row of the grid, not of the picture."""

import numpy as np
from jaxtyping import Float


def buggy(x: Float[np.ndarray, "b*gh*gw s s c"], gh: int, gw: int) -> Float[np.ndarray, "b {gh}*s {gw}*s c"]:
    _, s, _, c = x.shape
    return x.reshape(-1, gh, gw, s, s, c).reshape(-1, gh * s, gw * s, c)


def fixed(x: Float[np.ndarray, "b*gh*gw s s c"], gh: int, gw: int) -> Float[np.ndarray, "b {gh}*s {gw}*s c"]:
    _, s, _, c = x.shape
    return x.reshape(-1, gh, gw, s, s, c).transpose(0, 1, 3, 2, 4, 5).reshape(-1, gh * s, gw * s, c)


CODE = "ATT030"
ASSUMES = []
