"""NumPy as people write it: `x: np.ndarray`, `NDArray[np.float64]`; what is wrong says so on its line."""

from typing import Optional

import numpy as np
from numpy.typing import NDArray


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    shifted = x - x.max(axis=-1, keepdims=True)
    e = np.exp(shifted)
    return e / e.sum(axis=-1, keepdims=True)


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, mask: Optional[np.ndarray] = None) -> np.ndarray:
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    return softmax(scores) @ v


def split_heads(x: NDArray[np.float64], heads: int) -> NDArray[np.float64]:
    n, d = x.shape
    assert d % heads == 0
    return x.reshape(n, heads, d // heads).transpose(1, 0, 2)


def multi_head(
    x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray, w_o: np.ndarray, heads: int
) -> np.ndarray:
    n, d = x.shape
    assert d % heads == 0
    q = (x @ w_q).reshape(n, heads, d // heads).transpose(1, 0, 2)
    k = (x @ w_k).reshape(n, heads, d // heads).transpose(1, 0, 2)
    v = (x @ w_v).reshape(n, heads, d // heads).transpose(1, 0, 2)
    y = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(d // heads)) @ v
    return y.transpose(1, 0, 2).reshape(n, d) @ w_o


def embed(tokens: NDArray[np.int64], table: np.ndarray) -> np.ndarray:
    return table[tokens]


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray) -> np.ndarray:
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(var + 1e-5) * gain + bias


def symmetric(a: np.ndarray) -> np.ndarray:
    return (a + a.T) / 2


def mixes_heads(x: np.ndarray, heads: int) -> np.ndarray:
    n, d = x.shape
    assert d % heads == 0
    y = x.reshape(n, heads, d // heads).transpose(1, 0, 2)
    return y.reshape(n, d)  # wrong: ATT030


def softmax_over_queries(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    scores = q @ k.T
    weights = np.exp(scores) / np.exp(scores).sum(axis=0, keepdims=True)
    return weights @ v  # wrong: ATT033


def without_keepdims(x: np.ndarray) -> np.ndarray:
    n, d = x.shape
    return x / x.sum(axis=1)  # wrong: ATT035
