"""Two arrays of any widths side by side."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def concatenate_pair(
    first: Float[np.ndarray, "n w_1"], second: Float[np.ndarray, "n w_2"]
) -> Float[np.ndarray, "n w_1+w_2"]:
    """Each token's channels of the first, then of the second: concatenation wants equal rows, not equal widths.

    Shapes: [n, w_1], [n, w_2] -> [n, w_1 + w_2].

    >>> concatenate_pair(np.ones((2, 1)), np.zeros((2, 2)))[0]
    array([1., 0., 0.])
    """
    return np.concatenate([first, second], axis=1)
