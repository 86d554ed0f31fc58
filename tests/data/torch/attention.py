"""PyTorch's attention beside attention written by hand: each pair is one function, or differs."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn


def module_attention(
    x: Float[Tensor, "n d"],
    y: Float[Tensor, "m d"],
    W_Q: Float[Tensor, "h d k"],
    W_K: Float[Tensor, "h d k"],
    W_V: Float[Tensor, "h d k"],
    W_O: Float[Tensor, "d d"],
) -> Float[Tensor, "n d"]:
    h, d, _ = W_Q.shape
    attention = nn.MultiheadAttention(d, h, bias=False, batch_first=True)
    with torch.no_grad():
        attention.in_proj_weight.copy_(torch.cat([W.permute(0, 2, 1).reshape(d, d) for W in (W_Q, W_K, W_V)]))
        attention.out_proj.weight.copy_(W_O.T)
    attention.eval()
    out, _ = attention(x[None], y[None], y[None], need_weights=False)
    return out[0]


def module_attention_with_parameters(
    x: Float[Tensor, "n d"],
    y: Float[Tensor, "m d"],
    W_Q: Float[Tensor, "h d k"],
    W_K: Float[Tensor, "h d k"],
    W_V: Float[Tensor, "h d k"],
    W_O: Float[Tensor, "d d"],
) -> Float[Tensor, "n d"]:
    h, d, _ = W_Q.shape
    attention = nn.MultiheadAttention(d, h, bias=False, batch_first=True)
    attention.in_proj_weight = nn.Parameter(torch.cat([W.permute(0, 2, 1).reshape(d, d) for W in (W_Q, W_K, W_V)]))
    attention.out_proj.weight = nn.Parameter(W_O.T)
    out, _ = attention(x[None], y[None], y[None])
    return out[0]


def mha_masked(
    x: Float[Tensor, "n d"],
    y: Float[Tensor, "m d"],
    W_Q: Float[Tensor, "h d k"],
    W_K: Float[Tensor, "h d k"],
    W_V: Float[Tensor, "h d k"],
    W_O: Float[Tensor, "d d"],
    mask: Bool[Tensor, "n m"],
) -> Float[Tensor, "n d"]:
    h, d, _ = W_Q.shape
    attention = nn.MultiheadAttention(d, h, bias=False, batch_first=True).eval()
    packed = torch.cat([W.permute(0, 2, 1).reshape(d, d) for W in (W_Q, W_K, W_V)])
    attention.load_state_dict({"in_proj_weight": packed, "out_proj.weight": W_O.T})
    out, _ = attention(x[None], y[None], y[None], attn_mask=~mask)
    return out.squeeze(0)


def functional_mha(
    x: Float[Tensor, "n d"],
    y: Float[Tensor, "m d"],
    W_Q: Float[Tensor, "h d k"],
    W_K: Float[Tensor, "h d k"],
    W_V: Float[Tensor, "h d k"],
    W_O: Float[Tensor, "d d"],
) -> Float[Tensor, "n d"]:
    h, d, _ = W_Q.shape
    attention = nn.MultiheadAttention(d, h, bias=False, batch_first=True)
    packed = torch.cat([W.permute(0, 2, 1).reshape(d, d) for W in (W_Q, W_K, W_V)])
    out, _ = torch.func.functional_call(
        attention, {"in_proj_weight": packed, "out_proj.weight": W_O.T}, (x[None], y[None], y[None])
    )
    return out.squeeze(0)


def seq_first(
    x: Float[Tensor, "n d"],
    y: Float[Tensor, "m d"],
    W_Q: Float[Tensor, "h d k"],
    W_K: Float[Tensor, "h d k"],
    W_V: Float[Tensor, "h d k"],
    W_O: Float[Tensor, "d d"],
) -> Float[Tensor, "n d"]:
    h, d, _ = W_Q.shape
    attention = nn.MultiheadAttention(d, h)
    with torch.no_grad():
        attention.in_proj_weight.copy_(torch.cat([W.permute(0, 2, 1).reshape(d, d) for W in (W_Q, W_K, W_V)]))
        attention.in_proj_bias.zero_()
        attention.out_proj.weight.copy_(W_O.T)
        attention.out_proj.bias.zero_()
    return attention(x, y, y)[0]


def no_transpose(
    x: Float[Tensor, "n d"],
    y: Float[Tensor, "m d"],
    W_Q: Float[Tensor, "h d k"],
    W_K: Float[Tensor, "h d k"],
    W_V: Float[Tensor, "h d k"],
    W_O: Float[Tensor, "d d"],
) -> Float[Tensor, "n d"]:
    h, d, _ = W_Q.shape
    attention = nn.MultiheadAttention(d, h, bias=False)
    with torch.no_grad():
        attention.in_proj_weight.copy_(torch.cat([W.reshape(d, d) for W in (W_Q, W_K, W_V)]))
        attention.out_proj.weight.copy_(W_O.T)
    return attention(x, y, y)[0]


def gqa_sdpa(
    q: Float[Tensor, "b H n d"], k: Float[Tensor, "b g m d"], v: Float[Tensor, "b g m e"]
) -> Float[Tensor, "b H n e"]:
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)


def gqa_hand(
    q: Float[Tensor, "b H n d"], k: Float[Tensor, "b g m d"], v: Float[Tensor, "b g m e"]
) -> Float[Tensor, "b H n e"]:
    r = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(r, dim=1), v.repeat_interleave(r, dim=1)
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return s.softmax(-1) @ v


def gqa_expand(
    q: Float[Tensor, "b H n d"], k: Float[Tensor, "b g m d"], v: Float[Tensor, "b g m e"]
) -> Float[Tensor, "b H n e"]:
    b, g, m, d = k.shape
    r = q.shape[1] // g
    k = k[:, :, None].expand(b, g, r, m, d).reshape(b, g * r, m, d)
    v = v[:, :, None].expand(b, g, r, m, v.shape[-1]).reshape(b, g * r, m, v.shape[-1])
    w = torch.einsum("bhnd,bhmd->bhnm", q, k).mul(d**-0.5).softmax(dim=-1)
    return torch.einsum("bhnm,bhme->bhne", w, v)


def gqa_repeat_wrong(
    q: Float[Tensor, "b H n d"], k: Float[Tensor, "b g m d"], v: Float[Tensor, "b g m e"]
) -> Float[Tensor, "b H n e"]:
    r = q.shape[1] // k.shape[1]
    k, v = k.repeat(1, r, 1, 1), v.repeat(1, r, 1, 1)
    return F.scaled_dot_product_attention(q, k, v)


def causal_sdpa(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h n d"], v: Float[Tensor, "b h n e"]
) -> Float[Tensor, "b h n e"]:
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def causal_tril(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h n d"], v: Float[Tensor, "b h n e"]
) -> Float[Tensor, "b h n e"]:
    n = q.size(-2)
    att = (q @ k.transpose(-2, -1)) * (1.0 / k.size(-1) ** 0.5)
    mask = torch.tril(torch.ones(n, n)).view(1, 1, n, n)
    att = att.masked_fill(mask == 0, float("-inf"))
    return F.softmax(att, dim=-1) @ v


def causal_add(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h n d"], v: Float[Tensor, "b h n e"]
) -> Float[Tensor, "b h n e"]:
    n = q.size(-2)
    mask = torch.full((n, n), float("-inf")).triu(1)
    return torch.softmax(q @ k.mT / q.size(-1) ** 0.5 + mask, dim=-1) @ v


def causal_mask_arg(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h n d"], v: Float[Tensor, "b h n e"]
) -> Float[Tensor, "b h n e"]:
    n = q.size(-2)
    i = torch.arange(n)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=i[:, None] >= i[None, :])


def causal_off(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h n d"], v: Float[Tensor, "b h n e"]
) -> Float[Tensor, "b h n e"]:
    n = q.size(-2)
    i = torch.arange(n)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=i[:, None] > i[None, :] - 1)


def bool_mask(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h m d"], v: Float[Tensor, "b h m e"], mask: Bool[Tensor, "n m"]
) -> Float[Tensor, "b h n e"]:
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def bool_mask_where(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h m d"], v: Float[Tensor, "b h m e"], mask: Bool[Tensor, "n m"]
) -> Float[Tensor, "b h n e"]:
    s = q @ k.mT / q.shape[-1] ** 0.5
    s = torch.where(mask, s, -torch.inf)
    return s.softmax(-1) @ v


def bool_mask_add(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h m d"], v: Float[Tensor, "b h m e"], mask: Bool[Tensor, "n m"]
) -> Float[Tensor, "b h n e"]:
    bias = torch.zeros(mask.shape).masked_fill(mask.logical_not(), float("-inf"))
    return F.scaled_dot_product_attention(q, k, v, attn_mask=bias)


def bool_mask_zeros_like(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h m d"], v: Float[Tensor, "b h m e"], mask: Bool[Tensor, "n m"]
) -> Float[Tensor, "b h n e"]:
    bias = torch.zeros_like(mask, dtype=q.dtype)
    bias.masked_fill_(~mask, float("-inf"))
    return F.scaled_dot_product_attention(q, k, v, attn_mask=bias[None, None])


def add_mask(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h m d"], v: Float[Tensor, "b h m e"], bias: Float[Tensor, "h n m"]
) -> Float[Tensor, "b h n e"]:
    return F.scaled_dot_product_attention(q, k, v, attn_mask=bias)


def add_mask_hand(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h m d"], v: Float[Tensor, "b h m e"], bias: Float[Tensor, "h n m"]
) -> Float[Tensor, "b h n e"]:
    return (torch.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5 + bias).softmax(-1) @ v


def scale_sdpa(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h m d"], v: Float[Tensor, "b h m e"]
) -> Float[Tensor, "b h n e"]:
    return F.scaled_dot_product_attention(q, k, v, scale=1.0)


def scale_hand(
    q: Float[Tensor, "b h n d"], k: Float[Tensor, "b h m d"], v: Float[Tensor, "b h m e"]
) -> Float[Tensor, "b h n e"]:
    return (q @ k.mT).softmax(-1) @ v


def fused(x: Float[Tensor, "b n d"], W: Float[Tensor, "3*d d"], h: int) -> Float[Tensor, "b n d"]:
    b, n, d = x.shape
    q, key, v = F.linear(x, W).chunk(3, dim=-1)
    q, key, v = (t.view(b, n, h, d // h).transpose(1, 2) for t in (q, key, v))
    y = F.scaled_dot_product_attention(q, key, v)
    return y.transpose(1, 2).contiguous().view(b, n, d)


def fused_reshape(x: Float[Tensor, "b n d"], W: Float[Tensor, "3*d d"], h: int) -> Float[Tensor, "b n d"]:
    b, n, d = x.shape
    q, key, v = F.linear(x, W).reshape(b, n, 3, h, d // h).permute(2, 0, 3, 1, 4).unbind(0)
    y = F.scaled_dot_product_attention(q, key, v)
    return y.transpose(1, 2).reshape(b, n, d)


def separate(x: Float[Tensor, "b n d"], W: Float[Tensor, "3*d d"], h: int) -> Float[Tensor, "b n d"]:
    b, n, d = x.shape
    k = d // h
    q, key, v = x @ W[:d].T, x @ W[d : 2 * d].T, x @ W[2 * d :].T
    q, key, v = (t.reshape(b, n, h, k).permute(0, 2, 1, 3) for t in (q, key, v))
    att = (q @ key.transpose(-1, -2) * k**-0.5).softmax(-1)
    return (att @ v).permute(0, 2, 1, 3).flatten(2)


def separate_wrong(x: Float[Tensor, "b n d"], W: Float[Tensor, "3*d d"], h: int) -> Float[Tensor, "b n d"]:
    b, n, d = x.shape
    k = d // h
    q, key, v = x @ W[:d].T, x @ W[d : 2 * d].T, x @ W[2 * d :].T
    q, key, v = (t.reshape(b, n, k, h).permute(0, 3, 1, 2) for t in (q, key, v))
    att = (q @ key.transpose(-1, -2) * k**-0.5).softmax(-1)
    return (att @ v).permute(0, 2, 1, 3).flatten(2)


def encoder_layer(
    x: Float[Tensor, "b n d"],
    heads: int,
    f: int,
    packed: Float[Tensor, "3*d d"],
    W_O: Float[Tensor, "d d"],
    up: Float[Tensor, "f d"],
    down: Float[Tensor, "d f"],
) -> Float[Tensor, "b n d"]:
    layer = nn.TransformerEncoderLayer(x.shape[-1], heads, f, batch_first=True, bias=False, norm_first=True).eval()
    with torch.no_grad():
        layer.self_attn.in_proj_weight.copy_(packed)
        layer.self_attn.out_proj.weight.copy_(W_O)
        layer.linear1.weight.copy_(up)
        layer.linear2.weight.copy_(down)
        layer.norm1.weight.fill_(1.0)
        layer.norm2.weight.fill_(1.0)
    return layer(x)


def encoder_hand(
    x: Float[Tensor, "b n d"],
    heads: int,
    f: int,
    packed: Float[Tensor, "3*d d"],
    W_O: Float[Tensor, "d d"],
    up: Float[Tensor, "f d"],
    down: Float[Tensor, "d f"],
) -> Float[Tensor, "b n d"]:
    b, n, d = x.shape
    q, k, v = (t.view(b, n, heads, d // heads).transpose(1, 2) for t in (F.layer_norm(x, (d,)) @ packed.T).chunk(3, -1))
    y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, d)
    x = x + y @ W_O.T
    return x + F.relu(F.layer_norm(x, (d,)) @ up.T) @ down.T


def encoder_layer_post(
    x: Float[Tensor, "b n d"],
    heads: int,
    f: int,
    packed: Float[Tensor, "3*d d"],
    W_O: Float[Tensor, "d d"],
    up: Float[Tensor, "f d"],
    down: Float[Tensor, "d f"],
) -> Float[Tensor, "b n d"]:
    layer = nn.TransformerEncoderLayer(x.shape[-1], heads, f, batch_first=True, bias=False).eval()
    with torch.no_grad():
        layer.self_attn.in_proj_weight.copy_(packed)
        layer.self_attn.out_proj.weight.copy_(W_O)
        layer.linear1.weight.copy_(up)
        layer.linear2.weight.copy_(down)
        layer.norm1.weight.fill_(1.0)
        layer.norm2.weight.fill_(1.0)
    return layer(x)


def encoder_hand_post(
    x: Float[Tensor, "b n d"],
    heads: int,
    f: int,
    packed: Float[Tensor, "3*d d"],
    W_O: Float[Tensor, "d d"],
    up: Float[Tensor, "f d"],
    down: Float[Tensor, "d f"],
) -> Float[Tensor, "b n d"]:
    b, n, d = x.shape
    q, k, v = (t.view(b, n, heads, d // heads).transpose(1, 2) for t in (x @ packed.T).chunk(3, -1))
    y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, d)
    x = F.layer_norm(x + y @ W_O.T, (d,))
    return F.layer_norm(x + F.relu(x @ up.T) @ down.T, (d,))


def written_through_reshape(x: Float[Tensor, "n m"]) -> Float[Tensor, "n m"]:
    """A reshape of a transposed tensor is a view only where an axis has one element."""
    x = x.clone()
    x.t().reshape(-1).zero_()
    return x


def written_through_contiguous(x: Float[Tensor, "n m"]) -> Float[Tensor, "n m"]:
    x = x.clone()
    x.t().contiguous().zero_()
    return x


def zero_where_one_axis_is_single(x: Float[Tensor, "n m"]) -> Float[Tensor, "n m"]:
    n, m = x.shape
    return torch.zeros(n, m) if n == 1 or m == 1 else x


def read_after_the_base_changed(x: Float[Tensor, "n m"]) -> Float[Tensor, "m n"]:
    x = x.clone()
    y = x.t().contiguous()
    x.zero_()
    return y


def transposed_zero_where_single(x: Float[Tensor, "n m"]) -> Float[Tensor, "m n"]:
    n, m = x.shape
    return torch.zeros(m, n) if n == 1 or m == 1 else x.t()
