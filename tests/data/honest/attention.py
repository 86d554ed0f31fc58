"""Attention as people write it, right in every way: nothing here may be reported."""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

A = np.ndarray


def softmax(x: Float[A, "*b n"], axis: int = -1) -> Float[A, "*b n"]:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def self_attention(
    x: Float[A, "b n d"], Wq: Float[A, "d d"], Wk: Float[A, "d d"], Wv: Float[A, "d d"], Wo: Float[A, "d d"], h: int
) -> Float[A, "b n d"]:
    b, n, d = x.shape
    assert d % h == 0
    q, k, v = (np.reshape(x @ W, (b, n, h, d // h)).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    w = softmax(q @ k.transpose(0, 1, 3, 2) / math.sqrt(d // h))
    return (w @ v).transpose(0, 2, 1, 3).reshape(b, n, d) @ Wo


def packed_qkv(x: Float[A, "n d"], W: Float[A, "d 3*d"], h: int) -> Float[A, "n d"]:
    n, d = x.shape
    if d % h:
        raise ValueError("h must divide d")
    q, k, v = np.split(x @ W, 3, axis=-1)
    q, k, v = (a.reshape(n, h, d // h).swapaxes(0, 1) for a in (q, k, v))
    scores = np.einsum("hid,hjd->hij", q, k) * (d // h) ** -0.5
    causal = np.tril(np.ones((n, n), dtype=bool))
    scores = np.where(causal, scores, -np.inf)
    return np.einsum("hij,hjd->ihd", softmax(scores), v).reshape(n, d)


def packed_qkv_in_one_reshape(x: Float[A, "b n d"], W: Float[A, "d 3*d"], h: int) -> Float[A, "b n d"]:
    b, n, d = x.shape
    assert d % h == 0
    qkv = (x @ W).reshape(b, n, 3, h, d // h).transpose(2, 0, 3, 1, 4)
    q, k, v = qkv[0], qkv[1], qkv[2]
    return (softmax(q @ k.swapaxes(-1, -2)) @ v).swapaxes(1, 2).reshape(b, n, d)


def grouped_queries(q: Float[A, "b n h d"], k: Float[A, "b m g d"], v: Float[A, "b m g d"]) -> Float[A, "b n h d"]:
    # verifier: given h % g == 0
    b, n, h, d = q.shape
    g = k.shape[2]
    q = q.reshape(b, n, g, h // g, d)
    s = np.einsum("bngrd,bmgd->bgrnm", q, k) / np.sqrt(d)
    return np.einsum("bgrnm,bmgd->bngrd", softmax(s), v).reshape(b, n, h, d)


def multi_query(q: Float[A, "b h n d"], k: Float[A, "b m d"], v: Float[A, "b m d"]) -> Float[A, "b h n d"]:
    s = np.einsum("bhnd,bmd->bhnm", q, k)
    return softmax(s) @ v[:, None]


def with_cache(
    q: Float[A, "h s d"], k: Float[A, "h s d"], v: Float[A, "h s d"], past_k: Float[A, "h p d"], past_v: Float[A, "h p d"]
) -> tuple[Float[A, "h s d"], Float[A, "h p+s d"]]:
    k, v = np.concatenate([past_k, k], axis=1), np.concatenate([past_v, v], axis=1)
    s, t = q.shape[1], k.shape[1]
    rows, columns = np.arange(s)[:, None] + t - s, np.arange(t)[None, :]
    scores = np.where(columns <= rows, q @ k.swapaxes(1, 2), -1e9)
    return softmax(scores) @ v, k


def additive_causal(q: Float[A, "b n d"], k: Float[A, "b n d"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    return softmax(q @ k.swapaxes(1, 2) + np.triu(np.full((n, n), -np.inf), k=1))


def sliding_window(q: Float[A, "n d"], k: Float[A, "n d"], window: int) -> Float[A, "n n"]:
    i = np.arange(q.shape[0])
    near = (i[:, None] >= i[None, :]) & (i[:, None] - i[None, :] < window)
    return softmax(np.where(near, q @ k.T, -1e30))


def padding_and_causal(q: Float[A, "b n d"], k: Float[A, "b n d"], keep: Bool[A, "b n"]) -> Float[A, "b n n"]:
    n = q.shape[1]
    mask = keep[:, None, :] & np.tril(np.ones((n, n), bool))
    return softmax(np.where(mask, q @ k.transpose(0, 2, 1), -1e9))


def pair_mask(q: Float[A, "b n d"], k: Float[A, "b m d"], a: Bool[A, "b n"], c: Bool[A, "b m"]) -> Float[A, "b n m"]:
    mask = a[:, :, None] & c[:, None, :]
    return softmax(np.where(mask, q @ k.transpose(0, 2, 1), -1e9))


def alibi(q: Float[A, "h n d"], k: Float[A, "h n d"]) -> Float[A, "h n n"]:
    h, n, _ = q.shape
    slopes = 2.0 ** (-8.0 * (np.arange(h) + 1) / h)
    distance = np.arange(n)[None, :] - np.arange(n)[:, None]
    return softmax(q @ k.swapaxes(1, 2) + slopes[:, None, None] * distance)


def rotary(x: Float[A, "b n h d"]) -> Float[A, "b n h d"]:
    # verifier: given d % 2 == 0
    _, n, _, d = x.shape
    angle = np.outer(np.arange(n), 10000.0 ** (-np.arange(0, d, 2) / d))
    cos, sin = np.cos(angle)[None, :, None, :], np.sin(angle)[None, :, None, :]
    first, second = x[..., ::2], x[..., 1::2]
    return np.stack([first * cos - second * sin, first * sin + second * cos], axis=-1).reshape(x.shape)


def rotary_halves(x: Float[A, "n d"], cos: Float[A, "n d"], sin: Float[A, "n d"]) -> Float[A, "n d"]:
    half = x.shape[-1] // 2
    turned = np.concatenate([-x[:, half:], x[:, :half]], axis=-1)
    return x * cos + turned * sin


def linear_attention(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m e"]) -> Float[A, "n e"]:
    q, k = softmax(q), softmax(k.T).T
    return q @ (k.T @ v)


def slots(slots: Float[A, "s d"], x: Float[A, "n d"]) -> Float[A, "s d"]:
    attention = softmax((x @ slots.T)).T
    attention = attention / attention.sum(axis=-1, keepdims=True)
    return attention @ x


def additive_scores(q: Float[A, "b n d"], k: Float[A, "b m d"], w: Float[A, "d"]) -> Float[A, "b n m"]:
    return softmax(np.tanh(q[:, :, None, :] + k[:, None, :, :]) @ w)


def pooling(frames: Float[A, "b t d"], w: Float[A, "d"]) -> Float[A, "b d"]:
    alpha = softmax(frames @ w)
    return (alpha[..., None] * frames).sum(axis=1)


def cross(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m e"], mask: Bool[A, "n m"] | None = None) -> Float[A, "n e"]:
    s = q @ k.T
    if mask is not None:
        s = np.where(mask, s, -1e9)
    return softmax(s) @ v


@dataclass
class Config:
    d_model: int
    heads: int

    def __post_init__(self):
        if self.d_model % self.heads != 0:
            raise ValueError("heads must divide d_model")

    @property
    def d_head(self):
        return self.d_model // self.heads


def configured(x: Float[A, "n {cfg.d_model}"], cfg: Config) -> Float[A, "{cfg.heads} n {cfg.d_head}"]:
    return x.reshape(x.shape[0], cfg.heads, cfg.d_head).transpose(1, 0, 2)


def loop_over_heads(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "h m e"]) -> Float[A, "n h*e"]:
    outs = [softmax(q[i] @ k[i].T) @ v[i] for i in range(q.shape[0])]
    return np.concatenate(outs, axis=-1)


def relative_positions(q: Float[A, "h n d"], table: Float[A, "r d"]) -> Float[A, "h n n"]:
    # verifier: given r >= 2 * n - 1
    n = q.shape[1]
    offsets = np.arange(n)[None, :] - np.arange(n)[:, None] + n - 1
    return np.einsum("hid,ijd->hij", q, table[offsets])
