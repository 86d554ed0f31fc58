"""One score for each token and expert."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def router_scores(
    x: Float[np.ndarray, "n d_model"],
    W_router: Float[np.ndarray, "d_model e"],
    b_router: Float[np.ndarray, "e"] | None = None,
) -> Float[np.ndarray, "n e"]:
    """x·W_router: which of the e experts a token goes to is read off its row.

    Shapes: [n, d_model], [d_model, e] -> [n, e].
    Source: Shazeer et al. 2017, equation 4.

    >>> router_scores(np.ones((2, 3)), np.ones((3, 4))).shape
    (2, 4)
    """
    scores = x @ W_router
    return scores if b_router is None else scores + b_router
