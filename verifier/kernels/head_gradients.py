"""One backward pass through multi-head attention, head by head."""

import numpy as np
from beartype import beartype
from jaxtyping import Bool, Float, jaxtyped

from .attention_scores import attention_scores
from .project_heads import project_heads
from .softmax import softmax
from .softmax_gradient import softmax_gradient


@jaxtyped(typechecker=beartype)
def head_gradients(
    x: Float[np.ndarray, "n d_model"],
    y: Float[np.ndarray, "m d_model"],
    W_Q: Float[np.ndarray, "h d_model d_k"],
    W_K: Float[np.ndarray, "h d_model d_k"],
    W_V: Float[np.ndarray, "h d_model d_v"],
    W_O: Float[np.ndarray, "h*d_v d_model"],
    upstream: Float[np.ndarray, "n d_model"],
    mask: Bool[np.ndarray, "n m"] | None = None,
) -> Float[np.ndarray, "h d_model 2*d_k+2*d_v"]:
    """The gradients of a loss by each head's W_Q, W_K, W_V and rows of W_O (transposed), side by side.

    `upstream` is the loss's gradient by the output of `multi_head_attention`. A step of training that looks at each
    weight and its own gradient moves two heads alike where these are alike.

    Shapes: x [n, d_model], y [m, d_model] -> [h, d_model, 2·d_k + 2·d_v].
    Source: the chain rule; Rumelhart et al. 1986.

    >>> x, W = np.ones((2, 6)), np.ones((3, 6, 4))
    >>> head_gradients(x, x, W, W, W, np.ones((12, 6)), np.ones((2, 6))).shape
    (3, 6, 16)
    """
    queries, keys, values = project_heads(x, W_Q), project_heads(y, W_K), project_heads(y, W_V)
    scores = attention_scores(queries, keys)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    slices = np.reshape(W_O, (W_V.shape[0], W_V.shape[2], W_O.shape[1]))
    by_heads = upstream @ np.swapaxes(slices, -1, -2)
    by_scores = softmax_gradient(scores, by_heads @ np.swapaxes(values, -1, -2)) / np.sqrt(queries.shape[-1])
    by_slices = np.swapaxes(weights @ values, -1, -2) @ upstream
    return np.concatenate(
        [
            np.swapaxes(x, 0, 1) @ (by_scores @ keys),
            np.swapaxes(y, 0, 1) @ (np.swapaxes(by_scores, -1, -2) @ queries),
            np.swapaxes(y, 0, 1) @ (np.swapaxes(weights, -1, -2) @ by_heads),
            np.swapaxes(by_slices, -1, -2),
        ],
        axis=-1,
    )
