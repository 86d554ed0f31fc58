"""Which keys a query looks at, in sparse attention: a small attention that only scores."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def index_scores(
    queries: Float[np.ndarray, "n h d"], keys: Float[np.ndarray, "m d"], share: Float[np.ndarray, "n h"]
) -> Float[np.ndarray, "n m"]:
    """The sum over h small heads of their shares times what is positive of query·key; the largest are attended to.

    Shapes: queries [n, h, d], keys [m, d], share [n, h] -> [n, m].
    Source: DeepSeek-AI 2025, "DeepSeek-V3.2", equation 1 (the lightning indexer).

    >>> index_scores(np.ones((1, 2, 3)), np.array([[1.0, 1, 1], [-1, -1, -1]]), np.ones((1, 2)))
    array([[6., 0.]])
    """
    scores = np.maximum(np.einsum("nhd,md->nhm", queries, keys), 0)
    return np.einsum("nh,nhm->nm", share, scores)
