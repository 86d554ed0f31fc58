"""Weights that are summed over another axis than the one they were normalised over, by mistake: one finding each."""

import numpy as np
from jaxtyping import Float
A = np.ndarray
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
def b_wrong_axis(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m e"]) -> Float[A, "n e"]:
    return softmax(q @ k.T, axis=0) @ v
def b_wrong_axis_heads(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "h m e"]) -> Float[A, "h n e"]:
    return softmax(q @ k.swapaxes(1, 2), axis=1) @ v
def b_over_heads(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "h m e"]) -> Float[A, "h n e"]:
    return softmax(q @ k.swapaxes(1, 2), axis=0) @ v
def b_self_wrong(q: Float[A, "n d"], k: Float[A, "n d"], v: Float[A, "n e"]) -> Float[A, "n e"]:
    return softmax(q @ k.T, axis=0) @ v
def b_self_t(q: Float[A, "n d"], k: Float[A, "n d"], v: Float[A, "n e"]) -> Float[A, "n e"]:
    return softmax(q @ k.T).T @ v
def b_self_kq(q: Float[A, "n d"], k: Float[A, "n d"], v: Float[A, "n e"]) -> Float[A, "n e"]:
    return softmax(k @ q.T).T @ v
def b_pool(s: Float[A, "b n"], x: Float[A, "b n d"]) -> Float[A, "b d"]:
    return np.einsum("bn,bnd->bd", softmax(s, axis=0), x)
def b_talking_bad(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "g m e"], P: Float[A, "h g"]) -> Float[A, "g n e"]:
    w = softmax(q @ k.swapaxes(-1, -2), axis=1)
    return np.einsum("hnm,hg->gnm", w, P) @ v
def b_moe_bad(x: Float[A, "n d"], r: Float[A, "d x"], W: Float[A, "x d f"]) -> Float[A, "n f"]:
    g = softmax(x @ r, axis=0)
    return np.einsum("nx,nd,xdf->nf", g, x, W)
def b_transposed_twice(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m e"]) -> Float[A, "n e"]:
    return softmax(k @ q.T).T @ v
def b_sum_mul(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m e"]) -> Float[A, "n e"]:
    w = softmax(q @ k.T, axis=0)
    return (w[:, :, None] * v[None]).sum(1)
def b_cascade(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "h m e"], W: Float[A, "h e d"]) -> Float[A, "n d"]:
    w = softmax(q @ k.swapaxes(1, 2), axis=1)
    o = w @ v
    z = np.einsum("hne,hed->nd", o, W)
    return z
def b_cascade2(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m d"], g: Float[A, "n d"]) -> Float[A, "n d"]:
    w = softmax(q @ k.T, axis=0)
    o = w @ v
    o2 = w @ (v * 2)
    return o + o2 + w @ v
