"""An image cut into patches, each projected to a token."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def patch_embedding(
    pixels: Float[np.ndarray, "c height width"],
    W: Float[np.ndarray, "d_model c p q"],
    bias: Float[np.ndarray, "d_model"] | None = None,
) -> Float[np.ndarray, "(height//p)*(width//q) d_model"]:
    """One token a patch of p by q pixels: a convolution whose stride is its kernel.

    Shapes: [c, height, width], [d_model, c, p, q] -> [height/p·width/q, d_model].
    Raises: ValueError where p does not divide the height or q the width: the rest of the image would be dropped.
    Source: Dosovitskiy et al. 2021, equation 1.

    >>> patch_embedding(np.ones((3, 8, 4)), np.ones((5, 3, 4, 2))).shape
    (4, 5)
    """
    c, height, width = pixels.shape
    d_model, _, p, q = W.shape
    if height % p or width % q:
        raise ValueError(f"patches of {p} by {q} do not tile an image of {height} by {width}")
    rows, columns = height // p, width // q
    patches = np.transpose(np.reshape(pixels, (c, rows, p, columns, q)), (1, 3, 0, 2, 4))
    tokens = np.reshape(patches, (rows * columns, c * p * q)) @ np.reshape(W, (d_model, c * p * q)).T
    return tokens if bias is None else tokens + bias
