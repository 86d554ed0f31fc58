"""One matrix of e for each token and choice."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped


@jaxtyped(typechecker=beartype)
def routed_projection(
    x: Float[np.ndarray, "n d_in"], chosen: Int[np.ndarray, "n k"], W: Float[np.ndarray, "e d_in d_out"]
) -> Float[np.ndarray, "n k d_out"]:
    """X times the matrix of each chosen expert: queries of a mixture of attention heads.

    Shapes: [n, d_in], [n, k], [e, d_in, d_out] -> [n, k, d_out].
    Source: Shen et al. 2024, "JetMoE", section 2.2.

    >>> routed_projection(np.ones((1, 2)), np.array([[0, 1]]), np.ones((3, 2, 5))).shape
    (1, 2, 5)
    """
    return np.einsum("nd,nkdo->nko", x, W[chosen])
