"""A learned token before the sequence."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def prepend_token(
    x: Float[np.ndarray, "n d_model"], W: Float[np.ndarray, "k d_model"]
) -> Float[np.ndarray, "k+n d_model"]:
    """The k learned rows first, then x: a class token, a distillation token, register tokens.

    Shapes: [n, d_model], [k, d_model] -> [k + n, d_model].
    Source: Dosovitskiy et al. 2021, equation 1.

    >>> prepend_token(np.ones((2, 3)), np.zeros((1, 3))).shape
    (3, 3)
    """
    return np.concatenate([W, x], axis=0)
