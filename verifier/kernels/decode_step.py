"""One step of decoding with a cache of keys and values."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped

from .concatenate_heads import concatenate_heads
from .output_projection import output_projection
from .project_heads import project_heads
from .scaled_dot_product_attention import scaled_dot_product_attention


@jaxtyped(typechecker=beartype)
def decode_step(
    token: Float[np.ndarray, "1 d_model"],
    cached_keys: Float[np.ndarray, "h t d_k"],
    cached_values: Float[np.ndarray, "h t d_v"],
    W_Q: Float[np.ndarray, "h d_model d_k"],
    W_K: Float[np.ndarray, "h d_model d_k"],
    W_V: Float[np.ndarray, "h d_model d_v"],
    W_O: Float[np.ndarray, "h*d_v d_model"],
) -> tuple[Float[np.ndarray, "1 d_model"], Float[np.ndarray, "h t+1 d_k"], Float[np.ndarray, "h t+1 d_v"]]:
    """The newest token attends over t cached positions and itself; the grown cache is returned with the output.

    No mask is needed: everything in the cache is past.

    Shapes: token [1, d_model], caches [h, t, d_k] and [h, t, d_v] -> output [1, d_model], caches of t + 1.
    Source: Shazeer 2019, section 2.4.

    >>> W = np.ones((3, 6, 2))
    >>> out, keys, _ = decode_step(np.ones((1, 6)), np.ones((3, 4, 2)), np.ones((3, 4, 2)), W, W, W, np.ones((6, 6)))
    >>> out.shape, keys.shape
    ((1, 6), (3, 5, 2))
    """
    keys = np.concatenate([cached_keys, project_heads(token, W_K)], axis=1)
    values = np.concatenate([cached_values, project_heads(token, W_V)], axis=1)
    heads = scaled_dot_product_attention(project_heads(token, W_Q), keys, values)
    return output_projection(concatenate_heads(heads), W_O), keys, values
