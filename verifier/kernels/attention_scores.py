"""Scaled dot products of queries and keys."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def attention_scores(
    queries: Float[np.ndarray, "*heads n d_k"],
    keys: Float[np.ndarray, "*heads m d_k"],
    scale: float | None = None,
) -> Float[np.ndarray, "*heads n m"]:
    """queries·keysᵀ times the scale: one score for each pair of a query and a key.

    The scale is 1/sqrt(d_k) where none is given; 1.0 leaves the dot products as they are.

    Shapes: [..., n, d_k], [..., m, d_k] -> [..., n, m].
    Source: Vaswani et al. 2017, section 3.2.1.

    >>> attention_scores(np.ones((2, 4)), np.ones((3, 4))).shape
    (2, 3)
    """
    products = queries @ np.swapaxes(keys, -1, -2)
    if scale is None:
        return products / np.sqrt(queries.shape[-1])
    return products * scale
