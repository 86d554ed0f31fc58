"""The heads' outputs side by side."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def concatenate_heads(heads: Float[np.ndarray, "h n d_v"]) -> Float[np.ndarray, "n h*d_v"]:
    """Each token's head outputs one after the other; nothing is added or mixed.

    Shapes: [h, n, d_v] -> [n, h·d_v].
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> concatenate_heads(np.array([[[1.0, 2.0]], [[3.0, 4.0]]]))
    array([[1., 2., 3., 4.]])
    """
    h, n, d_v = heads.shape
    return np.reshape(np.transpose(heads, (1, 0, 2)), (n, h * d_v))
