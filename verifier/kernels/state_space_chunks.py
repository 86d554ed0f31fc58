"""A state space over a sequence cut into c chunks of l tokens: attention inside a chunk, states between chunks."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped


@jaxtyped(typechecker=beartype)
def state_space_chunks(
    x: Float[np.ndarray, "c l h p"],
    decay: Float[np.ndarray, "c h l l"],
    to_end: Float[np.ndarray, "c h l"],
    from_start: Float[np.ndarray, "c h l"],
    between: Float[np.ndarray, "1+c h 1+c"],
    start: Float[np.ndarray, "1 h p s"],
    B: Float[np.ndarray, "c l h s"],
    C: Float[np.ndarray, "c l h s"],
) -> Float[np.ndarray, "c l h p"]:
    """What each token reads of its own chunk, and of the state that the chunks before left.

    `decay` is masked to what came before; `to_end` decays a token to its chunk's end, `from_start` a chunk's first
    state to a token; `between` decays the c + 1 states (`start` first) to the c + 1 boundaries.

    Shapes: x [c, l, h, p], B and C [c, l, h, s] -> [c, l, h, p].
    Source: Dao and Gu 2024, "Transformers are SSMs", listing 1.

    >>> x, rows, ones = np.ones((1, 2, 1, 1)), np.ones((1, 2, 1, 1)), np.ones((1, 1, 2))
    >>> past, between = np.tril(np.ones((1, 1, 2, 2))), np.tril(np.ones((2, 2)))[:, None]
    >>> state_space_chunks(x, past, ones, ones, between, np.ones((1, 1, 1, 1)), rows, rows).ravel()
    array([2., 3.])
    """
    scores = np.einsum("clhs,cmhs->chlm", C, B) * decay
    inside = np.einsum("chlm,cmhp->clhp", scores, x)
    added = np.einsum("clhs,clhp->chps", B * to_end.transpose(0, 2, 1)[:, :, :, None], x)
    states = np.einsum("zhc,chps->zhps", between, np.concatenate([start, added], axis=0))
    before = np.einsum("clhs,chps->clhp", C, states[: x.shape[0]])
    return inside + before * from_start.transpose(0, 2, 1)[:, :, :, None]
