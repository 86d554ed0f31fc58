"""Variations of the bug cases, one function each: `b_` is wrong, `ok_` is right."""

import numpy as np
from jaxtyping import Bool, Float, Int

A = np.ndarray


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def b_061(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m h d_v"], x: Float[A, "n d_in"]) -> Float[A, "n h*d_v"]:
    w = softmax(q @ k.T)
    out = np.einsum("nm,mhd->nhd", w, v)
    return out.reshape(x.shape)


def b_055(s: Float[A, "b g r n m"], mask: Bool[A, "b 1 n m"]) -> Float[A, "b g r n m"]:
    return np.where(mask, s, -1e9)


def b_064(q: Float[A, "n d"], k: Float[A, "m d"]) -> Float[A, "n m"]:
    return q @ k


def b_047(q: Float[A, "b n d"], k: Float[A, "b m d"], w: Float[A, "d 1"]) -> Float[A, "b n m"]:
    return np.squeeze(np.tanh(q[:, :, None] + k[:, None]) @ w)


def b_052(x: Float[A, "b c h w"], W: Float[A, "512 k"]) -> Float[A, "b k"]:
    return x.reshape(x.shape[0], -1) @ W


def b_view(x: Float[A, "b n d"], h: int) -> Float[A, "b {h} n d//{h}"]:
    b, n, d = x.shape
    assert d % h == 0
    return x.reshape(b, h, n, d // h)


def b_einsum_sum_over_queries(
    q: Float[A, "b n h d"], k: Float[A, "b n h d"], v: Float[A, "b n h d"]
) -> Float[A, "b n h d"]:
    w = softmax(np.einsum("bqhd,bkhd->bhqk", q, k))
    return np.einsum("bhqk,bqhd->bkhd", w, v)


def b_additive_past(q: Float[A, "h s d"], past: Float[A, "h p d"], k: Float[A, "h s d"]) -> Float[A, "h s p+s"]:
    keys = np.concatenate([past, k], axis=1)
    s, t = q.shape[1], keys.shape[1]
    mask = np.triu(np.full((s, t), -np.inf), k=1)
    return q @ keys.swapaxes(1, 2) + mask


def ok_additive_past(q: Float[A, "h s d"], past: Float[A, "h p d"], k: Float[A, "h s d"]) -> Float[A, "h s p+s"]:
    keys = np.concatenate([past, k], axis=1)
    s, t = q.shape[1], keys.shape[1]
    mask = np.triu(np.full((s, t), -np.inf), k=1 + t - s)
    return q @ keys.swapaxes(1, 2) + mask


def b_past_declared(q: Float[A, "h s d"], keys: Float[A, "h p+s d"], past: Float[A, "h p d"]) -> Float[A, "h s p+s"]:
    i = np.arange(q.shape[1])[:, None]
    j = np.arange(keys.shape[1])[None, :]
    return np.where(j <= i, q @ keys.swapaxes(1, 2), -1e9)


def b_masked_assign(q: Float[A, "n d"], k: Float[A, "n d"]) -> Float[A, "n n"]:
    s = q @ k.T
    n = len(s)
    s[np.tril(np.ones((n, n), bool))] = -np.inf
    return softmax(s)


def ok_masked_assign(q: Float[A, "n d"], k: Float[A, "n d"]) -> Float[A, "n n"]:
    s = q @ k.T
    n = len(s)
    s[np.triu(np.ones((n, n), bool), 1)] = -np.inf
    return softmax(s)


def b_pool_axis(x: Float[A, "n n d"], w: Float[A, "d"]) -> Float[A, "n d"]:
    a = softmax(x @ w, axis=0)
    return np.einsum("ij,ijd->id", a, x)


def b_scores_T(x: Float[A, "n d"]) -> Float[A, "n d"]:
    w = softmax(x @ x.T)
    return w.T @ x


def b_softmax_no_keepdims(x: Float[A, "n n"]) -> Float[A, "n n"]:
    e = np.exp(x)
    return e / e.sum(-1)


def b_layer_norm(x: Float[A, "n d"], g: Float[A, "d"], b: Float[A, "d"]) -> Float[A, "n d"]:
    m = x.mean(axis=0, keepdims=True)
    v = ((x - m) ** 2).mean(axis=0, keepdims=True)
    return g * ((x - m) / np.sqrt(v + 1e-5)) + b


def b_rms(x: Float[A, "b n d"], g: Float[A, "d"]) -> Float[A, "b n d"]:
    return x * (1 / np.sqrt((x * x).mean(axis=1, keepdims=True))) * g


def b_merge_T(o: Float[A, "b h n d"]) -> Float[A, "b n h*d"]:
    b, h, n, d = o.shape
    return o.transpose(0, 2, 3, 1).reshape(b, n, h * d)


def b_concat_heads(o: Float[A, "2 n d"]) -> Float[A, "n 2*d"]:
    return np.concatenate([o[0], o[1]], axis=0).reshape(o.shape[1], -1)


def ok_concat_heads(o: Float[A, "2 n d"]) -> Float[A, "n 2*d"]:
    return np.concatenate([o[0], o[1]], axis=1)


def b_kv_repeat(q: Float[A, "b h n d"], k: Float[A, "b g m d"]) -> Float[A, "b h n m"]:
    # verifier: given h % g == 0
    r = q.shape[1] // k.shape[1]
    k = np.concatenate([k] * 2, axis=1) if r == 2 else np.tile(k, (1, r, 1, 1))
    return q @ k.swapaxes(-1, -2)


def b_pos_batch(x: Float[A, "b n d"], pe: Float[A, "m d"]) -> Float[A, "b n d"]:
    return x + pe[np.arange(len(x))][:, None]


def b_pos_batch_slice(x: Float[A, "b n d"], pe: Float[A, "m d"]) -> Float[A, "b n d"]:
    return x + pe[: x.shape[0], None]


def ok_batch_index(x: Float[A, "b n d"], i: Int[A, "b"]) -> Float[A, "b d"]:
    return x[np.arange(len(x)), i]


def b_swap_bh(x: Float[A, "b n h d"]) -> Float[A, "b h n d"]:
    b, n, h, d = x.shape
    y = x.transpose(0, 2, 1, 3).reshape(b * h, n, d)
    return y.reshape(h, b, n, d).swapaxes(0, 1)
