"""The heads' outputs added without a projection."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def sum_heads(heads: Float[np.ndarray, "h n d_v"]) -> Float[np.ndarray, "n d_v"]:
    """The sum over heads, of width d_v: what is sometimes taken for concatenation.

    Shapes: [h, n, d_v] -> [n, d_v].

    >>> sum_heads(np.ones((3, 2, 5)))[0, 0]
    np.float64(3.0)
    """
    return np.sum(heads, axis=0)
