"""The width of every token cut into heads."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def split_heads(x: Float[np.ndarray, "n d_model"], h: int) -> Float[np.ndarray, "{h} n d_model//{h}"]:
    """Head i takes columns i·(d_model/h) to (i + 1)·(d_model/h); h must divide d_model.

    Shapes: [n, d_model] -> [h, n, d_model / h].
    Raises: ValueError where h does not divide d_model.
    Source: Vaswani et al. 2017, section 3.2.2, d_k = d_model / h.

    >>> split_heads(np.arange(8.0).reshape(2, 4), 2)[1]
    array([[2., 3.],
           [6., 7.]])
    """
    n, d_model = x.shape
    if d_model % h:
        raise ValueError(f"h = {h} does not divide d_model = {d_model}")
    return np.transpose(np.reshape(x, (n, h, d_model // h)), (1, 0, 2))
