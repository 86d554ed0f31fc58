"""Attention and its neighbours in loops, as textbooks write them: each is right for every size."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray as A

def softmax(x, axis=-1):
    x = x - x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)

def mha(x: Float[A, "b n d"], wq: Float[A, "h d k"], wk: Float[A, "h d k"], wv: Float[A, "h d k"], wo: Float[A, "h*k d"]) -> Float[A, "b n d"]:
    outputs = []
    for b in range(x.shape[0]):
        heads = []
        for head in range(wq.shape[0]):
            q, k, v = x[b] @ wq[head], x[b] @ wk[head], x[b] @ wv[head]
            att = softmax(q @ k.T / np.sqrt(q.shape[-1]))
            heads.append(att @ v)
        outputs.append(np.concatenate(heads, axis=-1) @ wo)
    return np.stack(outputs)

def greedy(logits: Float[A, "n v"], emb: Float[A, "v d"]) -> Float[A, "n d"]:
    out = np.zeros((logits.shape[0], emb.shape[1]))
    for t in range(len(logits)):
        out[t] = emb[logits[t].argmax()]
    return out

def flash(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m e"], block: int = 16) -> Float[A, "n e"]:
    n, d = q.shape
    out = np.zeros((n, v.shape[1]))
    mx = np.full((n, 1), -np.inf)
    den = np.zeros((n, 1))
    for j in range(0, k.shape[0], block):
        kj, vj = k[j:j + block], v[j:j + block]
        s = q @ kj.T / np.sqrt(d)
        new = np.maximum(mx, s.max(axis=1, keepdims=True))
        p = np.exp(s - new)
        scale = np.exp(mx - new)
        den = den * scale + p.sum(axis=1, keepdims=True)
        out = out * scale + p @ vj
        mx = new
    return out / den

def beam(x: Float[A, "n d"], W: Float[A, "L d d"], b: Float[A, "L d"]) -> Float[A, "n d"]:
    h = x
    for W_l, b_l in zip(W, b):
        h = np.tanh(h @ W_l + b_l)
        h = h / np.linalg.norm(h, axis=-1, keepdims=True)
    return h

def lstm(x: Float[A, "t d"], W: Float[A, "4*h d"], U: Float[A, "4*h h"]) -> Float[A, "t h"]:
    h_size = U.shape[1]
    h, c = np.zeros(h_size), np.zeros(h_size)
    hs = []
    for x_t in x:
        z = W @ x_t + U @ h
        i, f, g, o = np.split(z, 4)
        c = 1 / (1 + np.exp(-f)) * c + 1 / (1 + np.exp(-i)) * np.tanh(g)
        h = 1 / (1 + np.exp(-o)) * np.tanh(c)
        hs.append(h)
    return np.array(hs)

def moe(x: Float[A, "n d"], gate: Float[A, "d e"], W: Float[A, "e d d"]) -> Float[A, "n d"]:
    g = softmax(x @ gate)
    y = np.zeros_like(x)
    for e in range(gate.shape[1]):
        y += g[:, e:e + 1] * (x @ W[e])
    return y

def topk(x: Float[A, "n d"], gate: Float[A, "d e"], W: Float[A, "e d d"]) -> Float[A, "n d"]:
    idx = np.argmax(x @ gate, axis=-1)
    y = np.zeros_like(x)
    for e in range(gate.shape[1]):
        sel = idx == e
        y[sel] = x[sel] @ W[e]
    return y

def pos(n: int, d: int) -> Float[A, "n d"]:
    pe = np.zeros((n, d))
    for p in range(n):
        for i in range(0, d, 2):
            pe[p, i] = np.sin(p / 10000 ** (i / d))
            if i + 1 < d:
                pe[p, i + 1] = np.cos(p / 10000 ** (i / d))
    return pe

def mask(n: int) -> Float[A, "n n"]:
    m = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if j > i:
                m[i, j] = -np.inf
    return m
