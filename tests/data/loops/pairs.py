"""Pairs of functions of which one loops, for `verifier same`."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray as A
def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
def fast(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "h n v"]:
    return softmax(q @ k.swapaxes(-1, -2)) @ v
def slow(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "h n v"]:
    return np.stack([softmax(q[i] @ k[i].T) @ v[i] for i in range(len(q))])
def slow2(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "h n v"]:
    out = np.zeros((q.shape[0], q.shape[1], v.shape[2]))
    for i in range(len(q)):
        out[i] = softmax(q[i] @ k[i].T) @ v[i]
    return out
def slow3(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "h n v"]:
    out = []
    for a, b, c in zip(q, k, v):
        out.append(softmax(a @ b.T) @ c)
    return np.stack(out)
def slow4(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "h n v"]:
    out = np.zeros((q.shape[0], q.shape[1], v.shape[2]))
    for i in range(len(q)):
        for t in range(q.shape[1]):
            out[i, t] = softmax(k[i] @ q[i, t]) @ v[i]
    return out
def slow5(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "h n v"]:
    rows = []
    for i in range(len(q)):
        r = []
        for t in range(q.shape[1]):
            r.append(softmax(k[i] @ q[i, t]) @ v[i])
        rows.append(np.stack(r))
    return np.stack(rows)
def merged(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "n h*v"]:
    return np.concatenate([softmax(q[i] @ k[i].T) @ v[i] for i in range(len(q))], axis=-1)
def merged2(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "n h*v"]:
    h, n, _ = q.shape
    d = v.shape[-1]
    out = np.zeros((n, h * d))
    for i in range(h):
        out[:, i * d:(i + 1) * d] = softmax(q[i] @ k[i].T) @ v[i]
    return out
def mergedf(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "n h*v"]:
    o = fast(q, k, v)
    return o.transpose(1, 0, 2).reshape(q.shape[1], -1)
def total(x: Float[A, "h n d"], w: Float[A, "h d e"]) -> Float[A, "n e"]:
    acc = np.zeros((x.shape[1], w.shape[2]))
    for i in range(len(x)):
        acc += x[i] @ w[i]
    return acc
def total2(x: Float[A, "h n d"], w: Float[A, "h d e"]) -> Float[A, "n e"]:
    return sum(a @ b for a, b in zip(x, w))
def total3(x: Float[A, "h n d"], w: Float[A, "h d e"]) -> Float[A, "n e"]:
    acc = x[0] @ w[0]
    for i in range(1, len(x)):
        acc = acc + x[i] @ w[i]
    return acc
def totalf(x: Float[A, "h n d"], w: Float[A, "h d e"]) -> Float[A, "n e"]:
    return np.einsum("hnd,hde->ne", x, w)
def wrong(x: Float[A, "h n d"], w: Float[A, "h d e"]) -> Float[A, "n e"]:
    acc = np.zeros((x.shape[1], w.shape[2]))
    for i in range(len(x)):
        acc += x[i] @ w[min(i, 6)]
    return acc
def wrong2(x: Float[A, "h n d"], w: Float[A, "h d e"]) -> Float[A, "n e"]:
    acc = np.zeros((x.shape[1], w.shape[2]))
    for i in range(len(x)):
        if i < 40: acc += x[i] @ w[i]
    return acc
def srt(x: Float[A, "h d"]) -> Float[A, "h d"]:
    s = np.stack([np.sort(r) for r in x])
    return s - s[0:1]
def zero(x: Float[A, "h d"]) -> Float[A, "h d"]:
    return x * 0
def leak(x: Float[A, "h d"]) -> Float[A, "d"]:
    for r in x:
        y = r
    return y
def first(x: Float[A, "h d"]) -> Float[A, "d"]:
    return x[-1]
def cum(x: Float[A, "h d"]) -> Float[A, "h d"]:
    out = np.zeros_like(x)
    s = np.zeros(x.shape[1])
    for i in range(len(x)):
        s = s + x[i]
        out[i] = s
    return out
def cumf(x: Float[A, "h d"]) -> Float[A, "h d"]:
    return np.cumsum(x, axis=0)
def part(x: Float[A, "h d"]) -> Float[A, "h d"]:
    out = np.zeros_like(x)
    for i in range(len(x) - 1):
        out[i] = x[i]
    return out
def ident(x: Float[A, "h d"]) -> Float[A, "h d"]:
    return x + 0
def shift(x: Float[A, "h d"]) -> Float[A, "h d"]:
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[len(x) - 1 - i] = x[i]
    return out
def flip(x: Float[A, "h d"]) -> Float[A, "h d"]:
    return x[::-1]
def double(x: Float[A, "h d"]) -> Float[A, "d"]:
    acc = np.zeros(x.shape[1])
    for i in range(len(x)):
        acc = acc + x[i] + acc * 0
    return acc
def dbl(x: Float[A, "h d"]) -> Float[A, "d"]:
    return x.sum(0)
