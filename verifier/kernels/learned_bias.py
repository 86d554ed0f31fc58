"""A learned number for each channel, the same for every token."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def learned_bias(x: Float[np.ndarray, "n d"], bias: Float[np.ndarray, "d"]) -> Float[np.ndarray, "n d"]:
    """X plus the bias, of any width: what a head adds to its logits, or an expert layer to its sum.

    Shapes: [n, d], [d] -> [n, d].

    >>> learned_bias(np.zeros((1, 2)), np.array([1.0, 2.0]))
    array([[1., 2.]])
    """
    return x + bias
