"""Multi-head attention of one sequence over another."""

import numpy as np
from beartype import beartype
from jaxtyping import Bool, Float, jaxtyped

from .concatenate_heads import concatenate_heads
from .output_projection import output_projection
from .project_heads import project_heads
from .scaled_dot_product_attention import scaled_dot_product_attention


@jaxtyped(typechecker=beartype)
def multi_head_attention(
    x: Float[np.ndarray, "n d_model"],
    y: Float[np.ndarray, "m d_model"],
    W_Q: Float[np.ndarray, "h d_model d_k"],
    W_K: Float[np.ndarray, "h d_model d_k"],
    W_V: Float[np.ndarray, "h d_model d_v"],
    W_O: Float[np.ndarray, "h*d_v d_model"],
    mask: Bool[np.ndarray, "n m"] | None = None,
) -> Float[np.ndarray, "n d_model"]:
    """h heads attend from x over y, are concatenated and projected by W_O.

    Every size is free: h·d_k need not be d_model, nor d_v be d_k, nor m be n. Self-attention passes x twice.

    Shapes: x [n, d_model], y [m, d_model] -> [n, d_model].
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> x, y, W, W_V = np.ones((2, 6)), np.ones((3, 6)), np.ones((4, 6, 5)), np.ones((4, 6, 7))
    >>> multi_head_attention(x, y, W, W, W_V, np.ones((28, 6))).shape
    (2, 6)
    """
    heads = scaled_dot_product_attention(project_heads(x, W_Q), project_heads(y, W_K), project_heads(y, W_V), mask)
    return output_projection(concatenate_heads(heads), W_O)
