"""Attention whose query heads share keys and values in groups, over a cache."""

import numpy as np
from beartype import beartype
from jaxtyping import Bool, Float, jaxtyped

from .concatenate_heads import concatenate_heads
from .output_projection import output_projection
from .project_heads import project_heads
from .softmax import softmax


@jaxtyped(typechecker=beartype)
def grouped_query_attention(
    x: Float[np.ndarray, "n d_model"],
    cached_keys: Float[np.ndarray, "g t d_k"],
    cached_values: Float[np.ndarray, "g t d_v"],
    W_Q: Float[np.ndarray, "h d_model d_k"],
    W_K: Float[np.ndarray, "g d_model d_k"],
    W_V: Float[np.ndarray, "g d_model d_v"],
    W_O: Float[np.ndarray, "h*d_v d_out"],
    b_Q: Float[np.ndarray, "h d_k"] | None = None,
    b_K: Float[np.ndarray, "g d_k"] | None = None,
    b_V: Float[np.ndarray, "g d_v"] | None = None,
    b_O: Float[np.ndarray, "d_out"] | None = None,
    mask: Bool[np.ndarray, "n t+n"] | None = None,
) -> Float[np.ndarray, "n d_out"]:
    """N new tokens attend over t cached ones and themselves; query head i reads key/value head i // (h/g).

    g = h is multi-head attention, g = 1 multi-query attention; t = 0 is the whole sequence at once, n = 1 a step of
    decoding. g must divide h.

    Shapes: x [n, d_model], caches [g, t, d_k] and [g, t, d_v] -> [n, d_out].
    Raises: ValueError where g does not divide h.
    Source: Ainslie et al. 2023, section 2.2; Shazeer 2019 for g = 1.

    >>> x, K, W, W_K = np.ones((2, 8)), np.ones((2, 5, 3)), np.ones((4, 8, 3)), np.ones((2, 8, 3))
    >>> grouped_query_attention(x, K, K, W, W_K, W_K, np.ones((12, 8))).shape
    (2, 8)
    """
    h, g = W_Q.shape[0], W_K.shape[0]
    if h % g:
        raise ValueError(f"g = {g} key/value heads do not divide h = {h} query heads")
    queries, new_keys, new_values = project_heads(x, W_Q), project_heads(x, W_K), project_heads(x, W_V)
    if b_Q is not None:
        queries = queries + b_Q[:, None, :]
    if b_K is not None:
        new_keys = new_keys + b_K[:, None, :]
    if b_V is not None:
        new_values = new_values + b_V[:, None, :]
    keys = np.concatenate([cached_keys, new_keys], axis=1)
    values = np.concatenate([cached_values, new_values], axis=1)
    n, d_k, d_v = x.shape[0], keys.shape[2], values.shape[2]
    grouped = np.reshape(queries, (g, h // g, n, d_k))
    scores = grouped @ np.swapaxes(keys, -1, -2)[:, None] / np.sqrt(d_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    heads = np.reshape(softmax(scores) @ values[:, None], (h, n, d_v))
    result = output_projection(concatenate_heads(heads), W_O)
    return result if b_O is None else result + b_O
