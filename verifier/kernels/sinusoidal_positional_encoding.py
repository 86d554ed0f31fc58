"""Positions as sines and cosines of growing wavelengths."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def sinusoidal_positional_encoding(n: int, d_model: int) -> Float[np.ndarray, "{n} {d_model}"]:
    """Channel 2i is sin(position / 10000^(2i/d_model)), channel 2i + 1 the cosine; any width, odd ones included.

    Shapes: -> [n, d_model].
    Source: Vaswani et al. 2017, section 3.5.

    >>> sinusoidal_positional_encoding(2, 3).round(3)
    array([[0.   , 1.   , 0.   ],
           [0.841, 0.54 , 0.002]])
    """
    positions = np.arange(n)[:, None]
    channels = np.arange(d_model)
    angles = positions / 10000.0 ** ((channels - channels % 2) / d_model)
    return np.where(channels % 2 == 0, np.sin(angles), np.cos(angles))
