"""The gated delta rule over chunks, each from the state that it meets."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def delta_rule_chunks(
    queries: Float[np.ndarray, "c h l d_k"],
    keys: Float[np.ndarray, "c h l d_k"],
    corrected: Float[np.ndarray, "c h l d_v"],
    erased: Float[np.ndarray, "c h l d_k"],
    decay: Float[np.ndarray, "c h l l"],
    to_end: Float[np.ndarray, "c h l"],
    from_start: Float[np.ndarray, "c h l"],
    whole: Float[np.ndarray, "c h"],
    states: Float[np.ndarray, "c h d_k d_v"],
) -> tuple[Float[np.ndarray, "c h l d_v"], Float[np.ndarray, "c h d_k d_v"]]:
    """What a chunk's tokens read, and the state that the chunk leaves.

    `corrected` and `erased` solve `delta_rule_system` for values and keys: what the state predicts is off already.

    Shapes: queries, keys [c, h, l, d_k], corrected [c, h, l, d_v], states [c, h, d_k, d_v] -> [c, h, l, d_v], states.
    Source: Yang, Kautz and Hatamizadeh 2024, "Gated delta networks", section 3.3.

    >>> one, state, ones = np.ones((1, 1, 1, 1)), np.zeros((1, 1, 1, 1)), np.ones((1, 1, 1))
    >>> delta_rule_chunks(one, one, 2 * one, one, one, ones, ones, ones[0], state)[0].ravel()
    array([2.])
    """
    values = corrected - np.einsum("chld,chdv->chlv", erased, states)
    scores = np.einsum("chld,chmd->chlm", queries, keys) * decay
    read = np.einsum("chld,chdv->chlv", queries * from_start[:, :, :, None], states)
    added = np.einsum("chld,chlv->chdv", keys * to_end[:, :, :, None], values)
    return read + np.einsum("chlm,chmv->chlv", scores, values), states * whole[:, :, None, None] + added
