"""Flax NNX modules: the sizes of their constructors are symbols, and so are the parameters made from them.

What begins with `b_` has a mistake; the comment `# here` stands on its line.
"""

import jax
import jax.numpy as jnp
from flax import nnx
from jaxtyping import Array, Bool, Float, Int


class Head(nnx.Module):
    def __init__(self, width: int, size: int, *, rngs: nnx.Rngs):
        self.query = nnx.Linear(width, size, use_bias=False, rngs=rngs)
        self.key = nnx.Linear(width, size, use_bias=False, rngs=rngs)
        self.value = nnx.Linear(width, size, rngs=rngs)
        self.width = width
        self.size = size

    def __call__(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.size}"]:
        q, k, v = self.query(x), self.key(x), self.value(x)
        weights = nnx.softmax(q @ k.T / jnp.sqrt(self.size), axis=-1)
        return weights @ v

    def batched(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.size}"]:
        q, k, v = self.query(x), self.key(x), self.value(x)
        weights = nnx.softmax(jnp.einsum("bnd,bmd->bnm", q, k), axis=-1)
        return jnp.einsum("bnm,bmd->bnd", weights, v)

    def b_transposed(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.size}"]:
        q, k, v = self.query(x), self.key(x), self.value(x)
        return nnx.softmax(q.T @ k) @ v  # here

    def b_wrong_input(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.size}"]:
        return self.value(self.query(x))  # here

    def b_softmax_over_queries(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.size}"]:
        q, k, v = self.query(x), self.key(x), self.value(x)
        return nnx.softmax(q @ k.T, axis=0) @ v  # here

    def b_annotation(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        return self.query(x)  # here


class Block(nnx.Module):
    def __init__(self, heads: int, size: int, hidden: int, *, rngs: nnx.Rngs):
        self.width = heads * size
        self.attention = nnx.MultiHeadAttention(
            num_heads=heads, in_features=heads * size, decode=False, dropout_rate=0.1, deterministic=False, rngs=rngs
        )
        self.first = nnx.LayerNorm(self.width, rngs=rngs)
        self.second = nnx.RMSNorm(self.width, rngs=rngs)
        self.up = nnx.Linear(self.width, hidden, rngs=rngs)
        self.down = nnx.Linear(hidden, self.width, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)

    def __call__(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.width}"]:
        mask = nnx.make_causal_mask(x[..., 0])
        x = x + self.attention(self.first(x), mask=mask)
        y = self.down(nnx.gelu(self.up(self.second(x))))
        return x + self.dropout(y)

    def b_residual(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.width}"]:
        return x + self.up(self.second(x))  # here

    def b_mask(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.width}"]:
        mask = jnp.tril(jnp.ones((self.width, self.width), bool))
        return self.attention(x, mask=mask[None, None])  # here


class Embedder(nnx.Module):
    def __init__(self, vocab: int, length: int, width: int, *, rngs: nnx.Rngs):
        self.tokens = nnx.Embed(vocab, width, rngs=rngs)
        self.positions = nnx.Embed(length, width, rngs=rngs)
        self.vocab, self.length, self.width = vocab, length, width

    def __call__(self, ids: Int[Array, "b n"]) -> Float[Array, "b n {self.width}"]:
        return self.tokens(ids) + self.positions(jnp.arange(ids.shape[1]))

    def logits(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.vocab}"]:
        return self.tokens.attend(x)

    def b_positions(self, ids: Int[Array, "b n"]) -> Float[Array, "b n {self.width}"]:
        return self.tokens(ids) + self.positions.embedding[...]  # here

    def b_logits(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.vocab}"]:
        return x @ self.tokens.embedding  # here


class Weights(nnx.Module):
    """Parameters by hand."""

    def __init__(self, width: int, heads: int, size: int, *, rngs: nnx.Rngs):
        self.w = nnx.Param(rngs.params.normal((width, heads, size)))
        self.b = nnx.Param(jnp.zeros((heads, size)))
        self.scale = nnx.Param(nnx.initializers.ones(rngs.params(), (size,), jnp.float32))
        self.count = nnx.Variable(jnp.zeros((), jnp.int32))
        self.width, self.heads, self.size = width, heads, size

    def __call__(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.heads} {self.size}"]:
        self.count[...] += 1
        return (jnp.einsum("nw,whs->nhs", x, self.w[...]) + self.b) * self.scale

    def by_value(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.heads} {self.size}"]:
        return jnp.tensordot(x, self.w.value, 1) + self.b.value

    def b_einsum(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.heads} {self.size}"]:
        return jnp.einsum("nw,hws->nhs", x, self.w[...])  # here

    def b_bias(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.heads} {self.size}"]:
        return jnp.einsum("nw,whs->nhs", x, self.w[...]) + self.b.T  # here


class General(nnx.Module):
    def __init__(self, width: int, heads: int, size: int, *, rngs: nnx.Rngs):
        self.split = nnx.LinearGeneral(width, (heads, size), rngs=rngs)
        self.join = nnx.LinearGeneral((heads, size), width, axis=(-2, -1), rngs=rngs)
        self.mixed = nnx.Einsum("nhs,hsw->nw", (heads, size, width), (width,), rngs=rngs)
        self.width = width
        self.heads = heads
        self.size = size

    def __call__(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.width}"]:
        return self.join(self.split(x))

    def heads_of(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.heads} {self.size}"]:
        return self.split(x)

    def einsum(self, x: Float[Array, "n {self.heads} {self.size}"]) -> Float[Array, "n {self.width}"]:
        return self.mixed(x)

    def b_swapped(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.width}"]:
        return self.join(self.split(x).swapaxes(-1, -2))  # here

    def b_einsum(self, x: Float[Array, "n {self.size} {self.heads}"]) -> Float[Array, "n {self.width}"]:
        return self.mixed(x)  # here


class Normed(nnx.Module):
    def __init__(self, groups: int, size: int, *, rngs: nnx.Rngs):
        self.channels = groups * size
        self.batch = nnx.BatchNorm(self.channels, rngs=rngs)
        self.group = nnx.GroupNorm(self.channels, num_groups=groups, rngs=rngs)
        self.layer = nnx.LayerNorm(self.channels, rngs=rngs)

    def __call__(self, x: Float[Array, "b n {self.channels}"]) -> Float[Array, "b n {self.channels}"]:
        return self.group(self.batch(self.layer(x)))

    def statistics(self, x: Float[Array, "b {self.channels}"]) -> Float[Array, "{self.channels}"]:
        self.batch(x, use_running_average=False)
        return self.batch.mean[...]

    def b_channels_first(self, x: Float[Array, "b {self.channels} n"]) -> Float[Array, "b {self.channels} n"]:
        return self.layer(x)  # here

    def b_batch(self, x: Float[Array, "b {self.channels} n"]) -> Float[Array, "b {self.channels} n"]:
        return self.batch(x)  # here


class Convolved(nnx.Module):
    def __init__(self, inner: int, outer: int, *, rngs: nnx.Rngs):
        self.conv = nnx.Conv(inner, outer, kernel_size=(3,), padding="SAME", rngs=rngs)
        self.patches = nnx.Conv(inner, outer, kernel_size=(4, 4), strides=(4, 4), padding="VALID", rngs=rngs)
        self.inner, self.outer = inner, outer

    def __call__(self, x: Float[Array, "b n {self.inner}"]) -> Float[Array, "b n {self.outer}"]:
        return self.conv(x)

    def patch(self, x: Float[Array, "b 4*h 4*w {self.inner}"]) -> Float[Array, "b h*w {self.outer}"]:
        y = self.patches(x)
        return y.reshape(y.shape[0], -1, y.shape[-1])

    def b_channels_first(self, x: Float[Array, "b {self.inner} n"]) -> Float[Array, "b {self.outer} n"]:
        return self.conv(x)  # here
