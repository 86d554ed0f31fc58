"""Equinox layers whose constructors ask for more than sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray


def divisor(size: int, most: int) -> int:
    """The largest power of 2 up to a number that divides the size."""
    power = 1
    while power * 2 <= most and size % (power * 2) == 0:
        power *= 2
    return power


class Grouped(eqx.Module):
    conv: eqx.nn.Conv2d
    norm: eqx.nn.GroupNorm

    def __init__(self, width: int, out: int, *, kernel: int = 3, most_groups: int = 32, key: PRNGKeyArray):
        self.conv = eqx.nn.Conv2d(width, out, kernel, padding="SAME", key=key)
        self.norm = eqx.nn.GroupNorm(divisor(out, most_groups), out)

    def __call__(self, x: Float[Array, "channels h w"]) -> Float[Array, "d h w"]:
        return self.norm(self.conv(x))


class OneOrOther(eqx.Module):
    linear: eqx.nn.Linear

    def __init__(self, size: int | None = None, width: int | None = None, *, key: PRNGKeyArray):
        assert size is not None or width is not None
        size = size or width
        self.linear = eqx.nn.Linear(size, size, key=key)

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        return jax.vmap(self.linear)(x)


class Wrapper(eqx.Module):
    inner: eqx.Module

    def __init__(self, inner: eqx.Module):
        self.inner = inner

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        return x + self.inner(x)


class WrapperThatCallsWrong(eqx.Module):
    inner: eqx.Module

    def __init__(self, inner: eqx.Module):
        self.inner = inner

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        return self.inner.scale(x)


class Activated(eqx.Module):
    activation: Callable
    linear: eqx.nn.Linear

    def __init__(self, d: int, activation: Callable, key: Array):
        self.activation = activation
        self.linear = eqx.nn.Linear(d, d, key=key)

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        return self.activation(jax.vmap(self.linear)(x))


class Inner(eqx.Module):
    linear: eqx.nn.Linear

    def __init__(self, d: int, heads: int, *, key: PRNGKeyArray):
        self.linear = eqx.nn.Linear(d, d * heads, key=key)


class Passing(eqx.Module):
    inner: Inner

    def __init__(self, d: int, *, key: PRNGKeyArray, **options: object):
        self.inner = Inner(d, key=key, **options)

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n m"]:
        return jax.vmap(self.inner.linear)(x)


class Rates(eqx.Module):
    rates: list[float]

    def __init__(self, depth: int):
        self.rates = np.linspace(0.0, 0.1, depth).tolist()

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        for rate in self.rates:
            x = x * (1 - rate)
        return x


class TalkingHeads(eqx.Module):
    heads: int
    qkv: eqx.nn.Linear
    mix: eqx.nn.Linear

    def __init__(self, d: int, heads: int, *, key: PRNGKeyArray):
        assert d % heads == 0
        self.heads = heads
        first, second = jr.split(key)
        self.qkv = eqx.nn.Linear(d, 3 * d, key=first)
        self.mix = eqx.nn.Linear(heads, heads, key=second)

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        n, d = x.shape
        q, k, v = jnp.moveaxis(jax.vmap(self.qkv)(x).reshape(n, 3, self.heads, d // self.heads), 1, 0)
        weights = jax.nn.softmax(jnp.einsum("qhc,khc->qkh", q, k), axis=1)
        weights = jax.vmap(jax.vmap(self.mix))(weights)
        return jnp.einsum("qkh,khc->qhc", weights, v).reshape(n, d)


class Rotated(eqx.Module):
    linear: eqx.nn.Linear

    def __init__(self, d: int, *, key: PRNGKeyArray):
        self.linear = eqx.nn.Linear(d, d, key=key)

    def __call__(self, x: Float[Array, "n d"], tables: tuple[Array, Array] | None = None) -> Float[Array, "n d"]:
        x = jax.vmap(self.linear)(x)
        return x if tables is None else x * tables[0]


class SizeOrWord(eqx.Module):
    weight: Array

    def __init__(self, d: int | Literal["scalar"], *, key: PRNGKeyArray):
        self.weight = jr.normal(key, () if d == "scalar" else (d,))

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        return x * self.weight


def only_a_key(key: PRNGKeyArray, kind: Callable) -> Array:
    return kind(key)


def trees(x: Float[Array, "n d"]) -> Float[Array, "n d"]:
    kept = {}
    kept["x"] = x
    more = {**kept, "y": x}
    return jax.tree_util.tree_map(lambda a: a * 2, kept)["x"] + jax.tree_util.tree_map(lambda a: a * 2, more)["y"]
