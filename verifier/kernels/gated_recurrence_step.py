"""One step of a real-gated linear recurrent unit, for each of n tokens from the state that it meets."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def gated_recurrence_step(
    states: Float[np.ndarray, "n h d"],
    x: Float[np.ndarray, "n h d"],
    W_input: Float[np.ndarray, "h d d"],
    b_input: Float[np.ndarray, "h d"],
    W_recurrent: Float[np.ndarray, "h d d"],
    b_recurrent: Float[np.ndarray, "h d"],
    W_decay: Float[np.ndarray, "h d"],
) -> Float[np.ndarray, "n h d"]:
    """Gates of each block of channels say what of the state is kept and what of the token is added.

    Shapes: states and x [n, h, d] -> [n, h, d].
    Source: De et al. 2024, "Griffin", equations 1 to 4.

    >>> state, W, b = np.zeros((1, 2, 3)), np.zeros((2, 3, 3)), np.zeros((2, 3))
    >>> gated_recurrence_step(state, np.ones((1, 2, 3)), W, b, W, b, b).shape
    (1, 2, 3)
    """
    taken = 1 / (1 + np.exp(-(np.einsum("nhd,hde->nhe", x, W_input) + b_input)))
    gate = 1 / (1 + np.exp(-(np.einsum("nhd,hde->nhe", x, W_recurrent) + b_recurrent)))
    kept = np.exp(-8 * gate * np.log(1 + np.exp(W_decay)))
    return kept * states + np.sqrt(1 - kept * kept) * taken * x
