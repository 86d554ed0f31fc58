"""Each head projected by its own rows of W_O, and the results added."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def project_and_add(
    heads: Float[np.ndarray, "h n d_v"], W_O: Float[np.ndarray, "h*d_v d_model"]
) -> Float[np.ndarray, "n d_model"]:
    """The sum over heads of head_i times rows i·d_v to (i + 1)·d_v of W_O.

    Shapes: [h, n, d_v], [h·d_v, d_model] -> [n, d_model].
    Source: Elhage et al. 2021, "attention heads are independent and additive".

    >>> project_and_add(np.ones((3, 2, 5)), np.ones((15, 4)))[0, 0]
    np.float64(15.0)
    """
    h, _, d_v = heads.shape
    slices = np.reshape(W_O, (h, d_v, W_O.shape[1]))
    return np.sum(heads @ slices, axis=0)
