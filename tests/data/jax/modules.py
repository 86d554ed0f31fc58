"""Equinox modules whose constructors take sizes: those are symbols, and so are the parameters made from them."""

import math
from collections.abc import Callable
from typing import Optional

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray


class Head(eqx.Module):
    query: eqx.nn.Linear
    key: eqx.nn.Linear
    value: eqx.nn.Linear

    def __init__(self, width: int, size: int, *, key: PRNGKeyArray):
        a, b, c = jr.split(key, 3)
        self.query = eqx.nn.Linear(width, size, use_bias=False, key=a)
        self.key = eqx.nn.Linear(width, size, use_bias=False, key=b)
        self.value = eqx.nn.Linear(width, size, use_bias=False, key=c)

    def __call__(self, x: Float[Array, "n {self.query.in_features}"]) -> Float[Array, "n {self.value.out_features}"]:
        q, k, v = jax.vmap(self.query)(x), jax.vmap(self.key)(x), jax.vmap(self.value)(x)
        weights = jax.nn.softmax(q @ k.T / math.sqrt(q.shape[-1]), axis=-1)
        return weights @ v

    def b_without_vmap(self, x: Float[Array, "n {self.query.in_features}"]) -> Float[Array, "n {self.value.out_features}"]:
        return self.query(x)

    def b_transposed(self, x: Float[Array, "n {self.query.in_features}"]) -> Float[Array, "n {self.value.out_features}"]:
        q, k, v = jax.vmap(self.query)(x), jax.vmap(self.key)(x), jax.vmap(self.value)(x)
        return jax.nn.softmax(q.T @ k, axis=-1) @ v


class Block(eqx.Module):
    attention: eqx.nn.MultiheadAttention
    norm: eqx.nn.LayerNorm
    up: eqx.nn.Linear
    down: eqx.nn.Linear
    dropout: eqx.nn.Dropout
    size: int = eqx.field(static=True)

    def __init__(self, heads: int, size: int, *, key: PRNGKeyArray):
        a, b, c = jr.split(key, 3)
        self.size = heads * size
        self.attention = eqx.nn.MultiheadAttention(heads, heads * size, key=a)
        self.norm = eqx.nn.LayerNorm(heads * size)
        self.up = eqx.nn.Linear(heads * size, 4 * heads * size, key=b)
        self.down = eqx.nn.Linear(4 * heads * size, heads * size, key=c)
        self.dropout = eqx.nn.Dropout(0.1)

    def __call__(
        self, x: Float[Array, "n {self.size}"], key: PRNGKeyArray
    ) -> Float[Array, "n {self.size}"]:
        mask = jnp.tril(jnp.ones((x.shape[0], x.shape[0]), bool))
        y = jax.vmap(self.norm)(x)
        x = x + self.attention(y, y, y, mask=mask)
        y = jax.vmap(lambda t: self.down(jax.nn.gelu(self.up(t))))(x)
        return x + self.dropout(y, key=key)

    def b_residual(self, x: Float[Array, "n {self.size}"]) -> Float[Array, "n {self.size}"]:
        return x + jax.vmap(self.up)(x)


class Embedder(eqx.Module):
    tokens: eqx.nn.Embedding
    positions: eqx.nn.Embedding
    size: int
    length: int

    def __init__(self, vocab: int, length: int, size: int, *, key: PRNGKeyArray):
        a, b = jr.split(key)
        self.tokens = eqx.nn.Embedding(vocab, size, key=a)
        self.positions = eqx.nn.Embedding(length, size, key=b)
        self.size = size
        self.length = length

    def __call__(self, ids: Int[Array, "n"]) -> Float[Array, "n {self.size}"]:
        return jax.vmap(self.tokens)(ids) + jax.vmap(self.positions)(jnp.arange(ids.shape[0]))

    def b_positions(self, ids: Int[Array, "n"]) -> Float[Array, "n {self.size}"]:
        return jax.vmap(self.tokens)(ids) + self.positions.weight


class Perceptron(eqx.Module):
    mlp: eqx.nn.MLP
    norm: eqx.nn.RMSNorm

    def __init__(self, size: int, out: int, width: int, *, key: PRNGKeyArray):
        self.mlp = eqx.nn.MLP(size, out, width, depth=2, key=key)
        self.norm = eqx.nn.RMSNorm(size)

    @eqx.filter_jit
    def __call__(self, x: Float[Array, "{self.mlp.in_size}"]) -> Float[Array, "{self.mlp.out_size}"]:
        return self.mlp(self.norm(x))

    def batched(self, x: Float[Array, "b {self.mlp.in_size}"]) -> Float[Array, "b {self.mlp.out_size}"]:
        return eqx.filter_vmap(self)(x)

    def b_batched(self, x: Float[Array, "b {self.mlp.in_size}"]) -> Float[Array, "b {self.mlp.in_size}"]:
        return eqx.filter_vmap(self)(x)


class Plain(eqx.Module):
    """A dataclass: its fields are the constructor's arguments."""

    w: Float[Array, "d k"]
    b: Float[Array, "k"]
    activation: Callable = jax.nn.relu

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n k"]:
        return self.activation(x @ self.w + self.b)

    def b_call(self, x: Float[Array, "n d"]) -> Float[Array, "n k"]:
        return self.activation(x @ self.w.T + self.b)


class Stack(eqx.Module):
    """Layers of one kind with their parameters side by side, run by scan."""

    layers: Plain
    width: int

    def __init__(self, depth: int, d: int, *, key: PRNGKeyArray):
        def make(k):
            return Plain(jr.normal(k, (d, d)), jnp.zeros(d))

        self.width = d
        self.layers = eqx.filter_vmap(make)(jr.split(key, depth))

    def __call__(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        parameters, static = eqx.partition(self.layers, eqx.is_array)

        def step(carry, layer):
            return eqx.combine(layer, static)(carry), None

        out, _ = jax.lax.scan(step, x, parameters)
        return out


@eqx.filter_value_and_grad
def loss_of(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


def step(model: Plain, x: Float[Array, "n d"], y: Float[Array, "n k"]) -> Float[Array, ""]:
    loss, gradients = loss_of(model, x, y)
    model = eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, gradients))
    return loss


def b_step(model: Plain, x: Float[Array, "n d"], y: Float[Array, "n d"]) -> Float[Array, ""]:
    loss, _ = loss_of(model, x, y)
    return loss


class Convolved(eqx.Module):
    conv: eqx.nn.Conv1d
    norm: Optional[eqx.nn.GroupNorm] = None

    def __init__(self, inner: int, outer: int, *, key: PRNGKeyArray):
        self.conv = eqx.nn.Conv1d(inner, outer, kernel_size=3, padding=1, key=key)

    def __call__(self, x: Float[Array, "{self.conv.in_channels} n"]) -> Float[Array, "{self.conv.out_channels} n"]:
        return self.conv(x)

    def b_channels_last(self, x: Float[Array, "n {self.conv.in_channels}"]) -> Float[Array, "n {self.conv.out_channels}"]:
        return self.conv(x)


def masked(x: Float[Array, "n d"], keep: Bool[Array, "n"]) -> Float[Array, "n d"]:
    return jnp.where(keep[:, None], x, 0)
