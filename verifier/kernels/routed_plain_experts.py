"""Two-matrix feed-forward networks, k of e for each token."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped


@jaxtyped(typechecker=beartype)
def routed_plain_experts(
    x: Float[np.ndarray, "n d_model"],
    chosen: Int[np.ndarray, "n k"],
    share: Float[np.ndarray, "n k"],
    W_in: Float[np.ndarray, "e d_model d_ff"],
    W_out: Float[np.ndarray, "e d_ff d_model"],
    b_in: Float[np.ndarray, "e d_ff"] | None = None,
    b_out: Float[np.ndarray, "e d_model"] | None = None,
) -> Float[np.ndarray, "n d_model"]:
    """The sum over a token's k experts of their shares times their feed-forward networks.

    Shapes: x [n, d_model], chosen and share [n, k] -> [n, d_model].
    Source: Fedus, Zoph and Shazeer 2021, section 2.

    >>> W, D = np.ones((4, 2, 3)), np.ones((4, 3, 2))
    >>> routed_plain_experts(np.ones((1, 2)), np.array([[0, 3]]), np.ones((1, 2)), W, D)
    array([[12., 12.]])
    """
    hidden = np.einsum("nd,nkdf->nkf", x, W_in[chosen])
    if b_in is not None:
        hidden = hidden + b_in[chosen]
    results = np.einsum("nkf,nkfd->nkd", np.maximum(hidden, 0), W_out[chosen])
    if b_out is not None:
        results = results + b_out[chosen]
    return np.sum(results * share[:, :, None], axis=1)
