"""The projection of the concatenated heads."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def output_projection(
    concatenated: Float[np.ndarray, "n width"], W_O: Float[np.ndarray, "width d_model"]
) -> Float[np.ndarray, "n d_model"]:
    """concatenated·W_O; the width is h·d_v, which need not be d_model.

    Shapes: [n, h·d_v], [h·d_v, d_model] -> [n, d_model].
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> output_projection(np.ones((2, 6)), np.ones((6, 4))).shape
    (2, 4)
    """
    return concatenated @ W_O
