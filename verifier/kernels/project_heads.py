"""The projections of all heads at once."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def project_heads(
    x: Float[np.ndarray, "n d_model"], W: Float[np.ndarray, "h d_model d_head"]
) -> Float[np.ndarray, "h n d_head"]:
    """x times each head's matrix.

    Shapes: [n, d_model], [h, d_model, d_head] -> [h, n, d_head].
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> project_heads(np.ones((2, 4)), np.ones((3, 4, 5))).shape
    (3, 2, 5)
    """
    return x @ W
