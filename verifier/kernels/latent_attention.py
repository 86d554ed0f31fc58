"""Attention whose keys and values are unfolded from one cached latent vector a token."""

import numpy as np
from beartype import beartype
from jaxtyping import Float, jaxtyped

from .concatenate_heads import concatenate_heads
from .output_projection import output_projection
from .project_heads import project_heads
from .rms_norm import rms_norm
from .softmax import softmax


@jaxtyped(typechecker=beartype)
def latent_attention(
    latent_queries: Float[np.ndarray, "n q"],
    x: Float[np.ndarray, "n d_model"],
    cached_latents: Float[np.ndarray, "t r"],
    cached_rotary: Float[np.ndarray, "t d_r"],
    W_DKV: Float[np.ndarray, "d_model r"],
    W_KR: Float[np.ndarray, "d_model d_r"],
    gain: Float[np.ndarray, "r"],
    W_UQ: Float[np.ndarray, "h q d_n"],
    W_QR: Float[np.ndarray, "h q d_r"],
    W_UK: Float[np.ndarray, "h r d_n"],
    W_UV: Float[np.ndarray, "h r d_v"],
    W_O: Float[np.ndarray, "h*d_v d_model"],
    b_DKV: Float[np.ndarray, "r"] | None = None,
    b_KR: Float[np.ndarray, "d_r"] | None = None,
    b_O: Float[np.ndarray, "d_model"] | None = None,
) -> Float[np.ndarray, "n d_model"]:
    """N new tokens attend over t cached latents and their own; every head unfolds the whole cache at each step.

    A head's query and key are d_n channels of its own, without position, beside d_r rotary ones whose key all heads
    share. Queries come from x itself, or from a compression of it: q is then its width. The cache holds r + d_r
    numbers a token, whatever h is.

    Shapes: latent_queries [n, q], x [n, d_model], caches [t, r] and [t, d_r] -> [n, d_model].
    Source: DeepSeek-AI 2024, "DeepSeek-V2", equations 9 to 19.

    >>> x, W = np.ones((2, 8)), np.ones((3, 8, 4))
    >>> latents, rotary, up = np.ones((5, 6)), np.ones((5, 2)), np.ones((3, 6, 4))
    >>> down, shared, gain = np.ones((8, 6)), np.ones((8, 2)), np.ones(6)
    >>> W_QR, W_O = np.ones((3, 8, 2)), np.ones((12, 8))
    >>> latent_attention(x, x, latents, rotary, down, shared, gain, W, W_QR, up, up, W_O).shape
    (2, 8)
    """
    compressed, turned = x @ W_DKV, x @ W_KR
    if b_DKV is not None:
        compressed = compressed + b_DKV
    if b_KR is not None:
        turned = turned + b_KR
    latents = np.concatenate([cached_latents, rms_norm(compressed, gain)], axis=0)
    rotary = np.concatenate([cached_rotary, turned], axis=0)
    own = project_heads(latent_queries, W_UQ) @ np.swapaxes(project_heads(latents, W_UK), -1, -2)
    shared = project_heads(latent_queries, W_QR) @ np.swapaxes(rotary, -1, -2)
    scores = (own + shared) / np.sqrt(W_UQ.shape[2] + W_QR.shape[2])
    heads = softmax(scores) @ project_heads(latents, W_UV)
    result = output_projection(concatenate_heads(heads), W_O)
    return result if b_O is None else result + b_O
