"""The two-matrix feed-forward network."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def feed_forward(
    x: Float[np.ndarray, "n d_model"],
    W_in: Float[np.ndarray, "d_model d_ff"],
    W_out: Float[np.ndarray, "d_ff d_out"],
    b_in: Float[np.ndarray, "d_ff"] | None = None,
    b_out: Float[np.ndarray, "d_out"] | None = None,
) -> Float[np.ndarray, "n d_out"]:
    """max(0, x·W_in + b_in)·W_out + b_out, for each token alone.

    Other activations change no shape, no parameter and no matrix product.

    Shapes: [n, d_model] -> [n, d_out].
    Source: Vaswani et al. 2017, equation 2.

    >>> feed_forward(np.ones((1, 2)), np.ones((2, 3)), np.ones((3, 2)))
    array([[6., 6.]])
    """
    hidden = x @ W_in
    if b_in is not None:
        hidden = hidden + b_in
    result = np.maximum(hidden, 0) @ W_out
    return result if b_out is None else result + b_out
