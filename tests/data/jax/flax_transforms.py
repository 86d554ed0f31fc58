"""What Flax NNX does with modules: transformations, state, caches, containers.

What begins with `b_` has a mistake; the comment `# here` stands on its line.
"""

from functools import partial

import jax
import jax.numpy as jnp
from flax import nnx
from jaxtyping import Array, Bool, Float, Int


class Layer(nnx.Module):
    def __init__(self, inner: int, outer: int, *, rngs: nnx.Rngs):
        self.linear = nnx.Linear(inner, outer, rngs=rngs)
        self.inner, self.outer = inner, outer

    def __call__(self, x: Float[Array, "n {self.inner}"]) -> Float[Array, "n {self.outer}"]:
        return nnx.relu(self.linear(x))

    @nnx.jit
    def compiled(self, x: Float[Array, "n {self.inner}"]) -> Float[Array, "n {self.outer}"]:
        return self.linear(x)

    @nnx.jit
    def b_compiled(self, x: Float[Array, "n {self.inner}"]) -> Float[Array, "n {self.outer}"]:
        return self.linear(x.T)  # here

    @nnx.remat
    def again(self, x: Float[Array, "n {self.inner}"]) -> Float[Array, "n {self.outer}"]:
        return self.linear(x)


class Decoder(nnx.Module):
    """One token at a time against a cache."""

    def __init__(self, heads: int, size: int, *, rngs: nnx.Rngs):
        self.attention = nnx.MultiHeadAttention(heads, heads * size, decode=True, rngs=rngs)
        self.width = heads * size

    def step(self, x: Float[Array, "b 1 {self.width}"], length: int) -> Float[Array, "b 1 {self.width}"]:
        self.attention.init_cache((x.shape[0], length, self.width))
        return self.attention(x)

    def twice(self, x: Float[Array, "b 1 {self.width}"], length: int) -> Float[Array, "b 1 {self.width}"]:
        self.attention.init_cache((x.shape[0], length, self.width))
        self.attention(x)
        return self.attention(x)

    def prefill(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.width}"]:
        return self.attention(x, decode=False, is_causal=True)

    def b_whole(self, x: Float[Array, "b n {self.width}"]) -> Float[Array, "b n {self.width}"]:
        self.attention.init_cache(x.shape)
        return self.attention(x)  # here

    def b_no_cache(self, x: Float[Array, "b 1 {self.width}"]) -> Float[Array, "b 1 {self.width}"]:
        return self.attention(x)  # here

    def b_batch(self, x: Float[Array, "b 1 {self.width}"]) -> Float[Array, "b 1 {self.width}"]:
        self.attention.init_cache((1, 128, self.width))
        return self.attention(x)  # here


class Stack(nnx.Module):
    """Layers in a list."""

    def __init__(self, width: int, hidden: int, *, rngs: nnx.Rngs):
        self.layers = nnx.List([Layer(width, width, rngs=rngs) for _ in range(3)])
        self.net = nnx.Sequential(
            nnx.Linear(width, hidden, rngs=rngs), nnx.gelu, nnx.Dropout(0.1, rngs=rngs), nnx.Linear(hidden, width, rngs=rngs)
        )
        self.wrong = nnx.Sequential(nnx.Linear(width, hidden, rngs=rngs), nnx.gelu, nnx.Linear(width, hidden, rngs=rngs))
        self.width, self.hidden = width, hidden

    def __call__(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        for layer in self.layers:
            x = x + layer(x)
        return x + self.net(x)

    def b_sequential(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.hidden}"]:
        return self.wrong(x)  # here

    def remat(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        for layer in self.layers:
            x = nnx.remat(lambda m, y: m(y))(layer, x)
        return x


class Scanned(nnx.Module):
    """Layers with their parameters side by side, as Flax's documents do it."""

    def __init__(self, depth: int, width: int, *, rngs: nnx.Rngs):
        @nnx.split_rngs(splits=depth)
        @nnx.vmap(in_axes=(0,), out_axes=0)
        def make(rngs: nnx.Rngs):
            return Layer(width, width, rngs=rngs)

        self.layers = make(rngs)
        self.depth, self.width = depth, width

    def __call__(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        @nnx.scan(in_axes=(0, nnx.Carry), out_axes=nnx.Carry)
        def forward(layer, x):
            return layer(x)

        return forward(self.layers, x)

    def kernel(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "{self.depth} {self.width} {self.width}"]:
        return self.layers.linear.kernel[...]

    def b_carry(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        @nnx.scan(in_axes=(0, nnx.Carry), out_axes=nnx.Carry)
        def forward(layer, x):
            return layer(x).sum(0)

        return forward(self.layers, x)  # here


class Experts(nnx.Module):
    def __init__(self, experts: int, width: int, *, rngs: nnx.Rngs):
        @nnx.split_rngs(splits=experts)
        @nnx.vmap
        def make(rngs):
            return nnx.Linear(width, width, rngs=rngs)

        self.parts = make(rngs)
        self.experts, self.width = experts, width

    def __call__(self, x: Float[Array, "{self.experts} n {self.width}"]) -> Float[Array, "{self.experts} n {self.width}"]:
        return nnx.vmap(lambda expert, part: expert(part))(self.parts, x)

    def b_every(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "{self.experts} n {self.width}"]:
        return nnx.vmap(lambda expert, part: expert(part))(self.parts, x)  # here

    def every(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "{self.experts} n {self.width}"]:
        return nnx.vmap(lambda expert, part: expert(part), in_axes=(0, None))(self.parts, x)


def loss(model: Layer, x: Float[Array, "n {model.inner}"], y: Float[Array, "n {model.outer}"]) -> Float[Array, ""]:
    return jnp.mean((model(x) - y) ** 2)


def train(model: Layer, x: Float[Array, "n {model.inner}"], y: Float[Array, "n {model.outer}"]) -> Float[Array, ""]:
    value, gradients = nnx.value_and_grad(loss)(model, x, y)
    parameters = nnx.state(model, nnx.Param)
    nnx.update(model, jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients))
    return value


def gradient(
    model: Layer, x: Float[Array, "n {model.inner}"], y: Float[Array, "n {model.outer}"]
) -> Float[Array, "{model.inner} {model.outer}"]:
    return nnx.grad(loss)(model, x, y)["linear"]["kernel"][...]


def b_loss(model: Layer, x: Float[Array, "n {model.inner}"], y: Float[Array, "n {model.outer}"]) -> Float[Array, ""]:
    return nnx.grad(lambda m: ((m(x) - y) ** 2).mean(-1))(model)  # here


def b_train(model: Layer, x: Float[Array, "n {model.inner}"], y: Float[Array, "n k"]) -> Float[Array, ""]:
    return nnx.value_and_grad(lambda m: jnp.mean((m(x) - y) ** 2))(model)[0]  # here


def functional(model: Layer, x: Float[Array, "n {model.inner}"]) -> Float[Array, "n {model.outer}"]:
    graphdef, state = nnx.split(model)

    @jax.jit
    def forward(state, x):
        return nnx.merge(graphdef, state)(x)

    return forward(state, x)


def counted(model: Layer, x: Float[Array, "n {model.inner}"]) -> Float[Array, "{model.inner} {model.outer}"]:
    _, parameters, rest = nnx.split(model, nnx.Param, ...)
    return parameters["linear"]["kernel"][...]


def abstract(inner: int, outer: int, x: Float[Array, "n inner"]) -> Float[Array, "n outer"]:
    shapes = nnx.eval_shape(lambda: Layer(inner, outer, rngs=nnx.Rngs(0)))
    return jnp.zeros((x.shape[0], shapes.linear.kernel.shape[1]))


def attention(
    q: Float[Array, "b n h d"], k: Float[Array, "b m h d"], v: Float[Array, "b m h d"], keep: Bool[Array, "b m"]
) -> Float[Array, "b n h d"]:
    return nnx.dot_product_attention(q, k, v, mask=keep[:, None, None, :])


def grouped(
    q: Float[Array, "b n g*r d"], k: Float[Array, "b m g d"], v: Float[Array, "b m g d"]
) -> Float[Array, "b n g*r d"]:
    return nnx.dot_product_attention(q, k, v)


def b_attention_mask(
    q: Float[Array, "b n h d"], k: Float[Array, "b m h d"], v: Float[Array, "b m h d"], keep: Bool[Array, "b m"]
) -> Float[Array, "b n h d"]:
    return nnx.dot_product_attention(q, k, v, mask=keep[:, None, :, None])  # here


def b_attention_layout(
    q: Float[Array, "b h n d"], k: Float[Array, "b h m d"], v: Float[Array, "b h m d"]
) -> Float[Array, "b h n d"]:
    return nnx.dot_product_attention(q, k, v)  # here


class Dropped(nnx.Module):
    def __init__(self, width: int, *, rngs: nnx.Rngs):
        self.dropout = nnx.Dropout(0.5, rngs=rngs)
        self.width = width

    def __call__(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        return self.dropout(x)

    def passed(self, x: Float[Array, "n {self.width}"], rngs: nnx.Rngs) -> Float[Array, "n {self.width}"]:
        return self.dropout(x, rngs=rngs)

    def b_under_vmap(self, x: Float[Array, "n {self.width}"]) -> Float[Array, "n {self.width}"]:
        return jax.vmap(self.dropout)(x)  # here


@nnx.jit
def compiled(model: Layer, x: Float[Array, "n {model.inner}"]) -> Float[Array, "n {model.outer}"]:
    return model(x)


@partial(nnx.jit, static_argnames="double")
def static(model: Layer, x: Float[Array, "n {model.inner}"], double: bool = False) -> Float[Array, "n {model.outer}"]:
    return model(x) * 2 if double else model(x)


def tokens(table: nnx.Embed, ids: Int[Array, "b n"]) -> Float[Array, "b n {table.features}"]:
    return table(ids)
