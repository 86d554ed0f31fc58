"""What people write beside attention, one function an operation: each is proved for every size."""

import math

import numpy as np
from einops import einsum, rearrange, reduce, repeat
from jaxtyping import Bool, Float, Float32, Int
from scipy.special import logsumexp
from scipy.special import softmax as ssoftmax

A = np.ndarray


def f_matmul(a: Float[A, "n k"], b: Float[A, "k m"]) -> Float[A, "n m"]:
    return np.matmul(a, b)


def f_dot(a: Float[A, "n k"], b: Float[A, "k m"]) -> Float[A, "n m"]:
    return np.dot(a, b)


def f_dot3(a: Float[A, "b n k"], b: Float[A, "c k m"]) -> Float[A, "b n c m"]:
    return np.dot(a, b)


def f_einsum_impl(a: Float[A, "n k"], b: Float[A, "k m"]) -> Float[A, "n m"]:
    return np.einsum("ab,bc", a, b)


def f_einsum_ell(a: Float[A, "b h n k"], b: Float[A, "b h m k"]) -> Float[A, "b h n m"]:
    return np.einsum("...nk,...mk->...nm", a, b)


def f_einsum_rep(a: Float[A, "n n"]) -> Float[A, "n"]:
    return np.einsum("ii->i", a)


def f_einsum_tr(a: Float[A, "n n"]) -> Float[A, ""]:
    return np.einsum("ii", a)


def f_einsum_list(a: Float[A, "n k"], b: Float[A, "k m"]) -> Float[A, "n m"]:
    return np.einsum(a, [0, 1], b, [1, 2], [0, 2])


def f_einsum_opt(a: Float[A, "n k"], b: Float[A, "k m"], c: Float[A, "m p"]) -> Float[A, "n p"]:
    return np.einsum("nk,km,mp->np", a, b, c, optimize=True)


def f_tensordot(a: Float[A, "b n k"], b: Float[A, "k n m"]) -> Float[A, "b m"]:
    return np.tensordot(a, b, axes=([2, 1], [0, 1]))


def f_inner(a: Float[A, "n k"], b: Float[A, "m k"]) -> Float[A, "n m"]:
    return np.inner(a, b)


def f_outer(a: Float[A, "n"], b: Float[A, "m"]) -> Float[A, "n m"]:
    return np.outer(a, b)


def f_vdot(a: Float[A, "n"], b: Float[A, "n"]) -> Float[A, ""]:
    return np.vdot(a, b)


def f_kron(a: Float[A, "n m"], b: Float[A, "p q"]) -> Float[A, "n*p m*q"]:
    return np.kron(a, b)


def f_reshape(a: Float[A, "n h d"]) -> Float[A, "n h*d"]:
    return a.reshape(a.shape[0], -1)


def f_reshape2(a: Float[A, "n h d"]) -> Float[A, "n h*d"]:
    return np.reshape(a, (len(a), -1))


def f_moveaxis(a: Float[A, "n h d"]) -> Float[A, "h d n"]:
    return np.moveaxis(a, 0, -1)


def f_moveaxis2(a: Float[A, "n h d e"]) -> Float[A, "d e n h"]:
    return np.moveaxis(a, (2, 3), (0, 1))


def f_rollaxis(a: Float[A, "n h d"]) -> Float[A, "d n h"]:
    return np.rollaxis(a, 2)


def f_expand(a: Float[A, "n d"]) -> Float[A, "1 n 1 d"]:
    return np.expand_dims(a, (0, 2))


def f_squeeze(a: Float[A, "n 1 d"]) -> Float[A, "n d"]:
    return a.squeeze(1)


def f_ravel(a: Float[A, "n d"]) -> Float[A, "n*d"]:
    return a.ravel()


def f_flatten(a: Float[A, "n d"]) -> Float[A, "n*d"]:
    return a.flatten()


def f_bto(a: Float[A, "d"], b: Float[A, "n d"]) -> Float[A, "n d"]:
    return np.broadcast_to(a, b.shape)


def f_barr(a: Float[A, "n 1"], b: Float[A, "1 d"]) -> Float[A, "n d"]:
    x, y = np.broadcast_arrays(a, b)
    return x + y


def f_concat(a: Float[A, "n d"], b: Float[A, "m d"]) -> Float[A, "n+m d"]:
    return np.concatenate((a, b))


def f_stack(a: Float[A, "n d"], b: Float[A, "n d"]) -> Float[A, "n d 2"]:
    return np.stack((a, b), axis=-1)


def f_vstack(a: Float[A, "n d"], b: Float[A, "m d"]) -> Float[A, "n+m d"]:
    return np.vstack((a, b))


def f_hstack(a: Float[A, "n d"], b: Float[A, "n e"]) -> Float[A, "n d+e"]:
    return np.hstack((a, b))


def f_dstack(a: Float[A, "n d"], b: Float[A, "n d"]) -> Float[A, "n d 2"]:
    return np.dstack((a, b))


def f_block(a: Float[A, "n d"], b: Float[A, "n e"]) -> Float[A, "n d+e"]:
    return np.block([[a, b]])


def f_cstack(a: Float[A, "n"], b: Float[A, "n"]) -> Float[A, "n 2"]:
    return np.column_stack((a, b))


def f_append(a: Float[A, "n d"], b: Float[A, "m d"]) -> Float[A, "n+m d"]:
    return np.append(a, b, axis=0)


def f_split(a: Float[A, "n 3*d"]) -> tuple[Float[A, "n d"], Float[A, "n d"], Float[A, "n d"]]:
    q, k, v = np.split(a, 3, axis=-1)
    return q, k, v


def f_split2(a: Float[A, "n d"], k: int) -> Float[A, "n {k}"]:
    # verifier: given k <= d
    x, y = np.split(a, [k], axis=1)
    return x


def f_asplit(a: Float[A, "n d"]) -> Float[A, "n (d+1)//2"]:
    return np.array_split(a, 2, axis=1)[0]


def f_tile(a: Float[A, "n d"], k: int) -> Float[A, "n {k}*d"]:
    return np.tile(a, (1, k))


def f_repeat(a: Float[A, "n d"], k: int) -> Float[A, "n*{k} d"]:
    return np.repeat(a, k, axis=0)


def f_pad(a: Float[A, "n d"]) -> Float[A, "n+1 d"]:
    return np.pad(a, ((1, 0), (0, 0)))


def f_roll(a: Float[A, "n d"]) -> Float[A, "n d"]:
    return np.roll(a, 1, axis=0)


def f_flip(a: Float[A, "n d"]) -> Float[A, "n d"]:
    return np.flip(a, axis=0) + a[::-1] + np.flipud(a) + np.fliplr(a)


def f_rot90(a: Float[A, "n d"]) -> Float[A, "d n"]:
    return np.rot90(a)


def f_ufuncs(a: Float[A, "n d"], b: Float[A, "d"]) -> Float[A, "n d"]:
    x = (
        np.tanh(a)
        + np.exp(a)
        - np.log1p(a) * np.sqrt(b)
        + np.maximum(a, 0)
        + np.minimum(a, b)
        + np.square(a)
        + np.sign(a)
    )
    x = (
        x
        + np.expm1(b)
        + np.logaddexp(a, b)
        + np.hypot(a, b)
        + np.arctan2(a, b)
        + np.cbrt(a)
        + np.reciprocal(b)
        + np.floor(a)
        + np.mod(a, b)
    )
    return (
        x
        + np.power(a, 2)
        + np.fabs(a)
        + np.isnan(a)
        + np.isfinite(a)
        + np.logical_and(a, b)
        + np.sinh(a)
        + np.rint(a)
        + np.heaviside(a, b)
        + np.copysign(a, b)
        + np.float_power(a, b)
        + np.trunc(a)
        + np.where(np.isinf(a), 0.0, a)
        + np.nan_to_num(a)
    )


def f_red(a: Float[A, "b n d"]) -> Float[A, "b 1 1"]:
    return (
        a.mean(axis=(1, 2), keepdims=True)
        + np.var(a, axis=(1, 2), keepdims=True)
        + np.std(a, axis=(-1, -2), keepdims=True)
        + np.max(a, (1, 2), keepdims=True)
    )


def f_red2(a: Float[A, "b n d"]) -> Float[A, "b"]:
    return (
        np.prod(a, axis=(1, 2))
        + np.any(a, axis=(1, 2))
        + np.ptp(a, axis=(1, 2))
        + np.nansum(a, axis=(1, 2))
        + np.median(a, axis=(1, 2))
        + np.amax(a, axis=(1, 2))
        + np.count_nonzero(a, axis=(1, 2))
        + np.linalg.norm(a, axis=(1, 2))
        + np.average(a, axis=(1, 2))
        + np.quantile(a, 0.5, axis=(1, 2))
    )


def f_argmax(a: Float[A, "n d"]) -> Int[A, "n"]:
    return a.argmax(-1)


def f_argmax2(a: Float[A, "n d"]) -> Int[A, "n 1"]:
    return np.argmax(a, axis=-1, keepdims=True)


def f_cumsum(a: Float[A, "n d"]) -> Float[A, "n d"]:
    return np.cumsum(a, axis=0) + np.cumprod(a, axis=1) + np.maximum.accumulate(a, axis=0)


def f_sort(a: Float[A, "n d"]) -> Int[A, "n d"]:
    return np.argsort(np.sort(a, axis=-1), axis=-1)


def f_argpart(a: Float[A, "n d"], k: int) -> Int[A, "n {k}"]:
    # verifier: given k < d
    return np.argpartition(a, k, axis=-1)[:, :k]


def f_where(a: Float[A, "n d"]) -> Float[A, "n d"]:
    return np.where(a > 0, a, 0.01 * a)


def f_clip(a: Float[A, "n d"]) -> Float[A, "n d"]:
    return np.clip(a, -1, 1) + a.clip(0) + a.clip(max=2)


def f_tri(a: Float[A, "n n"]) -> Float[A, "n n"]:
    return np.triu(a, 1) + np.tril(a) + np.eye(len(a)) + np.identity(len(a)) + np.tri(len(a))


def f_diag(a: Float[A, "n"]) -> Float[A, "n n"]:
    return np.diag(a)


def f_diag2(a: Float[A, "n n"]) -> Float[A, "n"]:
    return np.diag(a) + np.diagonal(a)


def f_trace(a: Float[A, "n n"]) -> Float[A, ""]:
    return np.trace(a)


def f_lin(n: int) -> Float[A, "{n}"]:
    return np.linspace(0, 1, n)


def f_mesh(a: Float[A, "n"], b: Float[A, "m"]) -> Float[A, "m n"]:
    x, y = np.meshgrid(a, b)
    return x * y


def f_mesh2(a: Float[A, "n"], b: Float[A, "m"]) -> Float[A, "n m"]:
    x, y = np.meshgrid(a, b, indexing="ij")
    return x * y


def f_likes(a: Float[A, "n d"]) -> Float[A, "n d"]:
    return np.zeros_like(a) + np.ones_like(a) + np.full_like(a, 2) + np.empty_like(a)


def f_arange(n: int) -> Int[A, "{n}"]:
    return np.arange(0, 2 * n, 2)


def f_full(n: int, m: int) -> Float[A, "{n} {m}"]:
    return np.full((n, m), -np.inf)


def f_clamp(a: Float[A, "s d"], n: int) -> Float[A, "min({n},s) d"]:
    return a[:n]


def f_boolmask(a: Float[A, "n d"], m: Bool[A, "n"]) -> Float[A, "_ d"]:
    return a[m]


def f_nonzero(m: Bool[A, "n"]) -> Int[A, "_"]:
    return np.nonzero(m)[0]


def f_take(t: Float[A, "v d"], i: Int[A, "b n"]) -> Float[A, "b n d"]:
    return np.take(t, i, axis=0) + t[i]


def f_taa(x: Float[A, "n v"], i: Int[A, "n"]) -> Float[A, "n"]:
    return np.take_along_axis(x, i[:, None], axis=1)[:, 0]


def f_fancy(x: Float[A, "n v"], i: Int[A, "n"]) -> Float[A, "n"]:
    return x[np.arange(len(x)), i]


def f_putalong(x: Float[A, "n v"], i: Int[A, "n 1"]) -> Float[A, "n v"]:
    y = np.zeros_like(x)
    np.put_along_axis(y, i, 1.0, axis=1)
    return y


def f_onehot(i: Int[A, "n"], v: int) -> Float[A, "n {v}"]:
    return np.eye(v)[i]


def f_setitem(x: Float[A, "n d"]) -> Float[A, "n d"]:
    y = np.zeros_like(x)
    y[:, 0::2] = x[:, 0::2]
    y[:, 1::2] += x[:, 1::2]
    y *= 2
    y[x > 0] = 0
    return y


def f_astype(x: Float[A, "n d"]) -> Float32[A, "n d"]:
    return x.astype(np.float32)


def f_promo(x: Int[A, "n"], y: Float32[A, "n"]) -> Float[A, "n"]:
    return x / 2 + y


def f_norm(x: Float[A, "n d"]) -> Float[A, "n d"]:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def f_inv(x: Float[A, "n n"], b: Float[A, "n k"]) -> Float[A, "n k"]:
    return np.linalg.inv(x) @ b + np.linalg.solve(x, b)


def f_svd(x: Float[A, "n d"]) -> Float[A, "n d"]:
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    return (u * s) @ vt


def f_qr(x: Float[A, "n d"]) -> Float[A, "n d"]:
    q, r = np.linalg.qr(x)
    return q @ r


def f_linalg(x: Float[A, "n n"]) -> Float[A, "n n"]:
    w, v = np.linalg.eigh(x)
    return v * w + np.linalg.cholesky(x) + np.linalg.pinv(x) + np.linalg.det(x) + np.linalg.matrix_power(x, 2)


def f_rng(n: int, d: int) -> Float[A, "{n} {d}"]:
    rng = np.random.default_rng(0)
    return (
        rng.normal(size=(n, d))
        + rng.standard_normal((n, d))
        + rng.uniform(0, 1, size=(n, d))
        + rng.random((n, d))
        + np.random.randn(n, d)
        + np.random.rand(n, d)
    )


def f_drop(x: Float[A, "n d"], p: float) -> Float[A, "n d"]:
    rng = np.random.default_rng()
    return x * (rng.random(x.shape) > p) / (1 - p)


def f_perm(x: Float[A, "n d"]) -> Float[A, "n d"]:
    return x[np.random.default_rng(0).permutation(len(x))]


def f_ein1(x: Float[A, "b n h*d"], h: int) -> Float[A, "b {h} n _"]:
    return rearrange(x, "b n (h d) -> b h n d", h=h)


def f_ein2(x: Float[A, "b h n d"]) -> Float[A, "b n h*d"]:
    return rearrange(x, "b h n d -> b n (h d)")


def f_ein3(x: Float[A, "b n d"]) -> Float[A, "b d"]:
    return reduce(x, "b n d -> b d", "mean")


def f_ein4(x: Float[A, "b d"], n: int) -> Float[A, "b {n} d"]:
    return repeat(x, "b d -> b n d", n=n)


def f_ein5(q: Float[A, "b n d"], k: Float[A, "b m d"]) -> Float[A, "b n m"]:
    return einsum(q, k, "b n d, b m d -> b n m")


def f_ein6(x: Float[A, "b n 3*h*d"], h: int) -> Float[A, "b {h} n _"]:
    q, k, v = rearrange(x, "b n (t h d) -> t b h n d", t=3, h=h)
    return q + k + v


def f_sp(x: Float[A, "n d"]) -> Float[A, "n d"]:
    return ssoftmax(x, axis=-1) + logsumexp(x, axis=-1, keepdims=True)


def f_arith(q: Float[A, "n d"]) -> Float[A, "n d"]:
    d = q.shape[-1]
    return (
        q / d**0.5
        + q / np.sqrt(d)
        + q / math.sqrt(d)
        + q / float(d)
        + q * d**-0.5
        + q * (1.0 / d)
        + q * math.log(d + 1)
    )


def f_minmax(x: Float[A, "n d"], y: Float[A, "m d"]) -> Float[A, "min(n,m) d"]:
    k = min(len(x), len(y))
    return x[:k] + y[:k]


def f_maxpad(x: Float[A, "n d"], y: Float[A, "m d"]) -> Float[A, "max(n,m) d"]:
    k = max(len(x), len(y))
    return np.pad(x, ((0, k - len(x)), (0, 0))) + np.pad(y, ((0, k - len(y)), (0, 0)))


def f_divmod(x: Float[A, "n d"], h: int) -> Float[A, "n {h} _"]:
    q, r = divmod(x.shape[1], h)
    if r:
        raise ValueError("no")
    return x.reshape(-1, h, q)
