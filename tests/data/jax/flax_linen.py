"""Flax Linen modules: run by `init` and then `apply`, since they have no parameters before.

What begins with `b_` or `Bad` has a mistake; the comment `# here` stands on its line.
"""

import flax.linen as nn
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int


class Mlp(nn.Module):
    width: int
    hidden: int

    @nn.compact
    def __call__(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        return nn.Dense(self.width)(nn.gelu(nn.Dense(self.hidden)(x)))


class BadMlp(nn.Module):
    width: int
    hidden: int

    @nn.compact
    def __call__(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        return x + nn.Dense(self.hidden)(x)  # here


class Block(nn.Module):
    heads: int
    size: int

    def setup(self):
        self.attention = nn.MultiHeadDotProductAttention(num_heads=self.heads, qkv_features=self.heads * self.size)
        self.norm = nn.LayerNorm()
        self.batch = nn.BatchNorm(use_running_average=False)
        self.mlp = Mlp(self.heads * self.size, 4 * self.heads * self.size)
        self.dropout = nn.Dropout(0.1, deterministic=False)

    def __call__(
        self, x: Float[Array, "b n {self.heads}*{self.size}"]
    ) -> Float[Array, "b n {self.heads}*{self.size}"]:
        x = x + self.attention(self.norm(x), mask=nn.make_causal_mask(x[..., 0]))
        y = self.batch(x).reshape(-1, x.shape[-1])
        return x + self.dropout(self.mlp(y).reshape(x.shape))

    def b_mask(
        self, x: Float[Array, "b n {self.heads}*{self.size}"]
    ) -> Float[Array, "b n {self.heads}*{self.size}"]:
        return self.attention(x, mask=jnp.ones((x.shape[1], x.shape[-1])))  # here

    def b_reshape(
        self, x: Float[Array, "b n {self.heads}*{self.size}"]
    ) -> Float[Array, "b n {self.heads}*{self.size}"]:
        return self.mlp(x.reshape(x.shape[0], -1)).reshape(x.shape)  # here


class Embedder(nn.Module):
    vocab: int
    width: int

    @nn.compact
    def __call__(self, ids: Int[Array, "b n"]) -> Float[Array, "b n {self.width}"]:
        places = self.param("places", nn.initializers.normal(0.02), (ids.shape[1], self.width))
        return nn.Embed(self.vocab, self.width)(ids) + places


class BadEmbedder(nn.Module):
    vocab: int
    width: int

    @nn.compact
    def __call__(self, ids: Int[Array, "b n"]) -> Float[Array, "b n {self.width}"]:
        places = self.param("places", nn.initializers.normal(0.02), (self.width, ids.shape[1]))
        return nn.Embed(self.vocab, self.width)(ids) + places  # here


class Statistics(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        mean = self.variable("statistics", "mean", jnp.zeros, (self.width,))
        mean.value = 0.9 * mean.value + 0.1 * x.mean(0)
        return x - mean.value


class BadAfterInit(nn.Module):
    """Right where it is initialized, wrong where it is applied."""

    width: int

    @nn.compact
    def __call__(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        return x if self.is_initializing() else x.T  # here


class Patches(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x: Float[Array, "b 4*h 4*w c"]) -> Float[Array, "b h*w {self.width}"]:
        y = nn.Sequential([nn.Conv(self.width, (4, 4), strides=(4, 4)), nn.relu])(x)
        return y.reshape(y.shape[0], -1, self.width)


class Lifted(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x: Float[Array, "e n {self.width}"]) -> Float[Array, "e n {self.width}"]:
        experts = nn.vmap(nn.Dense, variable_axes={"params": 0}, split_rngs={"params": True})
        return nn.remat(nn.Dense)(self.width)(experts(self.width)(x))


def functional(vocab: int, width: int, ids: Int[Array, "b n"]) -> Float[Array, "b n width"]:
    model = Embedder(vocab, width)
    parameters = model.init(jax.random.key(0), ids)
    return jax.jit(model.apply)(parameters, ids)


def b_functional(vocab: int, width: int, ids: Int[Array, "b n"]) -> Float[Array, "b n width"]:
    model = Embedder(vocab, width)
    parameters = model.init(jax.random.key(0), ids)
    return model.apply(parameters, ids) @ parameters["params"]["Embed_0"]["embedding"]  # here
