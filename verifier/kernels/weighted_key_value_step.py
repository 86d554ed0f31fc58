"""One step of RWKV's running average of values, weighed by their keys."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def weighted_key_value_step(
    above: Float[np.ndarray, "n d"],
    below: Float[np.ndarray, "n d"],
    keys: Float[np.ndarray, "n d"],
    values: Float[np.ndarray, "n d"],
    W_first: Float[np.ndarray, "d"],
    W_decay: Float[np.ndarray, "d"],
) -> tuple[Float[np.ndarray, "n d"], Float[np.ndarray, "n d"], Float[np.ndarray, "n d"]]:
    """The average that each token reads, and the sums above and below the line that it leaves: no matrix product.

    Shapes: the sums that each token meets, keys and values [n, d] -> three times [n, d].
    Source: Peng et al. 2023, "RWKV", equation 16.

    >>> none, one = np.zeros((1, 2)), np.ones((1, 2))
    >>> weighted_key_value_step(none, none, one, one, none[0], none[0])[0]
    array([[1., 1.]])
    """
    now, kept = np.exp(W_first + keys), np.exp(-np.exp(W_decay))
    read = (above + now * values) / (below + now)
    return read, kept * above + np.exp(keys) * values, kept * below + np.exp(keys)
