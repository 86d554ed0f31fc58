"""Gated feed-forward networks, k of e for each token."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, Int, jaxtyped


@jaxtyped(typechecker=beartype)
def routed_experts(
    x: Float[np.ndarray, "n d_model"],
    chosen: Int[np.ndarray, "n k"],
    share: Float[np.ndarray, "n k"],
    W_gate: Float[np.ndarray, "e d_model d_ff"],
    W_up: Float[np.ndarray, "e d_model d_ff"],
    W_down: Float[np.ndarray, "e d_ff d_model"],
    b_gate: Float[np.ndarray, "e d_ff"] | None = None,
    b_up: Float[np.ndarray, "e d_ff"] | None = None,
    b_down: Float[np.ndarray, "e d_model"] | None = None,
) -> Float[np.ndarray, "n d_model"]:
    """The sum over a token's k experts of their shares times their gated feed-forward networks.

    Every expert is stored, k are worked: parameters grow with e, products with k.

    Shapes: x [n, d_model], chosen and share [n, k] -> [n, d_model].
    Source: Jiang et al. 2024, "Mixtral of experts", section 2.1.

    >>> W, D = np.ones((4, 2, 3)), np.ones((4, 3, 2))
    >>> routed_experts(np.zeros((1, 2)), np.array([[0, 3]]), np.ones((1, 2)), W, W, D)
    array([[0., 0.]])
    """
    gate = np.einsum("nd,nkdf->nkf", x, W_gate[chosen])
    up = np.einsum("nd,nkdf->nkf", x, W_up[chosen])
    if b_gate is not None:
        gate = gate + b_gate[chosen]
    if b_up is not None:
        up = up + b_up[chosen]
    results = np.einsum("nkf,nkfd->nkd", gate / (1 + np.exp(-gate)) * up, W_down[chosen])
    if b_down is not None:
        results = results + b_down[chosen]
    return np.sum(results * share[:, :, None], axis=1)
