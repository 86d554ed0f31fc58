"""One step of a state space whose decay is one number a head: what a decoding step does."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def state_space_step(
    states: Float[np.ndarray, "n h p s"],
    x: Float[np.ndarray, "n h p"],
    step: Float[np.ndarray, "n h"],
    B: Float[np.ndarray, "n h s"],
    C: Float[np.ndarray, "n h s"],
    W_A: Float[np.ndarray, "h"],
    W_D: Float[np.ndarray, "h"],
) -> Float[np.ndarray, "n h p"]:
    """Decays each head's state, adds the token to it, and reads it along C: the only matrix product.

    Shapes: states [n, h, p, s], x [n, h, p], step [n, h], B and C [n, h, s] -> [n, h, p].
    Source: Dao and Gu 2024, "Transformers are SSMs", section 2.1.

    >>> states, x, rows, one = np.zeros((1, 2, 4, 3)), np.ones((1, 2, 4)), np.ones((1, 2, 3)), np.ones((1, 2))
    >>> state_space_step(states, x, one, rows, rows, one[0], np.zeros(2))[0, 0]
    array([3., 3., 3., 3.])
    """
    kept = np.exp(-step * np.exp(W_A))[:, :, None, None] * states
    met = kept + (step[:, :, None] * x)[:, :, :, None] * B[:, :, None, :]
    return np.einsum("nhps,nhs->nhp", met, C) + x * W_D[:, None]
