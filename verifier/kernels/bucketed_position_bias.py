"""A learned number for each head and bucket of distances, added to the scores."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped


@jaxtyped(typechecker=beartype)
def bucketed_position_bias(
    scores: Float[np.ndarray, "h n m"], buckets: Int[np.ndarray, "n m"], W: Float[np.ndarray, "b h"]
) -> Float[np.ndarray, "h n m"]:
    """scores[i] plus the table's column i at each pair's bucket; no product is made.

    Shapes: [h, n, m], [n, m], [b, h] -> [h, n, m].
    Source: Raffel et al. 2020, section 2.1.

    >>> bucketed_position_bias(np.zeros((1, 1, 2)), np.array([[0, 1]]), np.array([[3.0], [5.0]]))
    array([[[3., 5.]]])
    """
    return scores + np.transpose(W[buckets], (2, 0, 1))
