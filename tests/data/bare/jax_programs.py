"""JAX and Equinox as people write them: `x: jax.Array`, `Array`, or nothing at all in `__call__`."""

from typing import Optional

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import Array


class SelfAttention(eqx.Module):
    query: eqx.nn.Linear
    key: eqx.nn.Linear
    value: eqx.nn.Linear
    heads: int

    def __init__(self, dim: int, heads: int, *, key):
        assert dim % heads == 0
        k1, k2, k3 = jax.random.split(key, 3)
        self.query = eqx.nn.Linear(dim, dim, key=k1)
        self.key = eqx.nn.Linear(dim, dim, key=k2)
        self.value = eqx.nn.Linear(dim, dim, key=k3)
        self.heads = heads

    def __call__(self, x: Array) -> Array:
        n, d = x.shape
        q = jax.vmap(self.query)(x).reshape(n, self.heads, -1)
        k = jax.vmap(self.key)(x).reshape(n, self.heads, -1)
        v = jax.vmap(self.value)(x).reshape(n, self.heads, -1)
        logits = jnp.einsum("qhd,khd->hqk", q, k) / jnp.sqrt(q.shape[-1])
        weights = jax.nn.softmax(logits, axis=-1)
        return jnp.einsum("hqk,khd->qhd", weights, v).reshape(n, d)


class FeedForward(eqx.Module):
    up: eqx.nn.Linear
    down: eqx.nn.Linear

    def __init__(self, dim: int, hidden: int, *, key):
        k1, k2 = jax.random.split(key)
        self.up = eqx.nn.Linear(dim, hidden, key=k1)
        self.down = eqx.nn.Linear(hidden, dim, key=k2)

    def __call__(self, x):
        return self.down(jax.nn.gelu(self.up(x)))


class Scale(eqx.Module):
    weight: jax.Array
    bias: jax.Array

    def __call__(self, x: jax.Array) -> jax.Array:
        return x * self.weight + self.bias


def rotary(x: Array, cos: Array, sin: Array) -> Array:
    x1, x2 = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([x1 * cos - x2 * sin, x2 * cos + x1 * sin], axis=-1)


def attention(q: Array, k: Array, v: Array, bias: Optional[Array] = None) -> Array:
    logits = jnp.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
    if bias is not None:
        logits = logits + bias
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(logits), v)


class OverQueries(eqx.Module):
    qkv: eqx.nn.Linear

    def __init__(self, dim: int, *, key):
        self.qkv = eqx.nn.Linear(dim, 3 * dim, key=key)

    def __call__(self, x):
        q, k, v = jnp.split(jax.vmap(self.qkv)(x), 3, axis=-1)
        weights = jax.nn.softmax(q @ k.T / jnp.sqrt(q.shape[-1]), axis=0)
        return weights @ v  # wrong: ATT033


class NotTransposed(eqx.Module):
    qkv: eqx.nn.Linear

    def __init__(self, dim: int, *, key):
        self.qkv = eqx.nn.Linear(dim, 3 * dim, key=key)

    def __call__(self, x):
        q, k, v = jnp.split(jax.vmap(self.qkv)(x), 3, axis=-1)
        weights = jax.nn.softmax(q @ k, axis=-1)  # wrong: ATT002
        return weights @ v


class OtherWidth(eqx.Module):
    fc: eqx.nn.Linear

    def __init__(self, dim: int, out: int, *, key):
        self.fc = eqx.nn.Linear(dim, out, key=key)

    def __call__(self, x: Array) -> Array:
        return x + jax.vmap(self.fc)(x)  # wrong: ATT003
