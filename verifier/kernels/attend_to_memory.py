"""Attention over keys and values that are there already."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped

from .concatenate_heads import concatenate_heads
from .output_projection import output_projection
from .project_heads import project_heads
from .scaled_dot_product_attention import scaled_dot_product_attention


@jaxtyped(typechecker=beartype)
def attend_to_memory(
    x: Float[np.ndarray, "n d_model"],
    keys: Float[np.ndarray, "h m d_k"],
    values: Float[np.ndarray, "h m d_v"],
    W_Q: Float[np.ndarray, "h d_model d_k"],
    W_O: Float[np.ndarray, "h*d_v d_out"],
    b_Q: Float[np.ndarray, "h d_k"] | None = None,
    b_O: Float[np.ndarray, "d_out"] | None = None,
) -> Float[np.ndarray, "n d_out"]:
    """The queries of x over a memory of m keys and values; only queries and the output are projected.

    Shapes: x [n, d_model], keys [h, m, d_k], values [h, m, d_v] -> [n, d_out].
    Source: Vaswani et al. 2017, section 3.2.3.

    >>> keys, values, W_Q = np.ones((3, 5, 2)), np.ones((3, 5, 4)), np.ones((3, 6, 2))
    >>> attend_to_memory(np.ones((2, 6)), keys, values, W_Q, np.ones((12, 6))).shape
    (2, 6)
    """
    queries = project_heads(x, W_Q)
    if b_Q is not None:
        queries = queries + b_Q[:, None, :]
    result = output_projection(concatenate_heads(scaled_dot_product_attention(queries, keys, values)), W_O)
    return result if b_O is None else result + b_O
