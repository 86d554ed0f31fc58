"""Reshapes, splits and merges that move every element where it belongs: nothing here may be reported."""

import numpy as np
from jaxtyping import Bool, Float, Int

A = np.ndarray


def softmax(x: Float[A, "*b n"], axis: int = -1) -> Float[A, "*b n"]:
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def patchify(x: Float[A, "b gh*p gw*q c"], gh: int, gw: int) -> Float[A, "b {gh}*{gw} p*q*c"]:
    b, height, width, c = x.shape
    p, q = height // gh, width // gw
    x = x.reshape(b, gh, p, gw, q, c).transpose(0, 1, 3, 2, 4, 5)
    return x.reshape(b, gh * gw, p * q * c)


def patchify_channels_first(x: Float[A, "b c h w"], p: int) -> Float[A, "b _ _"]:
    # verifier: given h % p == 0
    # verifier: given w % p == 0
    b, c, h, w = x.shape
    x = x.reshape(b, c, h // p, p, w // p, p).transpose(0, 2, 4, 3, 5, 1)
    return x.reshape(b, (h // p) * (w // p), p * p * c)


def unpatchify(x: Float[A, "b gh*gw p*p*c"], gh: int, gw: int, p: int) -> Float[A, "b c {gh}*p {gw}*p"]:
    b = x.shape[0]
    x = x.reshape(b, gh, gw, p, p, -1)
    return np.einsum("bhwpqc->bchpwq", x).reshape(b, -1, gh * p, gw * p)


def window_partition(x: Float[A, "b h w c"], s: int) -> Float[A, "_ {s} {s} c"]:
    # verifier: given h % s == 0
    # verifier: given w % s == 0
    b, h, w, c = x.shape
    return x.reshape(b, h // s, s, w // s, s, c).transpose(0, 1, 3, 2, 4, 5).reshape(-1, s, s, c)


def window_round_trip(x: Float[A, "b h w c"], s: int) -> Float[A, "b h w c"]:
    # verifier: given h % s == 0
    # verifier: given w % s == 0
    b, h, w, c = x.shape
    windows = x.reshape(b, h // s, s, w // s, s, c).transpose(0, 1, 3, 2, 4, 5).reshape(-1, s * s, c)
    weights = softmax(windows @ windows.transpose(0, 2, 1))
    windows = (weights @ windows).reshape(b, h // s, w // s, s, s, c)
    return x + windows.transpose(0, 1, 3, 2, 4, 5).reshape(b, h, w, c)


def window_reverse(x: Float[A, "b*gh*gw s s c"], gh: int, gw: int) -> Float[A, "b {gh}*s {gw}*s c"]:
    _, s, _, c = x.shape
    return x.reshape(-1, gh, gw, s, s, c).transpose(0, 1, 3, 2, 4, 5).reshape(-1, gh * s, gw * s, c)


def space_to_depth(x: Float[A, "b h*r w*r c"], r: int) -> Float[A, "b h w r*r*c"]:
    b, height, width, c = x.shape
    x = x.reshape(b, height // r, r, width // r, r, c).transpose(0, 1, 3, 2, 4, 5)
    return x.reshape(b, height // r, width // r, r * r * c)


def pixel_shuffle(x: Float[A, "b c*r*r h w"], r: int) -> Float[A, "b c h*r w*r"]:
    b, _, h, w = x.shape
    x = x.reshape(b, -1, r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
    return x.reshape(b, -1, h * r, w * r)


def patch_merging(x: Float[A, "b 2*h 2*w c"], W: Float[A, "4*c 2*c"]) -> Float[A, "b h*w 2*c"]:
    b, height, width, c = x.shape
    parts = [x[:, i::2, j::2] for j in (0, 1) for i in (0, 1)]
    return np.concatenate(parts, axis=-1).reshape(b, -1, 4 * c) @ W


def batch_and_heads_merged(q: Float[A, "b h n d"], k: Float[A, "b h m d"], v: Float[A, "b h m e"]) -> Float[A, "b n h*e"]:
    b, h, n, d = q.shape
    m, e = v.shape[2:]
    q, k, v = q.reshape(b * h, n, d), k.reshape(b * h, m, d), v.reshape(b * h, m, e)
    out = softmax(q @ k.transpose(0, 2, 1)) @ v
    return out.reshape(b, h, n, e).transpose(0, 2, 1, 3).reshape(b, n, h * e)


def heads_first_rows(x: Float[A, "n b h*d"], h: int) -> Float[A, "b*{h} n d"]:
    n, b, width = x.shape
    return x.reshape(n, b * h, width // h).transpose(1, 0, 2)


def rows_of_tokens(x: Float[A, "b h n d"]) -> Float[A, "b*n h*d"]:
    b, h, n, d = x.shape
    return x.transpose(0, 2, 1, 3).reshape(b * n, h * d)


def packed_heads_first(x: Float[A, "n d"], W: Float[A, "d h*3*k"], h: int) -> Float[A, "{h} n n"]:
    qkv = (x @ W).reshape(x.shape[0], h, 3, -1)
    q, k = qkv[:, :, 0], qkv[:, :, 1]
    return softmax(np.einsum("nhk,mhk->hnm", q, k))


def packed_heads_first_chunked(x: Float[A, "n d"], W: Float[A, "d h*3*k"], h: int) -> Float[A, "{h} n n"]:
    n = x.shape[0]
    qkv = (x @ W).reshape(n, h, -1)
    q, k, _ = np.split(qkv, 3, axis=-1)
    return softmax(np.einsum("nhk,mhk->hnm", q, k))


def packed_kinds_first(x: Float[A, "n d"], W: Float[A, "d 3*h*k"], h: int) -> Float[A, "n h*k"]:
    n = x.shape[0]
    q, k, v = ((part).reshape(n, h, -1) for part in np.split(x @ W, 3, axis=-1))
    return np.einsum("hnm,mhk->nhk", softmax(np.einsum("nhk,mhk->hnm", q, k)), v).reshape(n, -1)


def packed_width(x: Float[A, "b n d"], W: Float[A, "d d*3"], h: int) -> Float[A, "b {h} n n"]:
    # verifier: given d % h == 0
    b, n, d = x.shape
    qkv = (x @ W).reshape(b, n, h, 3, d // h).transpose(3, 0, 2, 1, 4)
    return softmax(qkv[0] @ qkv[1].swapaxes(-1, -2))


def packed_groups(x: Float[A, "n d"], W: Float[A, "d g*r*k+2*g*k"], g: int, r: int, k: int) -> Float[A, "{g}*{r} n n"]:
    n = x.shape[0]
    q, key, _ = np.split(x @ W, [g * r * k, g * r * k + g * k], axis=-1)
    q, key = q.reshape(n, g, r, k), key.reshape(n, g, k)
    return softmax(np.einsum("ngrk,mgk->grnm", q, key).reshape(g * r, n, n))


def groups_packed_together(x: Float[A, "n d"], W: Float[A, "d {g}*({r}+2)*{k}"], g: int, r: int, k: int) -> Float[A, "{g}*{r} n n"]:
    n = x.shape[0]
    qkv = (x @ W).reshape(n, g, r + 2, k)
    q, key = qkv[:, :, :r], qkv[:, :, r]
    q = q.reshape(n, g * r, k)
    key = np.repeat(key, r, axis=1)
    return softmax(np.einsum("nhk,mhk->hnm", q, key))


def repeated_heads(q: Float[A, "b g*r n d"], k: Float[A, "b g m d"]) -> Float[A, "b g*r n m"]:
    return softmax(q @ np.repeat(k, q.shape[1] // k.shape[1], axis=1).swapaxes(-1, -2))


def heads_picked(q: Float[A, "b g*r n d"], k: Float[A, "b g m d"]) -> Float[A, "b g*r n m"]:
    h, g = q.shape[1], k.shape[1]
    return softmax(q @ k[:, np.arange(h) // (h // g)].swapaxes(-1, -2))


def heads_expanded(q: Float[A, "b g*r n d"], k: Float[A, "b g m d"]) -> Float[A, "b g*r n m"]:
    b, g, m, d = k.shape
    h = q.shape[1]
    k = np.broadcast_to(k[:, :, None], (b, g, h // g, m, d)).reshape(b, h, m, d)
    return softmax(q @ k.swapaxes(-1, -2))


def group_last_heads(q: Float[A, "b r*g n d"], k: Float[A, "b g m d"]) -> Float[A, "b r*g n m"]:
    return softmax(q @ np.tile(k, (1, q.shape[1] // k.shape[1], 1, 1)).swapaxes(-1, -2))


def frames_and_places(x: Float[A, "b n d"], space: Float[A, "s d"], time: Float[A, "t d"]) -> Float[A, "b n d"]:
    # verifier: given n == t * s
    return x + np.tile(space, (time.shape[0], 1)) + np.repeat(time, space.shape[0], axis=0)


def periodic_positions(x: Float[A, "n d"], table: Float[A, "m d"]) -> Float[A, "n d"]:
    return x + table[np.arange(x.shape[0]) % table.shape[0]]


def ring_buffer(cache: Float[A, "w d"], new: Float[A, "w d"], start: int) -> Float[A, "w d"]:
    w = cache.shape[0]
    places = (np.arange(w) + start) % w
    return new + cache[places]


def ring_attention(q: Float[A, "n d"], cache: Float[A, "w d"], n_seen: int) -> Float[A, "n d"]:
    w = cache.shape[0]
    keys = cache[(np.arange(w) + n_seen) % w]
    return softmax(q @ keys.T) @ keys


def chunked_attention(q: Float[A, "b n d"], k: Float[A, "b n d"], v: Float[A, "b n d"], c: int) -> Float[A, "b n d"]:
    # verifier: given n % c == 0
    b, n, d = q.shape
    q, k, v = (a.reshape(b, n // c, c, d) for a in (q, k, v))
    return (softmax(q @ k.swapaxes(-1, -2)) @ v).reshape(b, n, d)


def neighbouring_chunks(q: Float[A, "n d"], k: Float[A, "n d"], c: int) -> Float[A, "_ {c} _"]:
    # verifier: given n % c == 0
    n, d = q.shape
    q, k = q.reshape(n // c, c, d), k.reshape(n // c, c, d)
    before = np.concatenate([np.zeros_like(k[:1]), k[:-1]], axis=0)
    return softmax(q @ np.concatenate([before, k], axis=1).swapaxes(1, 2))


def dilated(x: Float[A, "b n d"], r: int) -> Float[A, "b n d"]:
    # verifier: given n % r == 0
    b, n, d = x.shape
    y = x.reshape(b, n // r, r, d).transpose(0, 2, 1, 3).reshape(b * r, n // r, d)
    y = softmax(y @ y.swapaxes(1, 2)) @ y
    return y.reshape(b, r, n // r, d).transpose(0, 2, 1, 3).reshape(b, n, d)


def axial(x: Float[A, "b h w d"]) -> Float[A, "b h w d"]:
    b, h, w, d = x.shape
    rows = x.reshape(b * h, w, d)
    rows = (softmax(rows @ rows.swapaxes(1, 2)) @ rows).reshape(b, h, w, d)
    columns = x.transpose(0, 2, 1, 3).reshape(b * w, h, d)
    columns = (softmax(columns @ columns.swapaxes(1, 2)) @ columns).reshape(b, w, h, d).transpose(0, 2, 1, 3)
    return rows + columns


def im2col(x: Float[A, "b h w c"], kernel: Float[A, "3 3 c o"]) -> Float[A, "b h w o"]:
    b, h, w, c = x.shape
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    columns = np.stack([padded[:, i : i + h, j : j + w] for i in range(3) for j in range(3)], axis=3)
    return (columns.reshape(b * h * w, 9 * c) @ kernel.reshape(9 * c, -1)).reshape(b, h, w, -1)


def stem(x: Float[A, "b gh*p gw*p c"], kernel: Float[A, "p p c d"]) -> Float[A, "b gh*gw d"]:
    p, _, c, d = kernel.shape
    b, height, width, _ = x.shape
    x = x.reshape(b, height // p, p, width // p, p, c).transpose(0, 1, 3, 2, 4, 5)
    return x.reshape(b, (height // p) * (width // p), p * p * c) @ kernel.reshape(p * p * c, d)


def channel_shuffle(x: Float[A, "b c h w"], g: int) -> Float[A, "b c h w"]:
    # verifier: given c % g == 0
    b, c, h, w = x.shape
    return x.reshape(b, g, c // g, h, w).swapaxes(1, 2).reshape(b, c, h, w)


def group_norm_of_tokens(x: Float[A, "b n c"], g: int) -> Float[A, "b n c"]:
    # verifier: given c % g == 0
    b, n, c = x.shape
    y = x.reshape(b, n, g, c // g)
    y = (y - y.mean(axis=(1, 3), keepdims=True)) / np.sqrt(y.var(axis=(1, 3), keepdims=True) + 1e-5)
    return y.reshape(b, n, c)


def relative_shift(s: Float[A, "h n m"]) -> Float[A, "h n m"]:
    h, n, m = s.shape
    padded = np.concatenate([np.zeros((h, n, 1)), s], axis=-1)
    return padded.reshape(h, m + 1, n)[:, 1:].reshape(h, n, m)


def skewed(s: Float[A, "b c w"]) -> Float[A, "b w c+1"]:
    b, c, w = s.shape
    return np.pad(s, ((0, 0), (0, 1), (0, 0))).reshape(b, w, c + 1)


def interleaved_gate(x: Float[A, "n d"], W: Float[A, "d f*2"]) -> Float[A, "n f"]:
    y = (x @ W).reshape(x.shape[0], -1, 2)
    return y[..., 0] * np.tanh(y[..., 1])


def beams_regrouped(scores: Float[A, "b*k v"], k: int) -> Float[A, "b {k}*v"]:
    return scores.reshape(-1, k * scores.shape[1])


def frames_stacked(x: Float[A, "b t f"], k: int) -> Float[A, "b _ {k}*f"]:
    # verifier: given t % k == 0
    b, t, f = x.shape
    return x.reshape(b, t // k, k * f)


def temporal_attention(x: Float[A, "b t s d"]) -> Float[A, "b t s d"]:
    b, t, s, d = x.shape
    y = x.transpose(0, 2, 1, 3).reshape(b * s, t, d)
    y = softmax(y @ y.swapaxes(1, 2)) @ y
    return y.reshape(b, s, t, d).transpose(0, 2, 1, 3)


def siamese(z: Float[A, "2*b d"]) -> Float[A, "b b"]:
    first, second = np.split(z, 2, axis=0)
    return softmax(first @ second.T)


def siamese_pairs(z: Float[A, "n 2*d"]) -> Float[A, "_ _"]:
    # verifier: given n % 2 == 0
    first, second = np.split(z, 2, axis=0)
    return softmax(first @ second.T)


def triplets(z: Float[A, "n d"]) -> Float[A, "_"]:
    # verifier: given n % 3 == 0
    anchor, positive, negative = np.split(z, 3, axis=0)
    return (anchor * positive).sum(-1) - (anchor * negative).sum(-1)


def channel_attention(x: Float[A, "n d"], W: Float[A, "d 3*d"]) -> Float[A, "n d"]:
    q, k, v = np.split(x @ W, 3, axis=-1)
    return (softmax(q.T @ k / np.sqrt(x.shape[0])) @ v.T).T


def labels_of_masks(x: Float[A, "b n d"], keep: Bool[A, "b n"], ids: Int[A, "b n"]) -> Float[A, "b*n d"]:
    b, n, d = x.shape
    return (x * keep[:, :, None]).reshape(-1, d) + ids.reshape(b * n, 1)
