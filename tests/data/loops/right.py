"""Loops over sizes, as people write them: each is right for every count."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray as A

def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def heads_append(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "n h*v"]:
    heads = []
    for i in range(q.shape[0]):
        heads.append(softmax(q[i] @ k[i].T / np.sqrt(q.shape[-1])) @ v[i])
    return np.concatenate(heads, axis=-1)

def heads_comp(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "n h*v"]:
    return np.concatenate([softmax(a @ b.T) @ c for a, b, c in zip(q, k, v)], axis=-1)

def heads_comp_name(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "h n v"]:
    outs = [softmax(q[i] @ k[i].T) @ v[i] for i in range(len(q))]
    return np.stack(outs)

def preallocated(q: Float[A, "h n k"], k: Float[A, "h m k"], v: Float[A, "h m v"]) -> Float[A, "h n v"]:
    h, n, _ = q.shape
    out = np.zeros((h, n, v.shape[-1]))
    for i in range(h):
        out[i] = softmax(q[i] @ k[i].T) @ v[i]
    return out

def columns(x: Float[A, "n h*d"], w: Float[A, "h d d"]) -> Float[A, "n h*d"]:
    h, d, _ = w.shape
    out = np.zeros_like(x)
    for i in range(h):
        out[:, i * d:(i + 1) * d] = x[:, i * d:(i + 1) * d] @ w[i]
    return out

def layers(x: Float[A, "n d"], w: Float[A, "layers d d"]) -> Float[A, "n d"]:
    for layer in range(w.shape[0]):
        x = x + np.tanh(x @ w[layer])
    return x

def recurrence(x: Float[A, "n d"], w: Float[A, "d d"]) -> Float[A, "n d"]:
    state = np.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        state = np.tanh(state @ w + x[t])
        out.append(state)
    return np.stack(out)

def total(x: Float[A, "h n d"], w: Float[A, "h d e"]) -> Float[A, "n e"]:
    return sum(x[i] @ w[i] for i in range(x.shape[0]))

def acc_none(x: Float[A, "h n d"]) -> Float[A, "n d"]:
    acc = None
    for i, y in enumerate(x):
        acc = y if acc is None else acc + y
    return acc

def nested(q: Float[A, "n d"], k: Float[A, "m d"]) -> Float[A, "n m"]:
    s = np.zeros((len(q), len(k)))
    for i in range(len(q)):
        for j in range(len(k)):
            s[i, j] = q[i] @ k[j]
    return s

def chunks(q: Float[A, "n d"], c: int) -> Float[A, "n d"]:
    out = np.zeros_like(q)
    for s in range(0, q.shape[0], 16):
        out[s:s + 16] = q[s:s + 16] * 2
    return out


class Block:
    def __init__(self, h: int, d: int):
        self.h = h
        self.scale = d ** -0.5

    def one(self, q: Float[A, "n d"], k: Float[A, "m d"]) -> Float[A, "n m"]:
        return softmax(q @ k.T * self.scale)

    def __call__(self, q: Float[A, "{self.h} n d"], k: Float[A, "{self.h} m d"]) -> Float[A, "{self.h} n m"]:
        return np.stack([self.one(q[i], k[i]) for i in range(self.h)])


def with_memory(x: Float[A, "n d"], keys: Float[A, "m d"]) -> Float[A, "n d"]:
    memory = np.zeros((keys.shape[1], keys.shape[1]))
    out = np.empty_like(x)
    for t, row in enumerate(x):
        if t > 0:
            memory += np.outer(row, x[t - 1])
        out[t] = row @ memory
    return out


def pairs(x: Float[A, "b n d"]) -> Float[A, "b n n"]:
    out = []
    for y in x:
        rows = []
        for i in range(y.shape[0]):
            rows.append(y[i] @ y.T)
        out.append(np.stack(rows))
    return np.stack(out)


def causal(q: Float[A, "n d"], k: Float[A, "n d"], v: Float[A, "n e"]) -> Float[A, "n e"]:
    out = np.zeros((q.shape[0], v.shape[1]))
    for i in range(q.shape[0]):
        w = softmax(k[: i + 1] @ q[i])
        out[i] = w @ v[: i + 1]
    return out


def blocks(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m e"]) -> Float[A, "n e"]:
    total = np.zeros((q.shape[0], v.shape[1]))
    weight = np.zeros((q.shape[0], 1))
    for start in range(0, len(k), 32):
        e = np.exp(q @ k[start : start + 32].T)
        total = total + e @ v[start : start + 32]
        weight = weight + e.sum(-1, keepdims=True)
    return total / weight


def residual(x: Float[A, "n d"], w1: Float[A, "layers d f"], w2: Float[A, "layers f d"]) -> Float[A, "n d"]:
    for a, b in zip(w1, w2):
        x = x + np.maximum(x @ a, 0) @ b
    return x
