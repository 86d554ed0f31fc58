"""The triangular systems whose solution folds a chunk's corrections into matrices."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def delta_rule_system(
    keys: Float[np.ndarray, "c h l d_k"],
    rate: Float[np.ndarray, "c h l"],
    decay: Float[np.ndarray, "c h l l"],
) -> Float[np.ndarray, "c h l l"]:
    """How much of each earlier key of its chunk a token's key overwrites; `decay` is masked to what came before.

    Shapes: keys [c, h, l, d_k], rate [c, h, l] -> [c, h, l, l].
    Source: Yang, Kautz and Hatamizadeh 2024, "Gated delta networks", section 3.3 (the UT transform).

    >>> delta_rule_system(np.ones((1, 1, 2, 3)), np.ones((1, 1, 2)), np.tril(np.ones((1, 1, 2, 2)), -1))[0, 0]
    array([[0., 0.],
           [3., 0.]])
    """
    return np.einsum("chld,chmd->chlm", keys * rate[:, :, :, None], keys) * decay
