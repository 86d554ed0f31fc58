"""JAX as people write it: each `b_...` has one mistake, the function beside it has none."""

import functools
import math
from typing import NamedTuple, Optional

import jax
import jax.numpy as jnp
from jax import lax, nn, vmap
from jax.nn import softmax
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray


def attention(
    q: Float[Array, "n d_k"], k: Float[Array, "m d_k"], v: Float[Array, "m d_v"]
) -> Float[Array, "n d_v"]:
    weights = softmax(q @ k.T / math.sqrt(q.shape[-1]), axis=-1)
    return weights @ v


def b_attention_transposed(
    q: Float[Array, "n d_k"], k: Float[Array, "m d_k"], v: Float[Array, "m d_v"]
) -> Float[Array, "n d_v"]:
    weights = softmax(k @ q.T / math.sqrt(q.shape[-1]), axis=-1)
    return weights @ v


def b_softmax_over_queries(
    q: Float[Array, "n d_k"], k: Float[Array, "m d_k"], v: Float[Array, "m d_v"]
) -> Float[Array, "n d_v"]:
    weights = softmax(q @ k.T / math.sqrt(q.shape[-1]), axis=0)
    return weights @ v


# -- haiku style: named projections, einsum over heads --------------------------------------------


def haiku_attention(
    query: Float[Array, "*b t d"], key: Float[Array, "*b s d"], value: Float[Array, "*b s d"], w: Float[Array, "d {heads}*k"],
    heads: int,
) -> Float[Array, "*b t {heads}*k"]:
    def project(x):
        y = jnp.dot(x, w)
        *leading, _ = x.shape
        return y.reshape((*leading, heads, w.shape[-1] // heads))

    q, k, v = project(query), project(key), project(value)
    logits = jnp.einsum("...thd,...Thd->...htT", q, k)
    weights = jax.nn.softmax(logits / np_sqrt(q.shape[-1]))
    out = jnp.einsum("...htT,...Thd->...thd", weights, v)
    *leading, _ = query.shape
    return jnp.reshape(out, (*leading, -1))


def np_sqrt(d):
    return jnp.sqrt(d).astype(jnp.float32)


def multi_head(
    x: Float[Array, "b n d"], wq: Float[Array, "d h k"], wk: Float[Array, "d h k"], wv: Float[Array, "d h k"],
    wo: Float[Array, "h k d"],
) -> Float[Array, "b n d"]:
    q = jnp.einsum("bnd,dhk->bhnk", x, wq)
    k = jnp.einsum("bnd,dhk->bhnk", x, wk)
    v = jnp.einsum("bnd,dhk->bhnk", x, wv)
    logits = jnp.einsum("bhnk,bhmk->bhnm", q, k) * k.shape[-1] ** -0.5
    return jnp.einsum("bhnm,bhmk,hkd->bnd", nn.softmax(logits), v, wo)


def b_multi_head_output(
    x: Float[Array, "b n d"], wq: Float[Array, "d h k"], wk: Float[Array, "d h k"], wv: Float[Array, "d h k"],
    wo: Float[Array, "h k d"],
) -> Float[Array, "b n d"]:
    q = jnp.einsum("bnd,dhk->bhnk", x, wq)
    k = jnp.einsum("bnd,dhk->bhnk", x, wk)
    v = jnp.einsum("bnd,dhk->bhnk", x, wv)
    logits = jnp.einsum("bhnk,bhmk->bhnm", q, k)
    return jnp.einsum("bhnm,bhmk,hkd->bhd", nn.softmax(logits), v, wo)


# -- masks ----------------------------------------------------------------------------------------


@jax.jit
def causal(q: Float[Array, "h n d"], k: Float[Array, "h n d"], v: Float[Array, "h n d"]) -> Float[Array, "h n d"]:
    n = q.shape[1]
    mask = jnp.tril(jnp.ones((n, n), dtype=bool))
    logits = q @ k.swapaxes(-1, -2)
    logits = jnp.where(mask, logits, jnp.finfo(logits.dtype).min)
    return jax.nn.softmax(logits, axis=-1) @ v


@jax.jit
def b_causal_future(q: Float[Array, "h n d"], k: Float[Array, "h n d"], v: Float[Array, "h n d"]) -> Float[Array, "h n d"]:
    n = q.shape[1]
    mask = jnp.triu(jnp.ones((n, n), dtype=bool))
    logits = q @ k.swapaxes(-1, -2)
    logits = jnp.where(mask, logits, -1e9)
    return jax.nn.softmax(logits, axis=-1) @ v


def padded(
    q: Float[Array, "b h n d"], k: Float[Array, "b h m d"], v: Float[Array, "b h m d"], lengths: Int[Array, "b"]
) -> Float[Array, "b h n d"]:
    keep = jnp.arange(k.shape[2])[None, :] < lengths[:, None]
    logits = jnp.einsum("bhnd,bhmd->bhnm", q, k)
    logits = jnp.where(keep[:, None, None, :], logits, -1e9)
    return nn.softmax(logits) @ v


def b_padded_queries(
    q: Float[Array, "b h n d"], k: Float[Array, "b h m d"], v: Float[Array, "b h m d"], lengths: Int[Array, "b"]
) -> Float[Array, "b h n d"]:
    keep = jnp.arange(k.shape[2])[None, :] < lengths[:, None]
    logits = jnp.einsum("bhnd,bhmd->bhnm", q, k)
    logits = jnp.where(keep[:, None, :, None], logits, -1e9)
    return nn.softmax(logits) @ v


def b_mask_without_heads(
    q: Float[Array, "b h n d"], k: Float[Array, "b h m d"], mask: Bool[Array, "b n m"]
) -> Float[Array, "b h n m"]:
    logits = jnp.einsum("bhnd,bhmd->bhnm", q, k)
    return nn.softmax(jnp.where(mask, logits, -1e9))


# -- grouped queries ------------------------------------------------------------------------------


# verifier: given h % g == 0
def grouped(
    q: Float[Array, "b n h d"], k: Float[Array, "b m g d"], v: Float[Array, "b m g d"]
) -> Float[Array, "b n h d"]:
    h, g = q.shape[2], k.shape[2]
    k = jnp.repeat(k, h // g, axis=2)
    v = jnp.repeat(v, h // g, axis=2)
    logits = jnp.einsum("bnhd,bmhd->bhnm", q, k) / jnp.sqrt(q.shape[-1])
    return jnp.einsum("bhnm,bmhd->bnhd", jax.nn.softmax(logits, axis=-1), v)


# verifier: given h % g == 0
def b_grouped_tiled(
    q: Float[Array, "b n h d"], k: Float[Array, "b m g d"], v: Float[Array, "b m g d"]
) -> Float[Array, "b n h d"]:
    h, g = q.shape[2], k.shape[2]
    k = jnp.tile(k, (1, 1, h // g, 1))
    v = jnp.tile(v, (1, 1, h // g, 1))
    logits = jnp.einsum("bnhd,bmhd->bhnm", q, k) / jnp.sqrt(q.shape[-1])
    return jnp.einsum("bhnm,bmhd->bnhd", jax.nn.softmax(logits, axis=-1), v)


# verifier: given h % g == 0
def b_grouped_wrong_axis(
    q: Float[Array, "b n h d"], k: Float[Array, "b m g d"], v: Float[Array, "b m g d"]
) -> Float[Array, "b n h d"]:
    h, g = q.shape[2], k.shape[2]
    k = jnp.repeat(k, h // g, axis=1)
    v = jnp.repeat(v, h // g, axis=1)
    logits = jnp.einsum("bnhd,bmhd->bhnm", q, k)
    return jnp.einsum("bhnm,bmhd->bnhd", jax.nn.softmax(logits, axis=-1), v)


# verifier: given h % g == 0
def built_in(
    q: Float[Array, "b n h d"], k: Float[Array, "b m g d"], v: Float[Array, "b m g d"]
) -> Float[Array, "b n h d"]:
    return jax.nn.dot_product_attention(q, k, v, is_causal=False)


def b_built_in_heads_first(
    q: Float[Array, "b h n d"], k: Float[Array, "b h m d"], v: Float[Array, "b h m d"]
) -> Float[Array, "b h n d"]:
    return jax.nn.dot_product_attention(q, k, v)


# -- rotary embeddings ----------------------------------------------------------------------------


# verifier: given d % 2 == 0
def rotary(x: Float[Array, "n h d"]) -> Float[Array, "n h d"]:
    n, _, d = x.shape
    inverse = 1.0 / (10000 ** (jnp.arange(0, d, 2) / d))
    angles = jnp.outer(jnp.arange(n), inverse)
    cos, sin = jnp.cos(angles)[:, None, :], jnp.sin(angles)[:, None, :]
    first, second = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def b_rotary_odd(x: Float[Array, "n h d"]) -> Float[Array, "n h d"]:
    n, _, d = x.shape
    inverse = 1.0 / (10000 ** (jnp.arange(0, d, 2) / d))
    angles = jnp.outer(jnp.arange(n), inverse)
    cos, sin = jnp.cos(angles)[:, None, :], jnp.sin(angles)[:, None, :]
    first, second = x[..., ::2], x[..., 1::2]
    return jnp.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


# verifier: given d % 2 == 0
def b_rotary_heads_as_positions(x: Float[Array, "n h d"]) -> Float[Array, "n h d"]:
    n, _, d = x.shape
    inverse = 1.0 / (10000 ** (jnp.arange(0, d, 2) / d))
    angles = jnp.outer(jnp.arange(n), inverse)
    cos, sin = jnp.cos(angles), jnp.sin(angles)
    first, second = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


# verifier: given d % 2 == 0
def sinusoidal(x: Float[Array, "b n d"]) -> Float[Array, "b n d"]:
    _, n, d = x.shape
    position = jnp.arange(n)[:, None]
    scale = jnp.exp(jnp.arange(0, d, 2) * (-math.log(10000.0) / d))
    table = jnp.zeros((n, d))
    table = table.at[:, 0::2].set(jnp.sin(position * scale))
    table = table.at[:, 1::2].set(jnp.cos(position * scale))
    return x + table


def b_sinusoidal_odd(x: Float[Array, "b n d"]) -> Float[Array, "b n d"]:
    _, n, d = x.shape
    position = jnp.arange(n)[:, None]
    scale = jnp.exp(jnp.arange(0, d, 2) * (-math.log(10000.0) / d))
    table = jnp.zeros((n, d))
    table = table.at[:, 0::2].set(jnp.sin(position * scale))
    table = table.at[:, 1::2].set(jnp.cos(position * scale))
    return x + table


# -- caches ---------------------------------------------------------------------------------------


class Cache(NamedTuple):
    k: Float[Array, "b length h d"]
    v: Float[Array, "b length h d"]


# verifier: given n <= length
def decode(
    q: Float[Array, "b n h d"], k: Float[Array, "b n h d"], v: Float[Array, "b n h d"],
    k_cache: Float[Array, "b length h d"], v_cache: Float[Array, "b length h d"], at: Int[Array, ""],
) -> tuple[Float[Array, "b n h d"], Float[Array, "b length h d"], Float[Array, "b length h d"]]:
    k_cache = lax.dynamic_update_slice(k_cache, k, (0, at, 0, 0))
    v_cache = lax.dynamic_update_slice_in_dim(v_cache, v, at, axis=1)
    logits = jnp.einsum("bnhd,bmhd->bhnm", q, k_cache) * q.shape[-1] ** -0.5
    seen = jnp.arange(k_cache.shape[1])[None, :] <= at + jnp.arange(q.shape[1])[:, None]
    logits = jnp.where(seen, logits, -1e30)
    out = jnp.einsum("bhnm,bmhd->bnhd", nn.softmax(logits, -1), v_cache)
    return out, k_cache, v_cache


# verifier: given n <= length
def b_decode_axis(
    k: Float[Array, "b n h d"], k_cache: Float[Array, "b length h d"], at: Int[Array, ""],
) -> Float[Array, "b length h d"]:
    return lax.dynamic_update_slice(k_cache, k.swapaxes(1, 2), (0, at, 0, 0))


def b_cache_annotated_as_new(
    k: Float[Array, "b n h d"], past: Float[Array, "b p h d"]
) -> Float[Array, "b n h d"]:
    return jnp.concatenate([past, k], axis=1)


def cache_grown(k: Float[Array, "b n h d"], past: Float[Array, "b p h d"]) -> Float[Array, "b p+n h d"]:
    return jnp.concatenate([past, k], axis=1)


# -- vmap -----------------------------------------------------------------------------------------


def by_heads(
    q: Float[Array, "n h d"], k: Float[Array, "m h d"], v: Float[Array, "m h d"]
) -> Float[Array, "n h d"]:
    return vmap(attention_of_one, in_axes=1, out_axes=1)(q, k, v)


def attention_of_one(q, k, v):
    logits = jnp.einsum("nd,md->nm", q, k) / jnp.sqrt(q.shape[-1])
    return softmax(logits, axis=-1) @ v


def b_by_heads_out_axes(
    q: Float[Array, "n h d"], k: Float[Array, "m h d"], v: Float[Array, "m h d"]
) -> Float[Array, "n h d"]:
    return vmap(attention_of_one, in_axes=1)(q, k, v)


def b_by_heads_in_axes(
    q: Float[Array, "n h d"], k: Float[Array, "m h d"], v: Float[Array, "m h d"]
) -> Float[Array, "n h d"]:
    return vmap(attention_of_one, in_axes=0, out_axes=0)(q, k, v)


def b_softmax_over_queries_mapped(
    q: Float[Array, "b n d"], k: Float[Array, "b m d"], v: Float[Array, "b m d"]
) -> Float[Array, "b n d"]:
    def one(q, k, v):
        return jax.nn.softmax(q @ k.T, axis=0) @ v

    return jax.vmap(one)(q, k, v)


@functools.partial(jax.vmap, in_axes=(0, None))
def scores_of(q, k):
    return k @ q


def mapped_over_queries(q: Float[Array, "n d"], k: Float[Array, "m d"]) -> Float[Array, "n m"]:
    return scores_of(q, k)


def b_mapped_over_queries(q: Float[Array, "n d"], k: Float[Array, "m d"]) -> Float[Array, "m n"]:
    return scores_of(q, k)


def batched_layers(
    x: Float[Array, "b n d"], gain: Float[Array, "d"], bias: Float[Array, "d"]
) -> Float[Array, "b n d"]:
    def norm(token):
        centred = token - token.mean()
        return centred * lax.rsqrt(token.var() + 1e-6) * gain + bias

    return jax.vmap(jax.vmap(norm))(x)


# -- norms and feed-forward -----------------------------------------------------------------------


def layer_norm(x: Float[Array, "*b d"], gain: Float[Array, "d"], bias: Float[Array, "d"]) -> Float[Array, "*b d"]:
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * gain + bias


def b_layer_norm_keepdims(x: Float[Array, "n d"], gain: Float[Array, "d"]) -> Float[Array, "n d"]:
    mean = jnp.mean(x, axis=-1)
    variance = jnp.var(x, axis=-1)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * gain


def rms_norm(x: Float[Array, "b n d"], gain: Float[Array, "d"]) -> Float[Array, "b n d"]:
    return x * jax.lax.rsqrt(jnp.mean(jnp.square(x), axis=-1, keepdims=True) + 1e-6) * gain


def b_rms_norm_over_tokens(x: Float[Array, "b n d"], gain: Float[Array, "d"]) -> Float[Array, "b n d"]:
    return x * jax.lax.rsqrt(jnp.mean(jnp.square(x), axis=1, keepdims=True) + 1e-6) * gain


def gated(
    x: Float[Array, "n d"], w_in: Float[Array, "d 2*f"], w_out: Float[Array, "f d"]
) -> Float[Array, "n d"]:
    gate, up = jnp.split(x @ w_in, 2, axis=-1)
    return (jax.nn.silu(gate) * up) @ w_out


def b_gated_width(
    x: Float[Array, "n d"], w_in: Float[Array, "d f"], w_out: Float[Array, "f d"]
) -> Float[Array, "n d"]:
    gate, up = jnp.split(x @ w_in, 2, axis=-1)
    return (jax.nn.silu(gate) * up) @ w_out


# -- loops ----------------------------------------------------------------------------------------


def layers(
    x: Float[Array, "n d"], weights: Float[Array, "layers d d"]
) -> Float[Array, "n d"]:
    def step(carry, w):
        return carry + jnp.tanh(carry @ w), None

    out, _ = lax.scan(step, x, weights)
    return out


def b_layers_carry(
    x: Float[Array, "n d"], weights: Float[Array, "layers d f"]
) -> Float[Array, "n d"]:
    def step(carry, w):
        return jnp.tanh(carry @ w), None

    out, _ = lax.scan(step, x, weights)
    return out


# verifier: given m % c == 0
def chunked(
    q: Float[Array, "n d"], k: Float[Array, "m d"], v: Float[Array, "m d_v"], c: int
) -> Float[Array, "n d_v"]:
    """Attention in chunks of c keys with running maximum and sum."""
    chunks = k.shape[0] // c

    def step(carry, part):
        top, total, out = carry
        k_part, v_part = part
        scores = q @ k_part.T
        new = jnp.maximum(top, scores.max(axis=-1))
        shrink = jnp.exp(top - new)
        powers = jnp.exp(scores - new[:, None])
        return (new, total * shrink + powers.sum(-1), out * shrink[:, None] + powers @ v_part), None

    n = q.shape[0]
    begin = (jnp.full((n,), -jnp.inf), jnp.zeros((n,)), jnp.zeros((n, v.shape[-1])))
    parts = (k.reshape(chunks, c, -1), v.reshape(chunks, c, -1))
    (_, total, out), _ = lax.scan(step, begin, parts)
    return out / total[:, None]


# verifier: given m % c == 0
def b_chunked_shrink(
    q: Float[Array, "n d"], k: Float[Array, "m d"], v: Float[Array, "m d_v"], c: int
) -> Float[Array, "n d_v"]:
    chunks = k.shape[0] // c

    def step(carry, part):
        top, total, out = carry
        k_part, v_part = part
        scores = q @ k_part.T
        new = jnp.maximum(top, scores.max(axis=-1))
        shrink = jnp.exp(top - new)
        powers = jnp.exp(scores - new[:, None])
        return (new, total * shrink + powers.sum(-1), out * shrink + powers @ v_part), None

    n = q.shape[0]
    begin = (jnp.full((n,), -jnp.inf), jnp.zeros((n,)), jnp.zeros((n, v.shape[-1])))
    parts = (k.reshape(chunks, c, -1), v.reshape(chunks, c, -1))
    (_, total, out), _ = lax.scan(step, begin, parts)
    return out / total[:, None]


def recurrent(
    x: Float[Array, "n d"], w: Float[Array, "d e"], u: Float[Array, "e e"]
) -> tuple[Float[Array, "e"], Float[Array, "n e"]]:
    def step(h, token):
        h = jnp.tanh(token @ w + h @ u)
        return h, h

    return lax.scan(step, jnp.zeros(u.shape[0]), x)


def powers(x: Float[Array, "n n"], steps: int) -> Float[Array, "n n"]:
    return lax.fori_loop(0, steps, lambda _, y: y @ x, x)


def b_powers(x: Float[Array, "n m"], steps: int) -> Float[Array, "n m"]:
    return lax.fori_loop(0, steps, lambda _, y: y @ x, x)


def chosen(flag: Bool[Array, ""], x: Float[Array, "n d"]) -> Float[Array, "n d"]:
    return lax.cond(flag, lambda y: y * 2, lambda y: y, x)


def b_chosen(flag: Bool[Array, ""], x: Float[Array, "n d"]) -> Float[Array, "n d"]:
    return lax.cond(flag, lambda y: y.T, lambda y: y, x)


# -- gradients, losses, random numbers ------------------------------------------------------------


def trained(
    w: Float[Array, "d k"], x: Float[Array, "n d"], y: Float[Array, "n k"]
) -> Float[Array, "d k"]:
    def loss(w):
        return jnp.mean((x @ w - y) ** 2)

    return w - 0.1 * jax.grad(loss)(w)


def b_trained_vector_loss(
    w: Float[Array, "d k"], x: Float[Array, "n d"], y: Float[Array, "n k"]
) -> Float[Array, "d k"]:
    def loss(w):
        return jnp.mean((x @ w - y) ** 2, axis=-1)

    return w - 0.1 * jax.grad(loss)(w)


def cross_entropy(logits: Float[Array, "b n vocab"], labels: Int[Array, "b n"]) -> Float[Array, ""]:
    known = jax.nn.one_hot(labels, logits.shape[-1])
    return -jnp.mean(jnp.sum(known * jax.nn.log_softmax(logits), axis=-1))


def gathered(logits: Float[Array, "b n vocab"], labels: Int[Array, "b n"]) -> Float[Array, "b n"]:
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], axis=-1)[..., 0]


def b_loss_column(pred: Float[Array, "b 1"], target: Float[Array, "b"]) -> Float[Array, ""]:
    return jnp.mean((pred - target) ** 2)


def dropped(x: Float[Array, "b n d"], key: PRNGKeyArray, rate: float) -> Float[Array, "b n d"]:
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x / (1 - rate), 0)


def initial(key: PRNGKeyArray, d: int, h: int) -> Float[Array, "d 3*{h}*d"]:
    k1, k2 = jax.random.split(key)
    w = jax.random.normal(k1, (d, 3 * h * d)) * d**-0.5
    return w + 1e-3 * jax.random.uniform(k2, w.shape)


# verifier: given k <= vocab
def sampled(logits: Float[Array, "b vocab"], key: PRNGKeyArray, k: int) -> Int[Array, "b"]:
    values, places = lax.top_k(logits, k)
    pick = jax.random.categorical(key, values)
    return jnp.take_along_axis(places, pick[:, None], axis=-1).squeeze(-1)


def embedded(tokens: Int[Array, "b n"], table: Float[Array, "vocab d"], positions: Float[Array, "n d"]) -> Float[Array, "b n d"]:
    return table[tokens] + positions


def b_embedded_positions(tokens: Int[Array, "b n"], table: Float[Array, "vocab d"], positions: Float[Array, "b d"]) -> Float[Array, "b n d"]:
    return table[tokens] + positions


def patches(image: Float[Array, "b hp*p wp*p c"], p: int) -> Float[Array, "b hp*wp {p}*{p}*c"]:
    b, height, width, c = image.shape
    x = image.reshape(b, height // p, p, width // p, p, c)
    return x.transpose(0, 1, 3, 2, 4, 5).reshape(b, (height // p) * (width // p), p * p * c)


def optional_mask(
    q: Float[Array, "n d"], k: Float[Array, "m d"], mask: Optional[Bool[Array, "n m"]] = None
) -> Float[Array, "n m"]:
    logits = q @ k.T
    if mask is not None:
        logits = jnp.where(mask, logits, -jnp.inf)
    return jax.nn.softmax(logits)


def alibi(scores: Float[Array, "b h n m"]) -> Float[Array, "b h n m"]:
    _, h, n, m = scores.shape
    slopes = 2.0 ** (-8.0 * (jnp.arange(h) + 1) / h)
    distance = jnp.arange(m)[None, :] - jnp.arange(n)[:, None]
    return scores + slopes[:, None, None] * distance


def b_alibi(scores: Float[Array, "b h n m"]) -> Float[Array, "b h n m"]:
    _, h, n, m = scores.shape
    slopes = 2.0 ** (-8.0 * (jnp.arange(h) + 1) / h)
    distance = jnp.arange(m)[None, :] - jnp.arange(n)[:, None]
    return scores + slopes[:, None] * distance


def in_place(x: Float[Array, "n d"]) -> Float[Array, "n d"]:
    return x.at[0].set(0.0).at[:, 0].add(1.0)


def b_in_place(x: Float[Array, "n d"]) -> Float[Array, "n d"]:
    x[0] = 0.0
    return x


# -- right shapes, wrong values -------------------------------------------------------------------


def patches(x: Float[Array, "b gh*p gw*q c"], gh: int, gw: int) -> Float[Array, "b {gh}*{gw} p*q*c"]:
    b, height, width, c = x.shape
    x = x.reshape(b, gh, height // gh, gw, width // gw, c).transpose(0, 1, 3, 2, 4, 5)
    return x.reshape(b, gh * gw, -1)


def b_patches(x: Float[Array, "b gh*p gw*q c"], gh: int, gw: int) -> Float[Array, "b {gh}*{gw} p*q*c"]:
    return x.reshape(x.shape[0], gh * gw, -1)


def grouped(q: Float[Array, "b n g*r d"], k: Float[Array, "b m g d"]) -> Float[Array, "b g*r n m"]:
    k = jnp.repeat(k, q.shape[2] // k.shape[2], axis=2)
    return softmax(jnp.einsum("bnhd,bmhd->bhnm", q, k), axis=-1)


def b_grouped(q: Float[Array, "b n g*r d"], k: Float[Array, "b m g d"]) -> Float[Array, "b g*r n m"]:
    k = jnp.tile(k, (1, 1, q.shape[2] // k.shape[2], 1))
    return softmax(jnp.einsum("bnhd,bmhd->bhnm", q, k), axis=-1)


def split_kinds(x: Float[Array, "n d"], W: Float[Array, "d 3*k"]) -> Float[Array, "n k"]:
    q, k, v = jnp.split(x @ W, 3, axis=1)
    return softmax(q @ k.T, axis=-1) @ v


def b_split_kinds(x: Float[Array, "n d"], W: Float[Array, "d 3*k"]) -> Float[Array, "_ 3*k"]:
    # verifier: given n % 3 == 0
    q, k, v = jnp.split(x @ W, 3, axis=0)
    return softmax(q @ k.T, axis=-1) @ v


def standardised(x: Float[Array, "b n d"]) -> Float[Array, "b n d"]:
    return (x - jnp.mean(x, -1, keepdims=True)) * lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-5)


def b_standardised(x: Float[Array, "b n d"]) -> Float[Array, "b n d"]:
    return (x - jnp.mean(x, -1, keepdims=True)) * lax.rsqrt(jnp.var(x, 1, keepdims=True) + 1e-5)
