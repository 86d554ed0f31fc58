"""A newcomer's transformer block in Flax NNX, of sixty lines, and eight copies of its parts with a mistake each."""

import jax
import jax.numpy as jnp
from flax import nnx
from jaxtyping import Array, Bool, Float, Int


class CausalSelfAttention(nnx.Module):
    def __init__(self, heads: int, head_dim: int, *, rngs: nnx.Rngs):
        self.heads, self.head_dim, self.width = heads, head_dim, heads * head_dim
        self.qkv = nnx.Linear(self.width, 3 * self.width, use_bias=False, rngs=rngs)
        self.out = nnx.Linear(self.width, self.width, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)

    def __call__(self, x: Float[Array, "b n {self.width}"], pad: Bool[Array, "b n"]) -> Float[Array, "b n {self.width}"]:
        b, n, _ = x.shape
        q, k, v = jnp.split(self.qkv(x), 3, axis=-1)
        q = q.reshape(b, n, self.heads, self.head_dim)
        k = k.reshape(b, n, self.heads, self.head_dim)
        v = v.reshape(b, n, self.heads, self.head_dim)
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(self.head_dim)
        causal = jnp.tril(jnp.ones((n, n), bool))
        scores = jnp.where(causal & pad[:, None, None, :], scores, -1e9)
        weights = self.dropout(nnx.softmax(scores, axis=-1))
        y = jnp.einsum("bhqk,bkhd->bqhd", weights, v)
        return self.out(y.reshape(b, n, -1))

    def b_split(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.width}"]:
        b, n, _ = x.shape
        q, k, v = jnp.split(self.qkv(x), 3, axis=1)  # here
        scores = jnp.einsum("bqd,bkd->bqk", q, k)
        return jnp.einsum("bqk,bkd->bqd", nnx.softmax(scores), v)

    def b_heads(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.heads} {self.head_dim}"]:
        b, n, _ = x.shape
        q, _, _ = jnp.split(self.qkv(x), 3, axis=-1)
        return q.reshape(b, n, self.head_dim, self.heads)  # here

    def b_heads_into_tokens(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.width}"]:
        b, n, _ = x.shape
        q, k, v = jnp.split(self.qkv(x), 3, axis=-1)
        q = q.reshape(b, self.heads, n, self.head_dim)  # here
        k = k.reshape(b, self.heads, n, self.head_dim)
        v = v.reshape(b, self.heads, n, self.head_dim)
        weights = nnx.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k))
        y = jnp.einsum("bhqk,bhkd->bqhd", weights, v)
        return self.out(y.reshape(b, n, -1))

    def b_pad(self, scores: Float[Array, "b h n n"], pad: Bool[Array, "b n"]) -> Float[Array, "b h n n"]:
        return jnp.where(pad[:, None, :], scores, -1e9)  # here

    def b_axis(self, q: Float[Array, "b n h d"], k: Float[Array, "b n h d"]) -> Float[Array, "b n h d"]:
        weights = nnx.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k), axis=-2)
        return jnp.einsum("bhqk,bkhd->bqhd", weights, k)  # here


class Block(nnx.Module):
    def __init__(self, heads: int, head_dim: int, vocab: int, length: int, *, rngs: nnx.Rngs):
        self.width = heads * head_dim
        self.tokens = nnx.Embed(vocab, self.width, rngs=rngs)
        self.positions = nnx.Param(jax.random.normal(rngs.params(), (length, self.width)) * 0.02)
        self.attention = CausalSelfAttention(heads, head_dim, rngs=rngs)
        self.norms = nnx.List([nnx.LayerNorm(self.width, rngs=rngs) for _ in range(2)])
        self.up = nnx.Linear(self.width, 4 * self.width, rngs=rngs)
        self.down = nnx.Linear(4 * self.width, self.width, rngs=rngs)
        self.vocab, self.length = vocab, length

    def __call__(self, ids: Int[Array, "b {self.length}"]) -> Float[Array, "b {self.length} {self.vocab}"]:
        x = self.tokens(ids) + self.positions
        x = x + self.attention(self.norms[0](x), ids > 0)
        x = x + self.down(nnx.gelu(self.up(self.norms[1](x))))
        return self.tokens.attend(x)

    def b_positions(self, ids: Int[Array, "b n"]) -> Float[Array, "b n {self.width}"]:
        return self.tokens(ids) + self.positions  # here

    def b_mlp(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.width}"]:
        return x + self.up(nnx.gelu(self.down(x)))  # here

    def b_logits(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.vocab}"]:
        return x @ self.tokens.embedding[...]  # here
