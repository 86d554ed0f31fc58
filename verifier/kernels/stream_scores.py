"""Attention of several predicting streams, each over the main stream's keys and its own."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def stream_scores(
    queries: Float[np.ndarray, "s h n d_k"],
    main_keys: Float[np.ndarray, "h t d_k"],
    new_keys: Float[np.ndarray, "h n d_k"],
    own_keys: Float[np.ndarray, "s h n d_k"],
    main_values: Float[np.ndarray, "h t d_v"],
    new_values: Float[np.ndarray, "h n d_v"],
    own_values: Float[np.ndarray, "s h n d_v"],
) -> Float[np.ndarray, "s h n d_v"]:
    """In each of s streams n queries attend over t cached keys, n new ones of the main stream and n of the stream.

    Shapes: [s, h, n, d_k], [h, t, d_k], [h, n, d_k], [s, h, n, d_k] and values alike -> [s, h, n, d_v].
    Source: Qi et al. 2020, "ProphetNet", section 3.2.

    >>> Q, K, M = np.ones((2, 3, 1, 4)), np.ones((3, 5, 4)), np.ones((3, 1, 4))
    >>> stream_scores(Q, K, M, Q, K, M, Q).shape
    (2, 3, 1, 4)
    """
    main = np.concatenate([main_keys, new_keys], axis=1)
    values = np.concatenate([main_values, new_values], axis=1)
    seen = np.einsum("shnd,hmd->shnm", queries, main)
    own = np.einsum("shnd,shmd->shnm", queries, own_keys)
    scores = np.exp(np.concatenate([seen, own], axis=3) / np.sqrt(queries.shape[3]))
    weights = scores / np.sum(scores, axis=3, keepdims=True)
    m = main.shape[1]
    mixed = np.einsum("shnm,hmd->shnd", weights[:, :, :, :m], values)
    return mixed + np.einsum("shnm,shmd->shnd", weights[:, :, :, m:], own_values)
