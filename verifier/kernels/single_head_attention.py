"""One attention head with its projections."""

import numpy as np
from beartype import beartype
from jaxtyping import Bool, Float, jaxtyped

from .scaled_dot_product_attention import scaled_dot_product_attention


@jaxtyped(typechecker=beartype)
def single_head_attention(
    x: Float[np.ndarray, "n d_model"],
    y: Float[np.ndarray, "m d_model"],
    W_Q: Float[np.ndarray, "d_model d_k"],
    W_K: Float[np.ndarray, "d_model d_k"],
    W_V: Float[np.ndarray, "d_model d_v"],
    mask: Bool[np.ndarray, "n m"] | None = None,
) -> Float[np.ndarray, "n d_v"]:
    """Queries from x, keys and values from y, and attention between them; no output projection.

    Shapes: x [n, d_model], y [m, d_model] -> [n, d_v].
    Source: Vaswani et al. 2017, section 3.2.2, head_i.

    >>> single_head_attention(np.ones((2, 4)), np.ones((3, 4)), *[np.ones((4, 5))] * 3).shape
    (2, 5)
    """
    return scaled_dot_product_attention(x @ W_Q, y @ W_K, y @ W_V, mask)
