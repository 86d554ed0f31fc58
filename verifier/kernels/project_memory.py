"""Keys and values of an encoder, made once for all steps of decoding."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped

from .project_heads import project_heads


@jaxtyped(typechecker=beartype)
def project_memory(
    encoder: Float[np.ndarray, "m d_encoder"],
    W_K: Float[np.ndarray, "g d_encoder d_k"],
    W_V: Float[np.ndarray, "g d_encoder d_v"],
    b_K: Float[np.ndarray, "g d_k"] | None = None,
    b_V: Float[np.ndarray, "g d_v"] | None = None,
) -> tuple[Float[np.ndarray, "g m d_k"], Float[np.ndarray, "g m d_v"]]:
    """The encoder's output as keys and values of every head.

    Shapes: [m, d_encoder] -> [g, m, d_k], [g, m, d_v].
    Source: Vaswani et al. 2017, section 3.2.3.

    >>> keys, values = project_memory(np.ones((5, 6)), np.ones((2, 6, 3)), np.ones((2, 6, 4)))
    >>> keys.shape, values.shape
    ((2, 5, 3), (2, 5, 4))
    """
    keys, values = project_heads(encoder, W_K), project_heads(encoder, W_V)
    if b_K is not None:
        keys = keys + b_K[:, None, :]
    if b_V is not None:
        values = values + b_V[:, None, :]
    return keys, values
