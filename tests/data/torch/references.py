"""PyTorch's own attention under the arguments of our kernels."""
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor


def attention(
    queries: Float[Tensor, "n d_k"], keys: Float[Tensor, "m d_k"], values: Float[Tensor, "m d_v"]
) -> Float[Tensor, "n d_v"]:
    return F.scaled_dot_product_attention(queries, keys, values)


def masked_attention(
    queries: Float[Tensor, "n d_k"],
    keys: Float[Tensor, "m d_k"],
    values: Float[Tensor, "m d_v"],
    mask: Bool[Tensor, "n m"],
) -> Float[Tensor, "n d_v"]:
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)


def causal_attention(
    queries: Float[Tensor, "n d_k"], keys: Float[Tensor, "n d_k"], values: Float[Tensor, "n d_v"]
) -> Float[Tensor, "n d_v"]:
    return F.scaled_dot_product_attention(queries, keys, values, is_causal=True)


def causal_by_hand(
    queries: Float[Tensor, "n d_k"], keys: Float[Tensor, "n d_k"], values: Float[Tensor, "n d_v"]
) -> Float[Tensor, "n d_v"]:
    scores = queries @ keys.T / queries.shape[1] ** 0.5
    later = torch.triu(torch.ones(queries.shape[0], queries.shape[0], dtype=torch.bool), diagonal=1)
    return scores.masked_fill(later, float("-inf")).softmax(-1) @ values


def layer_norm(x: Float[Tensor, "n d"], gain: Float[Tensor, "d"], bias: Float[Tensor, "d"]) -> Float[Tensor, "n d"]:
    return F.layer_norm(x, x.shape[-1:], gain, bias, 1e-5)


def softmax(scores: Float[Tensor, "n m"]) -> Float[Tensor, "n m"]:
    return torch.softmax(scores, -1)


def self_attention(
    x: Float[Tensor, "n d"],
    W_Q: Float[Tensor, "h d k"],
    W_K: Float[Tensor, "h d k"],
    W_V: Float[Tensor, "h d k"],
    W_O: Float[Tensor, "h*k d"],
) -> Float[Tensor, "n d"]:
    """What `nn.MultiheadAttention` runs, its packed weights made from ours."""
    h, d, k = W_Q.shape
    packed = torch.cat([W.permute(0, 2, 1).reshape(h * k, d) for W in (W_Q, W_K, W_V)])
    y = x[:, None]
    out, _ = F.multi_head_attention_forward(
        y, y, y, d, h, packed, None, None, None, False, 0.0, W_O.T, None, training=False, need_weights=False
    )
    return out[:, 0]
