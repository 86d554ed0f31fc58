"""Positions as rotations of pairs of channels."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def rotary_embedding(x: Float[np.ndarray, "h n d"], angles: Float[np.ndarray, "n d//2"]) -> Float[np.ndarray, "h n d"]:
    """Channel i of the first half and channel i of the second turn together; d must be even.

    Shapes: [h, n, d], [n, d/2] -> [h, n, d].
    Raises: ValueError where d is odd: one channel would have no partner.
    Source: Su et al. 2021, equation 34, in the order of GPT-NeoX.

    >>> rotary_embedding(np.array([[[1.0, 0.0]]]), np.zeros((1, 1)))
    array([[[1., 0.]]])
    """
    d = x.shape[2]
    if d % 2:
        raise ValueError(f"d = {d} rotary channels are odd: they turn in pairs")
    first, second = x[:, :, : d // 2], x[:, :, d // 2 :]
    sine, cosine = np.sin(angles), np.cos(angles)
    turned = turn(first, cosine) - turn(second, sine)
    return np.concatenate([turned, turn(first, sine) + turn(second, cosine)], axis=2)


def turn(x: np.ndarray, factor: np.ndarray) -> np.ndarray:
    """Each head's channels times the factors of their token."""
    return np.einsum("hnp,np->hnp", x, factor)
