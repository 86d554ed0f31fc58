"""Every residual stream predicted from all of them."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def mix_streams(streams: Float[np.ndarray, "k n d"], shares: Float[np.ndarray, "n k k"]) -> Float[np.ndarray, "k n d"]:
    """Each token's k streams plus their mixture by the token's own k by k matrix.

    Shapes: [k, n, d], [n, k, k] -> [k, n, d].
    Source: Baykal et al. 2023, "Alternating updates for efficient transformers", equation 1.

    >>> mix_streams(np.ones((2, 1, 3)), np.ones((1, 2, 2)))[0]
    array([[3., 3., 3.]])
    """
    return streams + np.einsum("jnd,nij->ind", streams, shares)
