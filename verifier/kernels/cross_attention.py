"""Multi-head attention of a decoder over an encoder's output."""

import numpy as np
from beartype import beartype
from jaxtyping import Bool, Float, jaxtyped

from .multi_head_attention import multi_head_attention


@jaxtyped(typechecker=beartype)
def cross_attention(
    decoder: Float[np.ndarray, "n d_model"],
    encoder: Float[np.ndarray, "m d_model"],
    W_Q: Float[np.ndarray, "h d_model d_k"],
    W_K: Float[np.ndarray, "h d_model d_k"],
    W_V: Float[np.ndarray, "h d_model d_v"],
    W_O: Float[np.ndarray, "h*d_v d_model"],
    mask: Bool[np.ndarray, "n m"] | None = None,
) -> Float[np.ndarray, "n d_model"]:
    """`multi_head_attention` with queries from the decoder, keys and values from the encoder.

    Shapes: [n, d_model], [m, d_model] -> [n, d_model].
    Source: Vaswani et al. 2017, section 3.2.3.

    >>> W = np.ones((3, 6, 2))
    >>> cross_attention(np.ones((5, 6)), np.ones((7, 6)), W, W, W, np.ones((6, 6))).shape
    (5, 6)
    """
    return multi_head_attention(decoder, encoder, W_Q, W_K, W_V, W_O, mask)
