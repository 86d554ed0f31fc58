"""Attention of queries over keys and values."""

import numpy as np
from beartype import beartype
from jaxtyping import Bool, Float, jaxtyped

from .attention_scores import attention_scores
from .softmax import softmax
from .weighted_values import weighted_values


@jaxtyped(typechecker=beartype)
def scaled_dot_product_attention(
    queries: Float[np.ndarray, "*heads n d_k"],
    keys: Float[np.ndarray, "*heads m d_k"],
    values: Float[np.ndarray, "*heads m d_v"],
    mask: Bool[np.ndarray, "n m"] | None = None,
    scale: float | None = None,
) -> Float[np.ndarray, "*heads n d_v"]:
    """softmax(queries·keysᵀ · scale)·values; where the mask is False the weight is 0.

    A row of the mask that is False throughout has no weights to give: it yields NaN, as the definition does.

    Shapes: [..., n, d_k], [..., m, d_k], [..., m, d_v], mask [n, m] -> [..., n, d_v].
    Source: Vaswani et al. 2017, equation 1.

    >>> scaled_dot_product_attention(np.ones((2, 4)), np.ones((3, 4)), np.ones((3, 5))).shape
    (2, 5)
    """
    scores = attention_scores(queries, keys, scale)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return weighted_values(softmax(scores), values)
