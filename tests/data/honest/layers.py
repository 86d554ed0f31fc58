"""What stands around attention, right in every way: nothing here may be reported."""

import numpy as np
from jaxtyping import Bool, Float, Int

A = np.ndarray


def layer_norm(x: Float[A, "*b d"], gain: Float[A, "d"], bias: Float[A, "d"]) -> Float[A, "*b d"]:
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(var + 1e-5) + bias


def rms_norm(x: Float[A, "b n d"], gain: Float[A, "d"]) -> Float[A, "b n d"]:
    return gain * x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + 1e-6)


def batch_norm(x: Float[A, "b d"], gain: Float[A, "d"], bias: Float[A, "d"]) -> Float[A, "b d"]:
    return gain * (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5) + bias


def group_norm(x: Float[A, "b c h w"], gain: Float[A, "c"], groups: int) -> Float[A, "b c h w"]:
    b, c, h, w = x.shape
    assert c % groups == 0
    x = x.reshape(b, groups, c // groups, h, w)
    x = (x - x.mean((2, 3, 4), keepdims=True)) / np.sqrt(x.var((2, 3, 4), keepdims=True) + 1e-5)
    return x.reshape(b, c, h, w) * gain[:, None, None]


def feed_forward(x: Float[A, "*b d"], up: Float[A, "d f"], down: Float[A, "f d"]) -> Float[A, "*b d"]:
    return np.maximum(x @ up, 0) @ down


def gated(x: Float[A, "n d"], W: Float[A, "d 2*f"], down: Float[A, "f d"]) -> Float[A, "n d"]:
    a, g = np.split(x @ W, 2, axis=-1)
    return (a / (1 + np.exp(-g))) @ down


def embeddings(ids: Int[A, "b n"], table: Float[A, "vocab d"], positions: Float[A, "max_len d"]) -> Float[A, "b n d"]:
    n = ids.shape[1]
    assert n <= positions.shape[0]
    return table[ids] + positions[:n]


def sinusoids(n: int, d: int) -> Float[A, "{n} {d}"]:
    angle = np.arange(n)[:, None] / 10000 ** (2 * (np.arange(d) // 2) / d)
    out = np.empty((n, d))
    out[:, 0::2] = np.sin(angle[:, 0::2])
    out[:, 1::2] = np.cos(angle[:, 1::2])
    return out


def sequence_first(ids: Int[A, "n b"], table: Float[A, "v d"], positions: Float[A, "m d"]) -> Float[A, "n b d"]:
    # verifier: given n <= m
    return table[ids] + positions[np.arange(ids.shape[0])][:, None, :]


def last_token(x: Float[A, "b n d"], lengths: Int[A, "b"]) -> Float[A, "b d"]:
    return x[np.arange(x.shape[0]), lengths - 1]


def masked_mean(x: Float[A, "b n d"], keep: Bool[A, "b n"]) -> Float[A, "b d"]:
    weights = keep[..., None].astype(x.dtype)
    return (x * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)


def cosine(x: Float[A, "n d"], y: Float[A, "m d"]) -> Float[A, "n m"]:
    x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    y = y / np.linalg.norm(y, axis=-1, keepdims=True)
    return x @ y.T


def contrastive(x: Float[A, "b d"], y: Float[A, "b d"]) -> Float[A, ""]:
    logits = x @ y.T
    log_p = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return -np.mean(np.diag(log_p))


def cross_entropy(logits: Float[A, "b n v"], targets: Int[A, "b n"]) -> Float[A, ""]:
    shifted = logits - logits.max(-1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    picked = np.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0]
    return -picked.mean()


def sinkhorn(x: Float[A, "n m"]) -> Float[A, "n m"]:
    p = np.exp(x)
    for _ in range(3):
        p = p / p.sum(axis=0, keepdims=True)
        p = p / p.sum(axis=1, keepdims=True)
    return p


def pairwise(x: Float[A, "n d"]) -> Float[A, "n n"]:
    return np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1))


def gram_pairwise(x: Float[A, "n d"]) -> Float[A, "n n"]:
    squares = (x**2).sum(1)
    return squares[:, None] + squares - 2 * x @ x.T


def symmetric(a: Float[A, "n n"]) -> Float[A, "n n"]:
    return (a + a.T) / 2


def degree_normalised(a: Float[A, "n n"]) -> Float[A, "n n"]:
    d = a.sum(axis=1)
    return a / np.sqrt(d[:, None] * d[None, :])


def differences(x: Float[A, "n d"]) -> Float[A, "n d"]:
    return x - x[:1]


def centred(x: Float[A, "n d"]) -> Float[A, "n d"]:
    return x - x.mean(axis=0)


def router(x: Float[A, "t d"], gate: Float[A, "d e"], experts: Float[A, "e d f"]) -> Float[A, "t f"]:
    s = x @ gate
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    return np.einsum("te,tef->tf", p, np.einsum("td,edf->tef", x, experts))


def patches(image: Float[A, "h w c"], p: int) -> Float[A, "_ _"]:
    h, w, c = image.shape
    assert h % p == 0 and w % p == 0
    x = image.reshape(h // p, p, w // p, p, c).transpose(0, 2, 1, 3, 4)
    return x.reshape((h // p) * (w // p), p * p * c)


def flatten_and_back(x: Float[A, "b n d"], W: Float[A, "d e"]) -> Float[A, "b n e"]:
    b, n, d = x.shape
    return (x.reshape(b * n, d) @ W).reshape(b, n, -1)


def beams(x: Float[A, "b n d"], k: int) -> Float[A, "b*{k} n d"]:
    return np.repeat(x, k, axis=0)


def tied_tiles(x: Float[A, "b n d"], k: int) -> Float[A, "{k}*b n d"]:
    return np.tile(x, (k, 1, 1))


def residual(x: Float[A, "b n d"], y: Float[A, "b n d"]) -> Float[A, "b n d"]:
    x = x + y
    x += y
    return x


def broadcast_bias(scores: Float[A, "b h n m"], bias: Float[A, "#b #h n m"]) -> Float[A, "b h n m"]:
    return scores + bias


def mixture(p: Float[A, "b k"], means: Float[A, "k d"]) -> Float[A, "b d"]:
    w = np.exp(p) / np.exp(p).sum(-1, keepdims=True)
    return w @ means


def distillation(p: Float[A, "b n v"], keep: Bool[A, "b n"]) -> Float[A, "b v"]:
    p = np.exp(p) / np.exp(p).sum(-1, keepdims=True)
    return (p * keep[..., None]).sum(1) / keep.sum(1)[:, None]
