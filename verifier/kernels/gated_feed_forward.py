"""The feed-forward network with a gate."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def gated_feed_forward(
    x: Float[np.ndarray, "n d_model"],
    W_gate: Float[np.ndarray, "d_model d_ff"],
    W_up: Float[np.ndarray, "d_model d_ff"],
    W_down: Float[np.ndarray, "d_ff d_out"],
    b_gate: Float[np.ndarray, "d_ff"] | None = None,
    b_up: Float[np.ndarray, "d_ff"] | None = None,
    b_down: Float[np.ndarray, "d_out"] | None = None,
) -> Float[np.ndarray, "n d_out"]:
    """(swish(x·W_gate) * (x·W_up))·W_down: SwiGLU; another gate changes no shape and no matrix product.

    Shapes: [n, d_model] -> [n, d_out].
    Source: Shazeer 2020, equation 6.

    >>> gated_feed_forward(np.zeros((1, 2)), np.ones((2, 3)), np.ones((2, 3)), np.ones((3, 2)))
    array([[0., 0.]])
    """
    gate, up = x @ W_gate, x @ W_up
    if b_gate is not None:
        gate = gate + b_gate
    if b_up is not None:
        up = up + b_up
    result = (gate / (1 + np.exp(-gate)) * up) @ W_down
    return result if b_down is None else result + b_down
