"""Softmax over the last axis."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def softmax(scores: Float[np.ndarray, "*batch m"]) -> Float[np.ndarray, "*batch m"]:
    """Each row's exponentials over their sum: positive, and every row sums to 1.

    The row's maximum is subtracted first, which changes nothing but keeps exp from overflowing; a score of -inf has
    weight 0.

    Shapes: [..., m] -> [..., m].
    Source: Bridle 1990; the shift is in Goodfellow et al. 2016, section 4.1.

    >>> softmax(np.log(np.array([1.0, 3.0])))
    array([0.25, 0.75])
    """
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)
