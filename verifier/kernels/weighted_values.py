"""The values averaged with attention weights."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def weighted_values(
    weights: Float[np.ndarray, "*heads n m"], values: Float[np.ndarray, "*heads m d_v"]
) -> Float[np.ndarray, "*heads n d_v"]:
    """weights·values: each query's mixture of the m values.

    Shapes: [..., n, m], [..., m, d_v] -> [..., n, d_v].
    Source: Vaswani et al. 2017, equation 1.

    >>> weighted_values(np.array([[0.5, 0.5]]), np.array([[0.0], [4.0]]))
    array([[2.]])
    """
    return weights @ values
