"""What relative positions add to the scores of disentangled attention."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def content_to_position_scores(
    content: Float[np.ndarray, "h n d_k"], positions: Float[np.ndarray, "h p d_k"]
) -> Float[np.ndarray, "h n p"]:
    """The product of each content vector with each of the p relative positions; pairs are picked from it afterwards.

    Shapes: [h, n, d_k], [h, p, d_k] -> [h, n, p].
    Source: He et al. 2021, "DeBERTa", equation 4, the second and third term.

    >>> content_to_position_scores(np.ones((2, 3, 4)), np.ones((2, 5, 4))).shape
    (2, 3, 5)
    """
    return content @ np.swapaxes(positions, -1, -2)
