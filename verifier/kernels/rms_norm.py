"""Normalisation by the root mean square."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def rms_norm(
    x: Float[np.ndarray, "*batch d"], gain: Float[np.ndarray, "d"], epsilon: float = 1e-6
) -> Float[np.ndarray, "*batch d"]:
    """Each row over its root mean square, times the gain; no mean is taken off.

    Shapes: [..., d], [d] -> [..., d].
    Source: Zhang and Sennrich 2019, equation 4.

    >>> rms_norm(np.array([[3.0, 4.0]]), np.ones(2)).round(3)
    array([[0.849, 1.131]])
    """
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + epsilon) * gain
