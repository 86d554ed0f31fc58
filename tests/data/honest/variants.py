"""Less common layers, right in every way: linear and blocked attention, quantisers, mixtures, pictures over time."""

import math

import numpy as np
from jaxtyping import Bool, Float, Int

A = np.ndarray


def softmax(x: Float[A, "*b n"], axis: int = -1) -> Float[A, "*b n"]:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def log_softmax(x: Float[A, "*b n"]) -> Float[A, "*b n"]:
    top = x.max(axis=-1, keepdims=True)
    return x - top - np.log(np.exp(x - top).sum(axis=-1, keepdims=True))


def tubelets(x: Float[A, "b gt*s c gh*p gw*p"], W: Float[A, "s*p*p*c d"], gt: int, gh: int, gw: int) -> Float[A, "b _ d"]:
    b, frames, c, height, _ = x.shape
    s, p = frames // gt, height // gh
    x = x.reshape(b, gt, s, c, gh, p, gw, p).transpose(0, 1, 4, 6, 2, 5, 7, 3)
    return x.reshape(b, gt * gh * gw, s * p * p * c) @ W


def divided_space_and_time(x: Float[A, "b t*s d"], t: int) -> Float[A, "b t*s d"]:
    b, n, d = x.shape
    s = n // t
    y = x.reshape(b, t, s, d).transpose(0, 2, 1, 3).reshape(b * s, t, d)
    y = softmax(y @ y.swapaxes(1, 2) / math.sqrt(d)) @ y
    x = x + y.reshape(b, s, t, d).transpose(0, 2, 1, 3).reshape(b, n, d)
    z = x.reshape(b * t, s, d)
    z = softmax(z @ z.swapaxes(1, 2) / math.sqrt(d)) @ z
    return x + z.reshape(b, n, d)


def nystrom(q: Float[A, "h n d"], k: Float[A, "h n d"], v: Float[A, "h n e"], m: int) -> Float[A, "h n e"]:
    # verifier: given n % m == 0
    h, n, d = q.shape
    q_marks, k_marks = (x.reshape(h, m, n // m, d).mean(axis=2) for x in (q, k))
    first = softmax(q @ k_marks.swapaxes(1, 2))
    middle = softmax(q_marks @ k_marks.swapaxes(1, 2))
    last = softmax(q_marks @ k.swapaxes(1, 2))
    return first @ (middle @ (last @ v))


def performer(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "h m e"], W: Float[A, "r d"]) -> Float[A, "h n e"]:
    def features(x):
        y = x @ W.T / x.shape[-1] ** 0.25
        return np.exp(y - (x**2).sum(-1, keepdims=True) / 2) / np.sqrt(W.shape[0])

    q, k = features(q), features(k)
    total = q @ k.sum(axis=1)[..., None]
    return q @ (k.swapaxes(1, 2) @ v) / total


def linformer(q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m e"], E: Float[A, "r m"]) -> Float[A, "n e"]:
    return softmax(q @ (E @ k).T / np.sqrt(q.shape[-1])) @ (E @ v)


def blocks_and_neighbours(q: Float[A, "b h n d"], k: Float[A, "b h n d"], v: Float[A, "b h n d"], w: int) -> Float[A, "b h n d"]:
    # verifier: given n % w == 0
    b, h, n, d = q.shape
    q, k, v = (x.reshape(b, h, n // w, w, d) for x in (q, k, v))
    k, v = (np.concatenate([np.roll(x, 1, axis=2), x, np.roll(x, -1, axis=2)], axis=3) for x in (k, v))
    return (softmax(q @ k.swapaxes(-1, -2) / math.sqrt(d)) @ v).reshape(b, h, n, d)


def token_shift(x: Float[A, "b n d"], mix: Float[A, "d"]) -> Float[A, "b n d"]:
    before = np.concatenate([np.zeros_like(x[:, :1]), x[:, :-1]], axis=1)
    return x * mix + before * (1 - mix)


def mixer(x: Float[A, "b n d"], up: Float[A, "n r"], down: Float[A, "r n"]) -> Float[A, "b n d"]:
    y = x.swapaxes(1, 2) @ up
    return x + (np.maximum(y, 0) @ down).swapaxes(1, 2)


def glu_convolution(x: Float[A, "b n d"], W: Float[A, "d 2*f"], kernel: Float[A, "3 f"]) -> Float[A, "b n f"]:
    a, gate = np.split(x @ W, 2, axis=-1)
    y = a / (1 + np.exp(-gate))
    n = y.shape[1]
    padded = np.pad(y, ((0, 0), (1, 1), (0, 0)))
    return sum(padded[:, i : i + n] * kernel[i] for i in range(3))


def product_quantiser(x: Float[A, "b n d"], W: Float[A, "d g*v"], book: Float[A, "g v e"]) -> Float[A, "b n g*e"]:
    b, n, _ = x.shape
    g, v, e = book.shape
    weights = softmax((x @ W).reshape(b * n * g, v)).reshape(b * n, g, v)
    return np.einsum("ngv,gve->nge", weights, book).reshape(b, n, g * e)


def nearest_codes(x: Float[A, "b n d"], book: Float[A, "v d"]) -> Float[A, "b n d"]:
    flat = x.reshape(-1, x.shape[-1])
    distance = (flat**2).sum(1, keepdims=True) - 2 * flat @ book.T + (book**2).sum(1)
    return book[distance.argmin(axis=1)].reshape(x.shape)


def experts(x: Float[A, "b n d"], gate: Float[A, "d e"], up: Float[A, "e d f"], down: Float[A, "e f d"]) -> Float[A, "b n d"]:
    b, n, d = x.shape
    flat = x.reshape(b * n, d)
    weights = softmax(flat @ gate)
    hidden = np.maximum(np.einsum("td,edf->tef", flat, up), 0)
    return np.einsum("te,tef,efd->td", weights, hidden, down).reshape(b, n, d)


def soft_experts(x: Float[A, "n d"], phi: Float[A, "d e s"], up: Float[A, "e d d"]) -> Float[A, "n d"]:
    d, e, s = phi.shape
    logits = x @ phi.reshape(d, e * s)
    dispatch, combine = softmax(logits, axis=0), softmax(logits, axis=1)
    slots = (dispatch.T @ x).reshape(e, s, d) @ up
    return combine @ slots.reshape(e * s, d)


def outer_product_mean(a: Float[A, "s i c"], b: Float[A, "s j c"], W: Float[A, "c*c d"]) -> Float[A, "i j d"]:
    s, i, c = a.shape
    j = b.shape[1]
    return np.einsum("sic,sje->ijce", a, b).reshape(i, j, c * c) / s @ W


def triangle_attention(z: Float[A, "i j c"], W: Float[A, "c 3*h*k"], bias: Float[A, "c h"], h: int) -> Float[A, "i j h*k"]:
    i, j, _ = z.shape
    q, k, v = (x.reshape(i, j, h, -1) for x in np.split(z @ W, 3, axis=-1))
    scores = np.einsum("iqhk,imhk->ihqm", q, k) / math.sqrt(q.shape[-1])
    return np.einsum("ihqm,imhk->iqhk", softmax(scores), v).reshape(i, j, -1)


def cosine_attention(q: Float[A, "b h n d"], k: Float[A, "b h n d"], heat: Float[A, "h 1 1"]) -> Float[A, "b h n n"]:
    q, k = (x / np.sqrt((x**2).sum(-1, keepdims=True) + 1e-12) for x in (q, k))
    return softmax(q @ k.swapaxes(-1, -2) * np.exp(np.minimum(heat, math.log(100.0))))


def relative_table(scores: Float[A, "b h s*s s*s"], table: Float[A, "r h"], index: Int[A, "s*s s*s"]) -> Float[A, "b h s*s s*s"]:
    places = index.shape[0]
    bias = table[index.reshape(-1)].reshape(places, places, -1).transpose(2, 0, 1)
    return softmax(scores + bias)


def beams(log_probs: Float[A, "b*k v"], scores: Float[A, "b k"]) -> Float[A, "b k*v"]:
    b, k = scores.shape
    return (log_probs.reshape(b, k, -1) + scores[:, :, None]).reshape(b, -1)


def batch_norm_of_pictures(x: Float[A, "b h w c"], gain: Float[A, "c"], bias: Float[A, "c"]) -> Float[A, "b h w c"]:
    flat = x.reshape(-1, x.shape[-1])
    mean, variance = flat.mean(axis=0), flat.var(axis=0)
    return (x - mean) / np.sqrt(variance + 1e-5) * gain + bias


def instance_norm(x: Float[A, "b c h w"]) -> Float[A, "b c h w"]:
    return (x - x.mean(axis=(2, 3), keepdims=True)) / np.sqrt(x.var(axis=(2, 3), keepdims=True) + 1e-5)


def weights_standardised(kernel: Float[A, "o c k k"]) -> Float[A, "o c k k"]:
    flat = kernel.reshape(kernel.shape[0], -1)
    flat = (flat - flat.mean(axis=1, keepdims=True)) / (flat.std(axis=1, keepdims=True) + 1e-5)
    return flat.reshape(kernel.shape)


def whole_sequence_norm(x: Float[A, "b n d"], keep: Bool[A, "b n"]) -> Float[A, "b n d"]:
    weight = keep[:, :, None].astype(float)
    count = weight.sum(axis=1, keepdims=True)
    mean = (x * weight).sum(axis=1, keepdims=True) / count
    variance = ((x - mean) ** 2 * weight).sum(axis=1, keepdims=True) / count
    return (x - mean) / np.sqrt(variance + 1e-6)


def advantages(rewards: Float[A, "b g"]) -> Float[A, "b g"]:
    return (rewards - rewards.mean(axis=1, keepdims=True)) / (rewards.std(axis=1, keepdims=True) + 1e-8)


def centred_by_group_scaled_by_all(rewards: Float[A, "b g"]) -> Float[A, "b g"]:
    return (rewards - rewards.mean(axis=1, keepdims=True)) / (rewards.std() + 1e-8)


def kronecker(a: Float[A, "i j"], b: Float[A, "k l"]) -> Float[A, "i*k j*l"]:
    product = np.einsum("ij,kl->ikjl", a, b)
    return product.reshape(a.shape[0] * b.shape[0], a.shape[1] * b.shape[1])


def all_pairs(a: Float[A, "n d"], b: Float[A, "m d"]) -> Float[A, "n*m 2*d"]:
    n, d = a.shape
    m = b.shape[0]
    pairs = np.concatenate(
        [np.broadcast_to(a[:, None], (n, m, d)), np.broadcast_to(b[None], (n, m, d))], axis=-1
    )
    return pairs.reshape(n * m, 2 * d)


def retention_chunks(q: Float[A, "b n d"], k: Float[A, "b n d"], v: Float[A, "b n e"], c: int) -> Float[A, "b n e"]:
    # verifier: given n % c == 0
    b, n, d = q.shape
    q, k, v = (x.reshape(b, n // c, c, x.shape[-1]) for x in (q, k, v))
    inside = (q @ k.swapaxes(-1, -2) * np.tril(np.ones((c, c)))) @ v
    states = np.cumsum(k.swapaxes(-1, -2) @ v, axis=1)
    before = np.concatenate([np.zeros_like(states[:, :1]), states[:, :-1]], axis=1)
    return (inside + q @ before).reshape(b, n, -1)


def heads_talk(q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "h m e"], mix: Float[A, "h h"]) -> Float[A, "h n e"]:
    scores = np.einsum("hnd,hmd->hnm", q, k) / math.sqrt(q.shape[-1])
    scores = np.einsum("hnm,hg->gnm", scores, mix)
    return np.einsum("gnm,gmd->gnd", softmax(scores), v)


def differential(q: Float[A, "b 2*h n d"], k: Float[A, "b 2*h m d"], v: Float[A, "b h m e"], share: float) -> Float[A, "b h n e"]:
    b, double, n, d = q.shape
    w = softmax(q @ k.swapaxes(-1, -2) / math.sqrt(d)).reshape(b, double // 2, 2, n, k.shape[2])
    return (w[:, :, 0] - share * w[:, :, 1]) @ v


def two_way(a: Float[A, "n d"], b: Float[A, "m d"]) -> tuple[Float[A, "n d"], Float[A, "m d"]]:
    scores = a @ b.T
    return softmax(scores, axis=1) @ b, softmax(scores, axis=0).T @ a


def pooled_queries(q: Float[A, "b 2*n d"], k: Float[A, "b m d"], v: Float[A, "b m d"]) -> Float[A, "b n d"]:
    b, length, d = q.shape
    q = q.reshape(b, length // 2, 2, d).max(axis=2)
    return q + softmax(q @ k.swapaxes(1, 2) / math.sqrt(d)) @ v


def hashed_buckets(x: Float[A, "n d"], order: Int[A, "n"], c: int) -> Float[A, "n d"]:
    # verifier: given n % c == 0
    n, d = x.shape
    y = x[order].reshape(n // c, c, d)
    y = (softmax(y @ y.swapaxes(1, 2) / math.sqrt(d)) @ y).reshape(n, d)
    return y[np.argsort(order)]


def interpolated_places(places: Float[A, "s*s d"], s: int, t: int) -> Float[A, "{t}*{t} d"]:
    d = places.shape[1]
    grid = places.reshape(s, s, d)
    rows = np.minimum(np.arange(t) * s // t, s - 1)
    return grid[rows][:, rows].reshape(t * t, d)


def split_merged_batch(x: Float[A, "2*b n d"], scale: float) -> Float[A, "b n d"]:
    conditional, unconditional = np.split(x, 2, axis=0)
    return unconditional + scale * (conditional - unconditional)


def queries_of_halves(x: Float[A, "b n d"], W: Float[A, "d 2*d"]) -> Float[A, "b n d"]:
    # verifier: given n % 2 == 0
    past, recent = np.split(x, 2, axis=1)
    k, v = np.split(past @ W, 2, axis=-1)
    out = softmax(recent @ k.swapaxes(1, 2) / math.sqrt(x.shape[-1])) @ v
    return np.concatenate([past, recent + out], axis=1)


def deep(x: Float[A, "n d"], W: Float[A, "d d"]) -> Float[A, "n d"]:
    """Arrays used twice at every step: readings that walk every way down would not end."""
    for _ in range(24):
        x = x + np.maximum(x @ W, 0)
    for _ in range(30):
        x = x + x * 0.5
    return softmax(x)
