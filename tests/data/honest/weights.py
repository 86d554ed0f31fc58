"""Weights that are summed over another axis than the one they were normalised over, on purpose."""

import numpy as np
from jaxtyping import Float
A = np.ndarray
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

def talking(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "g m e"], P: Float[A, "h g"]) -> Float[A, "g n e"]:
    w = softmax(q @ k.swapaxes(-1, -2))
    return np.einsum("hnm,hg->gnm", w, P) @ v
def talking_pre(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "g m e"], P: Float[A, "h g"], R: Float[A, "g h"]) -> Float[A, "g n e"]:
    s = np.einsum("hnm,gh->gnm", q @ k.swapaxes(-1, -2), R)
    w = softmax(s)
    return np.einsum("gnm,gf->fnm", w, np.ones((v.shape[0], v.shape[0]))) @ v
def backward(q: Float[A, "n d"], k: Float[A, "m d"], g: Float[A, "n e"]) -> Float[A, "m e"]:
    p = softmax(q @ k.T)
    return p.swapaxes(-1, -2) @ g
def backward_all(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m e"], g: Float[A, "n e"]) -> tuple[Float[A, "n d"], Float[A, "m d"], Float[A, "m e"]]:
    p = softmax(q @ k.T)
    dv = p.T @ g
    dp = g @ v.T
    ds = p * (dp - (dp * p).sum(-1, keepdims=True))
    return ds @ k, ds.T @ q, dv
def backward_self(q: Float[A, "n d"], k: Float[A, "n d"], v: Float[A, "n e"], g: Float[A, "n e"]) -> Float[A, "n e"]:
    p = softmax(q @ k.T)
    return p.T @ g
def received(q: Float[A, "n d"], k: Float[A, "m d"]) -> Float[A, "m"]:
    return softmax(q @ k.T).sum(0)
def mean_heads(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "m e"]) -> Float[A, "n e"]:
    return softmax(q @ k.swapaxes(1, 2)).mean(0) @ v
def layers_mixed(w: Float[A, "h n m"], g: Float[A, "h"], v: Float[A, "m e"]) -> Float[A, "n e"]:
    return np.einsum("h,hnm,me->ne", g, softmax(w), v)
def slots(x: Float[A, "n d"], s: Float[A, "k d"]) -> Float[A, "k d"]:
    a = softmax(x @ s.T, axis=-1)
    return (a / a.sum(0, keepdims=True)).T @ x
def dispatch(x: Float[A, "n d"], W: Float[A, "d s"]) -> Float[A, "n d"]:
    l = x @ W
    d = softmax(l, axis=0)
    c = softmax(l, axis=1)
    slots = d.T @ x
    return c @ slots
def soft_assign(x: Float[A, "n d"], c: Float[A, "k d"]) -> Float[A, "k d"]:
    a = softmax(x @ c.T, axis=1)
    return a.T @ x - a.sum(0)[:, None] * c
def linear_attention(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m e"]) -> Float[A, "n e"]:
    return softmax(q, axis=-1) @ (softmax(k, axis=0).T @ v)
def moe(x: Float[A, "n d"], r: Float[A, "d x"], W: Float[A, "x d f"]) -> Float[A, "n f"]:
    g = softmax(x @ r)
    return np.einsum("nx,nd,xdf->nf", g, x, W)
def entropy(q: Float[A, "n d"], k: Float[A, "m d"]) -> Float[A, ""]:
    p = softmax(q @ k.T)
    return -(p * np.log(p)).sum() / p.shape[0]
def gqa_backward(q: Float[A, "g r n d"], k: Float[A, "g m d"], go: Float[A, "g r n e"]) -> Float[A, "g m e"]:
    p = softmax(np.einsum("grnd,gmd->grnm", q, k))
    return np.einsum("grnm,grne->gme", p, go)
