"""Two programs of each kind of wrong value behind a right shape (`b_`), and their corrections (`ok_`)."""

import numpy as np
from jaxtyping import Float, Int, Bool

A = np.ndarray


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


# 1. reshape mixing tokens and heads
def b_mix1(x: Float[A, "b n d"], w: Float[A, "d h*d_k"], h: int) -> Float[A, "b {h} n d_k"]:
    y = x @ w
    return y.reshape(x.shape[0], h, x.shape[1], -1)


def ok_mix1(x: Float[A, "b n d"], w: Float[A, "d h*d_k"], h: int) -> Float[A, "b {h} n d_k"]:
    y = x @ w
    return y.reshape(x.shape[0], x.shape[1], h, -1).transpose(0, 2, 1, 3)


def b_mix2(o: Float[A, "h n d_v"], wo: Float[A, "h*d_v d"]) -> Float[A, "n d"]:
    h, n, d_v = o.shape
    return o.reshape(n, h * d_v) @ wo


def ok_mix2(o: Float[A, "h n d_v"], wo: Float[A, "h*d_v d"]) -> Float[A, "n d"]:
    h, n, d_v = o.shape
    return o.transpose(1, 0, 2).reshape(n, h * d_v) @ wo


# 2. factors split in other order
def b_fac1(x: Float[A, "b h n d"], m: Float[A, "b*h n n"]) -> Float[A, "b h n n"]:
    b, h, n, d = x.shape
    s = (x @ x.swapaxes(-1, -2)).transpose(1, 0, 2, 3).reshape(h * b, n, n)
    return (s + m).reshape(b, h, n, n)


def ok_fac1(x: Float[A, "b h n d"], m: Float[A, "b*h n n"]) -> Float[A, "b h n n"]:
    b, h, n, d = x.shape
    s = (x @ x.swapaxes(-1, -2)).reshape(b * h, n, n)
    return (s + m).reshape(b, h, n, n)


# 3. softmax / norm over wrong axis
def b_soft1(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "h m e"]) -> Float[A, "h n e"]:
    return softmax(np.einsum("hnd,hmd->hnm", q, k), axis=0) @ v


def ok_soft1(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "h m e"]) -> Float[A, "h n e"]:
    return softmax(np.einsum("hnd,hmd->hnm", q, k), axis=2) @ v


def b_soft3(x: Float[A, "n d"], wq: Float[A, "d d"], wk: Float[A, "d d"]) -> Float[A, "n d"]:
    s = (x @ wq) @ (x @ wk).T
    p = np.exp(s) / np.exp(s).sum(0)
    return p @ x


def ok_soft3(x: Float[A, "n d"], wq: Float[A, "d d"], wk: Float[A, "d d"]) -> Float[A, "n d"]:
    s = (x @ wq) @ (x @ wk).T
    p = np.exp(s) / np.exp(s).sum(1, keepdims=True)
    return p @ x


# 4. contraction of axes that happen to be equal in size
def b_con1(x: Float[A, "n n"], w: Float[A, "n d"]) -> Float[A, "n d"]:
    return softmax(x).T @ w


def ok_con1(x: Float[A, "n n"], w: Float[A, "n d"]) -> Float[A, "n d"]:
    return softmax(x) @ w


def b_con2(q: Float[A, "b n h d"], k: Float[A, "b n h d"], v: Float[A, "b n h d"]) -> Float[A, "b n h d"]:
    w = softmax(np.einsum("bqhd,bkhd->bhqk", q, k))
    return np.einsum("bhqk,bqhd->bqhd", w, v)


def ok_con2(q: Float[A, "b n h d"], k: Float[A, "b n h d"], v: Float[A, "b n h d"]) -> Float[A, "b n h d"]:
    w = softmax(np.einsum("bqhd,bkhd->bhqk", q, k))
    return np.einsum("bhqk,bkhd->bqhd", w, v)


# q @ q instead of q @ k.T for h = square
def b_con4(s: Float[A, "b h n n"], v: Float[A, "b h n d"]) -> Float[A, "b h n d"]:
    w = softmax(s)
    return np.einsum("bhij,bhid->bhjd", w, v)


# 5. broadcast nobody wrote
def b_bro1(x: Float[A, "b n d"], s: Float[A, "b n"]) -> Float[A, "b n n"]:
    g = x @ x.swapaxes(1, 2)
    return g / np.sqrt((g * g).sum(axis=-1))[:, None] if False else g / g.sum(axis=-1)[None, 0]


def b_bro2(y: Float[A, "n 1"], t: Float[A, "n"]) -> Float[A, ""]:
    return ((y - t) ** 2).mean()


def ok_bro2(y: Float[A, "n 1"], t: Float[A, "n"]) -> Float[A, ""]:
    return ((y[:, 0] - t) ** 2).mean()


def b_bro3(
    x: Float[A, "n n"],
) -> Float[A, "n n"]:
    return x - x.mean(axis=1)


def ok_bro3(
    x: Float[A, "n n"],
) -> Float[A, "n n"]:
    return x - x.mean(axis=1, keepdims=True)


def b_bro4(w: Float[A, "h n n"], len_: Float[A, "n"]) -> Float[A, "h n n"]:
    return w / w.max(axis=-1)[:, None]


def ok_bro4(w: Float[A, "h n n"], len_: Float[A, "n"]) -> Float[A, "h n n"]:
    return w / w.max(axis=-1)[:, :, None]


# 7. mask whose rows are keys
def b_msk1(q: Float[A, "h n d"], k: Float[A, "h n d"], v: Float[A, "h n e"]) -> Float[A, "h n e"]:
    n = q.shape[1]
    i = np.arange(n)
    keep = i[:, None] <= i[None, :]
    s = np.where(keep, np.einsum("hid,hjd->hij", q, k), -1e30)
    return softmax(s) @ v


def ok_msk1(q: Float[A, "h n d"], k: Float[A, "h n d"], v: Float[A, "h n e"]) -> Float[A, "h n e"]:
    n = q.shape[1]
    i = np.arange(n)
    keep = i[:, None] >= i[None, :]
    s = np.where(keep, np.einsum("hid,hjd->hij", q, k), -1e30)
    return softmax(s) @ v


def b_msk2(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    s = q @ k.swapaxes(1, 2)
    return softmax(np.where(pad[:, :, None], s, -np.inf))


def ok_msk2(q: Float[A, "b n d"], k: Float[A, "b n d"], pad: Bool[A, "b n"]) -> Float[A, "b n n"]:
    s = q @ k.swapaxes(1, 2)
    return softmax(np.where(pad[:, None, :], s, -np.inf))


# 8. positions along batch
def b_pos1(x: Float[A, "b n d"], table: Float[A, "m d"]) -> Float[A, "b n d"]:
    # verifier: given b <= m
    return x + table[np.arange(x.shape[0])][:, None]


def ok_pos1(x: Float[A, "b n d"], table: Float[A, "m d"]) -> Float[A, "b n d"]:
    # verifier: given n <= m
    return x + table[np.arange(x.shape[1])][None]


def b_pos2(x: Float[A, "b n d"], f: Float[A, "d"]) -> Float[A, "b n d"]:
    t = np.arange(x.shape[0])[:, None, None]
    return x * np.cos(t * f)


def ok_pos2(x: Float[A, "b n d"], f: Float[A, "d"]) -> Float[A, "b n d"]:
    t = np.arange(x.shape[1])[None, :, None]
    return x * np.cos(t * f)


def b_pos4(x: Float[A, "b n d"]) -> Float[A, "b n d"]:
    return x + np.arange(len(x))[:, None, None] / 100


def ok_offsets(ids: Int[A, "b n"], flat: Float[A, "b*n d"]) -> Float[A, "b n d"]:
    return flat[ids + np.arange(ids.shape[0])[:, None] * ids.shape[1]]


# 9. concatenation along the wrong axis


def b_cat1(a: Float[A, "2 n d"]) -> Float[A, "n 2*d"]:
    return np.concatenate([a[0], a[1]], axis=0).reshape(a.shape[1], -1)


def b_cat2(x: Float[A, "b n d"], y: Float[A, "b n d"]) -> Float[A, "b n 2*d"]:
    b, n, d = x.shape
    return np.concatenate([x, y], axis=1).reshape(b, n, 2 * d)


def b_cat3(heads: Float[A, "h n d"]) -> Float[A, "n h*d"]:
    return np.concatenate(heads, axis=0).reshape(heads.shape[1], -1)


def b_cat_kv(k: Float[A, "b n d"], past: Float[A, "b n d"], q: Float[A, "b n d"]) -> Float[A, "b n 2*n"]:
    keys = np.concatenate([past, k], axis=0).reshape(k.shape[0], -1, k.shape[2])
    return q @ keys.swapaxes(1, 2)


def b_cat_cls(x: Float[A, "b n d"], cls: Float[A, "b 1 d"]) -> Float[A, "b n+1 d"]:
    b, n, d = x.shape
    return np.concatenate([cls.reshape(b * 1, d), x.reshape(b * n, d)], axis=0).reshape(b, n + 1, d)


def b_stack(a: Float[A, "n d"], b: Float[A, "n d"]) -> Float[A, "n 2*d"]:
    return np.stack([a, b], axis=0).reshape(a.shape[0], -1)


def b_vstack(a: Float[A, "n d"], b: Float[A, "n d"]) -> Float[A, "n 2*d"]:
    return np.vstack([a, b]).reshape(len(a), -1)


# features interleaved then weight wants concatenated
def ok_cat(a: Float[A, "n d"], b: Float[A, "n d"], w: Float[A, "2*d m"]) -> Float[A, "n m"]:
    return np.concatenate([a, b], axis=1) @ w


def ok_inter(a: Float[A, "n d"], b: Float[A, "n d"]) -> Float[A, "n 2*d"]:
    return np.stack([a, b], axis=-1).reshape(a.shape[0], -1)


def ok_cat3(heads: Float[A, "h n d"]) -> Float[A, "n h*d"]:
    return np.concatenate(heads, axis=1)


def ok_cat_cls(x: Float[A, "b n d"], cls: Float[A, "b 1 d"]) -> Float[A, "b n+1 d"]:
    return np.concatenate([cls, x], axis=1)


def ok_rows(a: Float[A, "n d"], b: Float[A, "n d"]) -> Float[A, "2*n d"]:
    return np.concatenate([a, b], axis=0)


def b_square2(q: Float[A, "h n d"], k: Float[A, "h n d"]) -> Float[A, "h n n"]:
    qk = np.concatenate([q, k], axis=0)
    n = q.shape[1]
    h, n, d = q.shape
    qk = qk.reshape(h, 2 * n, d)
    return qk[:, :n] @ qk[:, n:].swapaxes(1, 2)


def ok_window1(s: Float[A, "n n"], v: Float[A, "n d"]) -> Float[A, "n d"]:
    n = s.shape[0]
    s = np.where(np.tril(np.ones((n, n), bool)), s, -np.inf)
    s = np.where(np.triu(np.ones((n, n), bool), k=-3), s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)) @ v


def b_window1(s: Float[A, "n n"], v: Float[A, "n d"]) -> Float[A, "n d"]:
    n = s.shape[0]
    s = np.where(np.triu(np.ones((n, n), bool)), s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)) @ v


# squared lengths of rows beside their products: both axes are the rows of x
def ok_gram(x: Float[A, "n d"]) -> Float[A, "n n"]:
    return x @ x.T - 0.5 * (x * x).sum(-1)


def b_gram(x: Float[A, "n d"]) -> Float[A, "n n"]:
    e = np.exp(x @ x.T)
    return e / e.sum(1)
