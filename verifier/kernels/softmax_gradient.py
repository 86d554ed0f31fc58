"""How a loss changes with the scores that softmax is taken of."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped

from .softmax import softmax


@jaxtyped(typechecker=beartype)
def softmax_gradient(
    scores: Float[np.ndarray, "*batch m"], upstream: Float[np.ndarray, "*batch m"]
) -> Float[np.ndarray, "*batch m"]:
    """The gradient by the scores, where `upstream` is the gradient by the weights softmax(scores).

    Weight a changes with its own score by a(1 - a), with that of weight b by -ab.

    Shapes: [..., m], [..., m] -> [..., m].
    Source: Bridle 1990.

    >>> softmax_gradient(np.zeros(2), np.array([1.0, 0.0]))
    array([ 0.25, -0.25])
    """
    weights = softmax(scores)
    return weights * (upstream - np.sum(weights * upstream, axis=-1, keepdims=True))
