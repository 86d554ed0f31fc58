"""Loops that break at a count beyond the bound up to which they are tried one by one."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray as A

def bad_fixed(x: Float[A, "4 d"], h: Float[A, "h"]) -> Float[A, "d"]:
    acc = x[0]
    for i in range(len(h)):
        acc = acc + x[i] * h[i]
    return acc

def bad_late(x: Float[A, "h d"], y: Float[A, "e"]) -> Float[A, "d"]:
    acc = x[0]
    for i in range(len(x)):
        if i > 6:
            acc = acc + y
    return acc

def bad_layers(x: Float[A, "n d"], w: Float[A, "6 d d"], depth: Float[A, "depth"]) -> Float[A, "n d"]:
    for i in range(len(depth)):
        x = x @ w[i]
    return x


def bad_parts(x: Float[A, "h n d"]) -> Float[A, "n d*6"]:
    if len(x) < 6:
        return np.zeros((x.shape[1], x.shape[2] * 6))
    return np.concatenate([y for y in x], axis=-1)
