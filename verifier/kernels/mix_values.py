"""Values of every head mixed with weights."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def mix_values(
    weights: Float[np.ndarray, "h n m"], values: Float[np.ndarray, "h m d_v"]
) -> Float[np.ndarray, "h n d_v"]:
    """weights·values in each head.

    Shapes: [h, n, m], [h, m, d_v] -> [h, n, d_v].
    Source: Vaswani et al. 2017, equation 1.

    >>> mix_values(np.ones((1, 1, 2)), np.ones((1, 2, 3)))
    array([[[2., 2., 2.]]])
    """
    return weights @ values
