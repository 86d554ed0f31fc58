"""Scores and mixtures of heads over a cache, without any projection."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped

from .scaled_dot_product_attention import scaled_dot_product_attention


@jaxtyped(typechecker=beartype)
def cached_scores(
    queries: Float[np.ndarray, "h n d_k"],
    cached_keys: Float[np.ndarray, "h t d_k"],
    cached_values: Float[np.ndarray, "h t d_v"],
    keys: Float[np.ndarray, "h n d_k"],
    values: Float[np.ndarray, "h n d_v"],
) -> Float[np.ndarray, "h n d_v"]:
    """n new tokens attend over t cached ones and themselves, each head with keys and values at hand.

    Shapes: [h, n, d_k], caches [h, t, d_k] and [h, t, d_v], [h, n, d_k], [h, n, d_v] -> [h, n, d_v].
    Source: Shazeer 2019, section 2.4.

    >>> Q, K = np.ones((2, 1, 3)), np.ones((2, 4, 3))
    >>> cached_scores(Q, K, K, Q, Q).shape
    (2, 1, 3)
    """
    all_keys = np.concatenate([cached_keys, keys], axis=1)
    all_values = np.concatenate([cached_values, values], axis=1)
    return scaled_dot_product_attention(queries, all_keys, all_values)
