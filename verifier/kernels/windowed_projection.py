"""What a convolution over a sequence does with its windows."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def windowed_projection(
    windows: Float[np.ndarray, "n groups c w"],
    W: Float[np.ndarray, "groups d_out c w"],
    bias: Float[np.ndarray, "groups d_out"] | None = None,
) -> Float[np.ndarray, "n groups d_out"]:
    """Each window of w positions, cut into groups of c channels, times its group's matrix.

    A convolution takes these n windows from its input (padding and stride decide how many) and then does this.
    `groups` = 1 mixes all channels; c = 1 is a depthwise convolution.

    Shapes: [n, groups, c, w], [groups, d_out, c, w] -> [n, groups, d_out].
    Source: Baevski et al. 2020, section 2 (feature encoder) and the positional convolution; Radford et al. 2022, 2.2.

    >>> windowed_projection(np.ones((5, 2, 4, 3)), np.ones((2, 6, 4, 3))).shape
    (5, 2, 6)
    """
    result = np.einsum("ngcw,gocw->ngo", windows, W)
    return result if bias is None else result + bias
