"""Well-known models written in NumPy as their repositories have them, in shape and order: nothing may be reported."""

import math

import numpy as np
from jaxtyping import Bool, Float, Int

A = np.ndarray


def softmax(x: Float[A, "*b n"], axis: int = -1) -> Float[A, "*b n"]:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def layer_norm(x, gain, bias):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * gain + bias


def rms_norm(x, gain):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6) * gain


def vit(
    image: Float[A, "b c gh*p gw*p"],
    kernel: Float[A, "p*p*c d"],
    token: Float[A, "1 1 d"],
    places: Float[A, "1 gh*gw+1 d"],
    W: Float[A, "d 3*h*k"],
    O: Float[A, "h*k d"],
    gain: Float[A, "d"],
    bias: Float[A, "d"],
    gh: int,
    gw: int,
    h: int,
) -> Float[A, "b d"]:
    b, c, height, width = image.shape
    p = height // gh
    x = image.reshape(b, c, gh, p, gw, p).transpose(0, 2, 4, 3, 5, 1).reshape(b, gh * gw, p * p * c) @ kernel
    x = np.concatenate([np.broadcast_to(token, (b, 1, x.shape[-1])), x], axis=1) + places
    y = layer_norm(x, gain, bias)
    q, k, v = (part.reshape(b, gh * gw + 1, h, -1).transpose(0, 2, 1, 3) for part in np.split(y @ W, 3, axis=-1))
    y = softmax(q @ k.swapaxes(-1, -2) * q.shape[-1] ** -0.5) @ v
    x = x + y.transpose(0, 2, 1, 3).reshape(b, gh * gw + 1, -1) @ O
    return layer_norm(x, gain, bias)[:, 0]


def swin_block(
    x: Float[A, "b gh*s gw*s c"],
    W: Float[A, "c 3*c"],
    O: Float[A, "c c"],
    bias: Float[A, "h s*s s*s"],
    gain: Float[A, "c"],
    shift_of: Float[A, "c"],
    gh: int,
    gw: int,
    s: int,
) -> Float[A, "b gh*s gw*s c"]:
    # verifier: given c % h == 0
    b, height, width, c = x.shape
    h = bias.shape[0]
    y = np.roll(layer_norm(x, gain, shift_of), (-(s // 2), -(s // 2)), axis=(1, 2))
    windows = y.reshape(b, gh, s, gw, s, c).transpose(0, 1, 3, 2, 4, 5).reshape(-1, s * s, c)
    q, k, v = (windows @ W).reshape(-1, s * s, 3, h, c // h).transpose(2, 0, 3, 1, 4)
    scores = q * (c // h) ** -0.5 @ k.swapaxes(-2, -1) + bias[None]
    out = (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(-1, s * s, c) @ O
    out = out.reshape(b, gh, gw, s, s, c).transpose(0, 1, 3, 2, 4, 5).reshape(b, height, width, c)
    return x + np.roll(out, (s // 2, s // 2), axis=(1, 2))


def mae_decoder_input(
    kept: Float[A, "b k+1 d"], mask_token: Float[A, "1 1 d"], restore: Int[A, "b n"], places: Float[A, "1 n+1 d"]
) -> Float[A, "b n+1 d"]:
    # verifier: given k <= n
    b, length, d = kept.shape
    n = restore.shape[1]
    tokens = np.broadcast_to(mask_token, (b, n + 1 - length, d))
    x = np.concatenate([kept[:, 1:], tokens], axis=1)
    x = np.take_along_axis(x, np.repeat(restore[:, :, None], d, axis=2), axis=1)
    return np.concatenate([kept[:, :1], x], axis=1) + places


def mae_unpatchify(x: Float[A, "b gh*gw p*p*3"], gh: int, gw: int, p: int) -> Float[A, "b 3 {gh}*{p} {gw}*{p}"]:
    x = x.reshape(x.shape[0], gh, gw, p, p, 3)
    x = np.einsum("nhwpqc->nchpwq", x)
    return x.reshape(x.shape[0], 3, gh * p, gw * p)


def gpt2_block(
    x: Float[A, "b n d"],
    c_attn: Float[A, "d 3*d"],
    b_attn: Float[A, "3*d"],
    c_proj: Float[A, "d d"],
    up: Float[A, "d 4*d"],
    down: Float[A, "4*d d"],
    gain: Float[A, "d"],
    bias: Float[A, "d"],
    n_head: int,
) -> Float[A, "b n d"]:
    # verifier: given d % n_head == 0
    b, n, d = x.shape
    y = layer_norm(x, gain, bias) @ c_attn + b_attn
    q, k, v = (a.reshape(b, n, n_head, d // n_head).transpose(0, 2, 1, 3) for a in np.split(y, 3, axis=2))
    w = q @ k.transpose(0, 1, 3, 2) / (v.shape[-1] ** 0.5)
    keep = np.tril(np.ones((n, n)))
    w = w * keep - 1e10 * (1 - keep)
    a = (softmax(w) @ v).transpose(0, 2, 1, 3).reshape(b, n, d)
    x = x + a @ c_proj
    return x + gelu(layer_norm(x, gain, bias) @ up) @ down


def rotate_half(x):
    half = x.shape[-1] // 2
    return np.concatenate([-x[..., half:], x[..., :half]], axis=-1)


def repeat_kv(x, times):
    b, g, n, d = x.shape
    return np.broadcast_to(x[:, :, None], (b, g, times, n, d)).reshape(b, g * times, n, d)


def llama_attention(
    x: Float[A, "b n d"],
    W_Q: Float[A, "d g*r*k"],
    W_K: Float[A, "d g*k"],
    W_V: Float[A, "d g*k"],
    W_O: Float[A, "g*r*k d"],
    cos: Float[A, "n k"],
    sin: Float[A, "n k"],
    gain: Float[A, "d"],
    g: int,
    r: int,
) -> Float[A, "b n d"]:
    # verifier: given k % 2 == 0
    b, n, _ = x.shape
    y = rms_norm(x, gain)
    q = (y @ W_Q).reshape(b, n, g * r, -1).transpose(0, 2, 1, 3)
    k = (y @ W_K).reshape(b, n, g, -1).transpose(0, 2, 1, 3)
    v = (y @ W_V).reshape(b, n, g, -1).transpose(0, 2, 1, 3)
    q, k = q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
    k, v = repeat_kv(k, r), repeat_kv(v, r)
    scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(q.shape[-1])
    scores = scores + np.triu(np.full((n, n), -np.inf), k=1)
    out = (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(b, n, -1)
    return x + out @ W_O


def t5_attention(
    x: Float[A, "b n d"],
    W_Q: Float[A, "d h*k"],
    W_K: Float[A, "d h*k"],
    W_V: Float[A, "d h*k"],
    W_O: Float[A, "h*k d"],
    buckets: Int[A, "n n"],
    table: Float[A, "buckets h"],
    keep: Bool[A, "b n"],
    h: int,
) -> Float[A, "b n d"]:
    b, n, _ = x.shape
    q, k, v = ((x @ W).reshape(b, n, h, -1).transpose(0, 2, 1, 3) for W in (W_Q, W_K, W_V))
    position_bias = table[buckets].transpose(2, 0, 1)[None]
    scores = q @ k.swapaxes(3, 2) + position_bias + np.where(keep[:, None, None, :], 0.0, -1e9)
    return x + (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(b, n, -1) @ W_O


def perceiver_cross(
    latents: Float[A, "l d"],
    x: Float[A, "b m c"],
    W_Q: Float[A, "d h*k"],
    W_KV: Float[A, "c 2*h*k"],
    W_O: Float[A, "h*k d"],
    h: int,
) -> Float[A, "b l d"]:
    b, m, _ = x.shape
    z = np.repeat(latents[None], b, axis=0)
    q = z @ W_Q
    k, v = np.split(x @ W_KV, 2, axis=-1)
    width = q.shape[-1] // h
    q, k, v = (a.reshape(b, -1, h, width).transpose(0, 2, 1, 3).reshape(b * h, -1, width) for a in (q, k, v))
    weights = softmax(np.einsum("bid,bjd->bij", q, k) * q.shape[-1] ** -0.5)
    out = np.einsum("bij,bjd->bid", weights, v).reshape(b, h, -1, v.shape[-1])
    return z + out.transpose(0, 2, 1, 3).reshape(b, z.shape[1], -1) @ W_O


def longformer_chunks(q: Float[A, "b n d"], k: Float[A, "b n d"], w: int) -> Float[A, "b _ 2*{w} 2*{w}"]:
    # verifier: given n % (2 * w) == 0
    b, n, d = q.shape

    def chunks(x):
        return x.reshape(b, n // (2 * w), 2 * w, d)

    return np.einsum("bcxd,bcyd->bcxy", chunks(q), chunks(k)) / math.sqrt(d)


def longformer_window(q: Float[A, "b n h d"], k: Float[A, "b n h d"], v: Float[A, "b n h d"], w: int) -> Float[A, "b n h d"]:
    # verifier: given n % w == 0
    b, n, h, d = q.shape
    q, k, v = (x.transpose(0, 2, 1, 3).reshape(b * h, n // w, w, d) for x in (q, k, v))

    def with_neighbours(x):
        nothing = np.zeros_like(x[:, :1])
        before, after = np.concatenate([nothing, x[:, :-1]], axis=1), np.concatenate([x[:, 1:], nothing], axis=1)
        return np.concatenate([before, x, after], axis=2)

    weights = softmax(np.einsum("bcxd,bcyd->bcxy", q / math.sqrt(d), with_neighbours(k)))
    out = np.einsum("bcxy,bcyd->bcxd", weights, with_neighbours(v))
    return out.reshape(b, h, n, d).transpose(0, 2, 1, 3)


def mamba_inputs(
    x: Float[A, "b l d"],
    W_in: Float[A, "d 2*e"],
    conv: Float[A, "e 4"],
    W_x: Float[A, "e r+2*s"],
    W_dt: Float[A, "r e"],
    A_log: Float[A, "e s"],
    r: int,
) -> tuple[Float[A, "b l e s"], Float[A, "b l e s"], Float[A, "b l e"]]:
    s = A_log.shape[1]
    y, z = np.split(x @ W_in, 2, axis=-1)
    length = y.shape[1]
    padded = np.pad(y, ((0, 0), (3, 0), (0, 0)))
    y = sum(padded[:, i : i + length] * conv[:, i] for i in range(4))
    y = y / (1 + np.exp(-y))
    delta, B, C = np.split(y @ W_x, [r, r + s], axis=-1)
    delta = np.log1p(np.exp(delta @ W_dt))
    decay = np.exp(np.einsum("bld,dn->bldn", delta, -np.exp(A_log)))
    added = np.einsum("bld,bln,bld->bldn", delta, B, y)
    return decay, added * C[:, :, None], z


def convnext_block(
    x: Float[A, "b h w c"],
    kernel: Float[A, "7 7 c"],
    gain: Float[A, "c"],
    bias: Float[A, "c"],
    up: Float[A, "c 4*c"],
    down: Float[A, "4*c c"],
    gamma: Float[A, "c"],
) -> Float[A, "b h w c"]:
    b, h, w, c = x.shape
    padded = np.pad(x, ((0, 0), (3, 3), (3, 3), (0, 0)))
    y = sum(padded[:, i : i + h, j : j + w] * kernel[i, j] for i in range(7) for j in range(7))
    return x + gamma * (gelu(layer_norm(y, gain, bias) @ up) @ down)


def convnext_downsample(x: Float[A, "b 2*h 2*w c"], kernel: Float[A, "2 2 c d"]) -> Float[A, "b h w d"]:
    b, height, width, c = x.shape
    x = x.reshape(b, height // 2, 2, width // 2, 2, c).transpose(0, 1, 3, 2, 4, 5)
    return x.reshape(b, height // 2, width // 2, 4 * c) @ kernel.reshape(4 * c, -1)


def neox_attention(
    x: Float[A, "b n d"], W: Float[A, "d h*3*k"], bias: Float[A, "h*3*k"], O: Float[A, "h*k d"], h: int
) -> Float[A, "b n d"]:
    b, n, _ = x.shape
    qkv = (x @ W + bias).reshape(b, n, h, -1)
    k_size = qkv.shape[-1] // 3
    q = qkv[..., :k_size].transpose(0, 2, 1, 3)
    k = qkv[..., k_size : 2 * k_size].transpose(0, 2, 1, 3)
    v = qkv[..., 2 * k_size :].transpose(0, 2, 1, 3)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(k_size)
    scores = np.where(np.tril(np.ones((n, n), dtype=bool)), scores, np.finfo(np.float32).min)
    return (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(b, n, -1) @ O


def bert_self_attention(
    x: Float[A, "b n d"], W: Float[A, "3 d d"], bias: Float[A, "3 d"], mask: Float[A, "b n"], h: int
) -> Float[A, "b n d"]:
    # verifier: given d % h == 0
    b, n, d = x.shape

    def heads(i):
        return (x @ W[i] + bias[i]).reshape(b, n, h, d // h).transpose(0, 2, 1, 3)

    scores = heads(0) @ heads(1).swapaxes(-1, -2) / math.sqrt(d // h) + (1.0 - mask[:, None, None, :]) * -10000.0
    return (softmax(scores) @ heads(2)).transpose(0, 2, 1, 3).reshape(b, n, d)


def falcon_attention(
    x: Float[A, "b n d"], W: Float[A, "d g*(r+2)*k"], O: Float[A, "g*r*k d"], g: int, r: int, k: int
) -> Float[A, "b n d"]:
    b, n, _ = x.shape
    fused = (x @ W).reshape(b, n, g, r + 2, k)
    q, key, value = fused[:, :, :, :-2], fused[:, :, :, [-2]], fused[:, :, :, [-1]]
    key, value = np.broadcast_to(key, q.shape), np.broadcast_to(value, q.shape)
    q, key, value = (a.reshape(b, n, g * r, k).transpose(0, 2, 1, 3) for a in (q, key, value))
    out = softmax(q @ key.swapaxes(-1, -2) / math.sqrt(k)) @ value
    return out.transpose(0, 2, 1, 3).reshape(b, n, g * r * k) @ O


def absorbed_latent(
    x: Float[A, "n d"], W_Q: Float[A, "d h*k"], W_DKV: Float[A, "d c"], W_UK: Float[A, "h k c"]
) -> Float[A, "h n n"]:
    n, h = x.shape[0], W_UK.shape[0]
    q = (x @ W_Q).reshape(n, h, -1)
    scale = q.shape[-1] ** -0.5
    absorbed = np.einsum("nhk,hkc->hnc", q, W_UK)
    return softmax(np.einsum("hnc,mc->hnm", absorbed, x @ W_DKV) * scale)


def mu_parametrised(q: Float[A, "b h n d"], k: Float[A, "b h m d"]) -> Float[A, "b h n m"]:
    return softmax(q @ k.swapaxes(-1, -2) / q.shape[-1])


def length_scaled(q: Float[A, "b h n d"], k: Float[A, "b h n d"]) -> Float[A, "b h n n"]:
    n, d = q.shape[-2:]
    return softmax(q @ k.swapaxes(-1, -2) * np.log(n) / np.sqrt(d))


def capped(q: Float[A, "b h n d"], k: Float[A, "b h m d"], width: int) -> Float[A, "b h n m"]:
    scores = q * width**-0.5 @ k.swapaxes(-1, -2)
    return softmax(np.tanh(scores / 50.0) * 50.0)


def cross_covariance(x: Float[A, "b n d"], W: Float[A, "d 3*d"], heat: Float[A, "h 1 1"]) -> Float[A, "b n d"]:
    # verifier: given d % h == 0
    b, n, d = x.shape
    h = heat.shape[0]
    q, k, v = (x @ W).reshape(b, n, 3, h, d // h).transpose(2, 0, 3, 4, 1)
    q = q / np.sqrt((q**2).sum(-1, keepdims=True) + 1e-6)
    k = k / np.sqrt((k**2).sum(-1, keepdims=True) + 1e-6)
    weights = softmax(q @ k.swapaxes(-1, -2) * heat)
    return (weights @ v).transpose(0, 3, 1, 2).reshape(b, n, d)


def channel_groups(x: Float[A, "b n d"], W: Float[A, "d 3*d"], g: int) -> Float[A, "b n d"]:
    # verifier: given d % g == 0
    b, n, d = x.shape
    q, k, v = (x @ W).reshape(b, n, 3, g, d // g).transpose(2, 0, 3, 1, 4)
    weights = softmax((k * (d // g) ** -0.5).swapaxes(-1, -2) @ v)
    return (weights @ q.swapaxes(-1, -2)).swapaxes(-1, -2).transpose(0, 2, 1, 3).reshape(b, n, d)


def adaptive_instance_norm(x: Float[A, "b h w c"], y: Float[A, "b u v c"]) -> Float[A, "b h w c"]:
    z = (x - x.mean(axis=(1, 2), keepdims=True)) / (x.std(axis=(1, 2), keepdims=True) + 1e-5)
    return z * y.std(axis=(1, 2), keepdims=True) + y.mean(axis=(1, 2), keepdims=True)


def standardised_by_training(x: Float[A, "n d"], train: Float[A, "m d"]) -> Float[A, "n d"]:
    return (x - train.mean(axis=0)) / (train.std(axis=0) + 1e-8)


def pair_norm(x: Float[A, "n d"]) -> Float[A, "n d"]:
    x = x - x.mean(axis=0, keepdims=True)
    return x / np.sqrt((x**2).sum(axis=1, keepdims=True) + 1e-6)


def picture_standardised(x: Float[A, "h w c"]) -> Float[A, "h w c"]:
    return (x - x.mean(axis=(0, 1), keepdims=True)) / x.std()


def softmax_of_one_maximum(x: Float[A, "n m"]) -> Float[A, "n m"]:
    e = np.exp(x - x.max())
    return e / e.sum(axis=1, keepdims=True)


def online_softmax(x: Float[A, "n 2*m"], v: Float[A, "2*m d"]) -> Float[A, "n d"]:
    first, second = np.split(x, 2, axis=1)
    one, two = np.split(v, 2, axis=0)
    top = first.max(axis=1, keepdims=True)
    e = np.exp(first - top)
    total, out = e.sum(axis=1, keepdims=True), e @ one
    higher = np.maximum(top, second.max(axis=1, keepdims=True))
    e, shrink = np.exp(second - higher), np.exp(top - higher)
    return (out * shrink + e @ two) / (total * shrink + e.sum(axis=1, keepdims=True))


def differences_by_padding(x: Float[A, "n d"], w: int) -> Float[A, "n+{w} d"]:
    total = np.cumsum(x, axis=0)
    return np.pad(total, ((0, w), (0, 0))) - np.pad(total, ((w, 0), (0, 0)))


def convolution_by_shifts(x: Float[A, "n d"], kernel: Float[A, "3 d"]) -> Float[A, "n d"]:
    nothing = np.zeros_like(x[:1])
    before, after = np.concatenate([nothing, x[:-1]]), np.concatenate([x[1:], nothing])
    return before * kernel[0] + x * kernel[1] + after * kernel[2]


def attention_and_gradients(
    q: Float[A, "h n d"], k: Float[A, "h m d"], v: Float[A, "h m e"], by_out: Float[A, "h n e"]
) -> tuple[Float[A, "h n d"], Float[A, "h m d"], Float[A, "h m e"]]:
    scale = 1 / np.sqrt(q.shape[-1])
    w = softmax(q @ k.swapaxes(1, 2) * scale)
    by_w = by_out @ v.swapaxes(1, 2)
    by_s = w * (by_w - (by_w * w).sum(axis=-1, keepdims=True)) * scale
    return by_s @ k, by_s.swapaxes(1, 2) @ q, w.swapaxes(1, 2) @ by_out


def values_backward(q: Float[A, "n d"], k: Float[A, "m d"], by_out: Float[A, "n e"]) -> Float[A, "m e"]:
    return softmax(q @ k.T).T @ by_out


def flash_backward(
    q: Float[A, "n d"], k: Float[A, "m d"], v: Float[A, "m e"], out: Float[A, "n e"], by_out: Float[A, "n e"]
) -> Float[A, "m d"]:
    w = softmax(q @ k.T)
    delta = (out * by_out).sum(axis=-1, keepdims=True)
    return (w * (by_out @ v.T - delta)).T @ q
