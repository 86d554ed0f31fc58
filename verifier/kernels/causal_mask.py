"""Who may attend to whom where the future is hidden."""

import numpy as np
from beartype import beartype
from jaxtyping import Bool, jaxtyped


@jaxtyped(typechecker=beartype)
def causal_mask(n: int, m: int) -> Bool[np.ndarray, "{n} {m}"]:
    """True where key j is no later than query i; the last query is aligned with the last key.

    Shapes: -> [n, m], rows are queries. With m > n the first m - n keys are the past.
    Source: Vaswani et al. 2017, section 3.2.3.

    >>> causal_mask(2, 3)
    array([[ True,  True, False],
           [ True,  True,  True]])
    """
    return np.tri(n, m, k=m - n, dtype=bool)
