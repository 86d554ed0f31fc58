"""A learned factor for each channel."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def scale_channels(x: Float[np.ndarray, "n d"], gain: Float[np.ndarray, "d"]) -> Float[np.ndarray, "n d"]:
    """X times the gain: layer scale.

    Shapes: [n, d], [d] -> [n, d].
    Source: Touvron et al. 2021, "Going deeper with image transformers", equation 4.

    >>> scale_channels(np.ones((1, 2)), np.array([2.0, 3.0]))
    array([[2., 3.]])
    """
    return x * gain
