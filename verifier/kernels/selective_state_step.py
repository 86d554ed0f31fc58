"""One step of a selective state space, for each of n tokens from the state that it meets."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def selective_state_step(
    states: Float[np.ndarray, "n d s"],
    x: Float[np.ndarray, "n d"],
    step: Float[np.ndarray, "n d"],
    B: Float[np.ndarray, "n s"],
    C: Float[np.ndarray, "n s"],
    W_A: Float[np.ndarray, "d s"],
    W_D: Float[np.ndarray, "d"],
) -> Float[np.ndarray, "n d"]:
    """Decays each channel's state, adds the token to it, and reads it along C: the only matrix product.

    Shapes: states [n, d, s], x and step [n, d], B and C [n, s] -> [n, d].
    Source: Gu and Dao 2023, "Mamba", algorithm 2 and equation 2a.

    >>> one, none = np.ones((1, 2)), np.zeros((1, 2))
    >>> selective_state_step(np.zeros((1, 2, 3)), one, one, np.ones((1, 3)), np.ones((1, 3)), np.ones((2, 3)), none[0])
    array([[3., 3.]])
    """
    kept = np.exp(-step[:, :, None] * np.exp(W_A)) * states
    met = kept + step[:, :, None] * B[:, None, :] * x[:, :, None]
    return np.einsum("nds,ns->nd", met, C) + x * W_D
