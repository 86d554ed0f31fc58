"""What Flax calls attention, beside our kernels."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen, nnx
from jaxtyping import Array, Float

from verifier.kernels import grouped_query_attention, multi_head_attention, scaled_dot_product_attention


def flax_attention(q: Float[Array, "n d"], k: Float[Array, "m d"], v: Float[Array, "m d"]) -> Float[Array, "n d"]:
    return nnx.dot_product_attention(q[:, None], k[:, None], v[:, None])[:, 0]


def flax_weights(q: Float[Array, "n d"], k: Float[Array, "m d"], v: Float[Array, "m d"]) -> Float[Array, "n d"]:
    """The branch that Flax takes where the weights are kept."""
    weights = nnx.nn.attention.dot_product_attention_weights(q[:, None], k[:, None])
    return jnp.einsum("hnm,md->nd", weights, v)


def our_attention(
    q: Float[np.ndarray, "n d"], k: Float[np.ndarray, "m d"], v: Float[np.ndarray, "m d"]
) -> Float[np.ndarray, "n d"]:
    return scaled_dot_product_attention(q, k, v)


def unscaled(q: Float[Array, "n d"], k: Float[Array, "m d"], v: Float[Array, "m d"]) -> Float[Array, "n d"]:
    return nnx.softmax(q @ k.T) @ v


def flax_module(
    x: Float[Array, "n d_model"], y: Float[Array, "m d_model"], w_q: Float[Array, "h d_model d"],
    w_k: Float[Array, "h d_model d"], w_v: Float[Array, "h d_model d"], w_o: Float[Array, "h d d_model"],
) -> Float[Array, "n d_model"]:
    h, d_model, d = w_q.shape
    layer = nnx.MultiHeadAttention(h, d_model, h * d, use_bias=False, decode=False, rngs=nnx.Rngs(0))
    layer.query.kernel[...] = jnp.moveaxis(w_q, 0, 1)
    layer.key.kernel[...] = jnp.moveaxis(w_k, 0, 1)
    layer.value.kernel[...] = jnp.moveaxis(w_v, 0, 1)
    layer.out.kernel[...] = w_o
    return layer(x, y)


def flax_biased(
    x: Float[Array, "n d_model"], y: Float[Array, "m d_model"], w_q: Float[Array, "h d_model d"],
    w_k: Float[Array, "h d_model d"], w_v: Float[Array, "h d_model d"], w_o: Float[Array, "h d d_model"],
) -> Float[Array, "n d_model"]:
    """With the biases that Flax makes unless it is told otherwise: they begin at 0."""
    h, d_model, d = w_q.shape
    layer = nnx.MultiHeadAttention(h, d_model, h * d, decode=False, rngs=nnx.Rngs(0))
    kernels = {"query": jnp.moveaxis(w_q, 0, 1), "key": jnp.moveaxis(w_k, 0, 1), "value": jnp.moveaxis(w_v, 0, 1)}
    nnx.update(layer, {name: {"kernel": kernel} for name, kernel in {**kernels, "out": w_o}.items()})
    return layer(x, y)


def flax_swapped(
    x: Float[Array, "n d_model"], y: Float[Array, "m d_model"], w_q: Float[Array, "h d_model d"],
    w_k: Float[Array, "h d_model d"], w_v: Float[Array, "h d_model d"], w_o: Float[Array, "h d d_model"],
) -> Float[Array, "n d_model"]:
    return flax_module(x, y, w_k, w_q, w_v, w_o)


def linen_module(
    x: Float[Array, "n d_model"], y: Float[Array, "m d_model"], w_q: Float[Array, "h d_model d"],
    w_k: Float[Array, "h d_model d"], w_v: Float[Array, "h d_model d"], w_o: Float[Array, "h d d_model"],
) -> Float[Array, "n d_model"]:
    h, d_model, d = w_q.shape
    layer = linen.MultiHeadDotProductAttention(h, qkv_features=h * d, use_bias=False)
    kernels = {"query": jnp.moveaxis(w_q, 0, 1), "key": jnp.moveaxis(w_k, 0, 1), "value": jnp.moveaxis(w_v, 0, 1)}
    return layer.apply({"params": {n: {"kernel": k} for n, k in {**kernels, "out": w_o}.items()}}, x, y)


def our_heads(
    x: Float[np.ndarray, "n d_model"], y: Float[np.ndarray, "m d_model"], w_q: Float[np.ndarray, "h d_model d"],
    w_k: Float[np.ndarray, "h d_model d"], w_v: Float[np.ndarray, "h d_model d"], w_o: Float[np.ndarray, "h d d_model"],
) -> Float[np.ndarray, "n d_model"]:
    h, d, d_model = w_o.shape
    return multi_head_attention(x, y, w_q, w_k, w_v, w_o.reshape(h * d, d_model))
