"""A row of a table for each token."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped


@jaxtyped(typechecker=beartype)
def embedding_lookup(
    tokens: Int[np.ndarray, "n"], W: Float[np.ndarray, "vocab d_model"]
) -> Float[np.ndarray, "n d_model"]:
    """Token i becomes row tokens[i] of the table; no product is made.

    Shapes: [n], [vocab, d_model] -> [n, d_model].
    Source: Vaswani et al. 2017, section 3.4.

    >>> embedding_lookup(np.array([1]), np.array([[0.0, 0.0], [2.0, 3.0]]))
    array([[2., 3.]])
    """
    return W[tokens]
