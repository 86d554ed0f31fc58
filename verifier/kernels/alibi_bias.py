"""A penalty that grows with the distance, of a fixed slope for each head."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def alibi_bias(scores: Float[np.ndarray, "h n m"], slopes: Float[np.ndarray, "h"]) -> Float[np.ndarray, "h n m"]:
    """scores[i] plus slope i times the key's place: softmax sees only differences, so this is minus the distance.

    Shapes: [h, n, m], [h] -> [h, n, m].
    Source: Press, Smith and Lewis 2022, section 3.

    >>> alibi_bias(np.zeros((1, 1, 3)), np.array([0.5]))
    array([[[0. , 0.5, 1. ]]])
    """
    return scores + slopes[:, None, None] * np.arange(scores.shape[2])
