"""A short causal convolution of each channel alone."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def depthwise_window(
    windows: Float[np.ndarray, "n d_model w"],
    W: Float[np.ndarray, "d_model w"],
    bias: Float[np.ndarray, "d_model"] | None = None,
) -> Float[np.ndarray, "n d_model"]:
    """Each channel's window times its own weights: a depthwise convolution over the last w tokens.

    Shapes: [n, d_model, w], [d_model, w] -> [n, d_model].
    Source: Poli et al. 2023, "Hyena hierarchy", section 3 (short filters).

    >>> depthwise_window(np.ones((2, 3, 4)), np.ones((3, 4)))[0, 0]
    np.float64(4.0)
    """
    result = np.einsum("ndw,dw->nd", windows, W)
    return result if bias is None else result + bias
