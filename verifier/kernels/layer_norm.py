"""Normalisation by mean and variance."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def layer_norm(
    x: Float[np.ndarray, "*batch d"],
    gain: Float[np.ndarray, "d"],
    bias: Float[np.ndarray, "d"] | None = None,
    epsilon: float = 1e-5,
) -> Float[np.ndarray, "*batch d"]:
    """Each row less its mean, over its standard deviation, times the gain, plus the bias where there is one.

    Shapes: [..., d], [d] -> [..., d].
    Source: Ba, Kiros and Hinton 2016, equation 4.

    >>> layer_norm(np.array([[1.0, 3.0]]), np.ones(2), np.zeros(2)).round(3)
    array([[-1.,  1.]])
    """
    centred = x - np.mean(x, axis=-1, keepdims=True)
    scaled = centred / np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True) + epsilon) * gain
    return scaled if bias is None else scaled + bias
