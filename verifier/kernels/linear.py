"""An affine map of every token."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def linear(
    x: Float[np.ndarray, "n d_in"],
    W: Float[np.ndarray, "d_in d_out"],
    bias: Float[np.ndarray, "d_out"] | None = None,
) -> Float[np.ndarray, "n d_out"]:
    """x·W, and the bias where there is one.

    Shapes: [n, d_in], [d_in, d_out] -> [n, d_out].

    >>> linear(np.ones((2, 3)), np.ones((3, 4)), np.ones(4))[0, 0]
    np.float64(4.0)
    """
    projected = x @ W
    return projected if bias is None else projected + bias
