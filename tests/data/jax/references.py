"""What libraries call attention, beside our kernels: `verifier same` shows that they compute one thing."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from verifier.kernels import multi_head_attention, scaled_dot_product_attention


def library(q: Float[Array, "b n h d"], k: Float[Array, "b m h d"], v: Float[Array, "b m h d"]) -> Float[Array, "b n h d"]:
    return jax.nn.dot_product_attention(q, k, v)


def written_out(
    q: Float[Array, "b n h d"], k: Float[Array, "b m h d"], v: Float[Array, "b m h d"]
) -> Float[Array, "b n h d"]:
    scores = jnp.einsum("bnhd,bmhd->bhnm", q, k) / jnp.sqrt(q.shape[-1])
    return jnp.einsum("bhnm,bmhd->bnhd", jax.nn.softmax(scores), v)


def without_scale(
    q: Float[Array, "b n h d"], k: Float[Array, "b m h d"], v: Float[Array, "b m h d"]
) -> Float[Array, "b n h d"]:
    return jnp.einsum("bhnm,bmhd->bnhd", jax.nn.softmax(jnp.einsum("bnhd,bmhd->bhnm", q, k)), v)


def mapped(q: Float[Array, "b n h d"], k: Float[Array, "b m h d"], v: Float[Array, "b m h d"]) -> Float[Array, "b n h d"]:
    def one(q, k, v):
        return jax.nn.softmax(q @ k.T / jnp.sqrt(q.shape[-1])) @ v

    return jax.vmap(jax.vmap(one, in_axes=1, out_axes=1))(q, k, v)


def one_head(q: Float[Array, "n d"], k: Float[Array, "m d"], v: Float[Array, "m d"]) -> Float[Array, "n d"]:
    return jax.nn.dot_product_attention(q[:, None], k[:, None], v[:, None])[:, 0]


def our_kernel(
    q: Float[np.ndarray, "n d"], k: Float[np.ndarray, "m d"], v: Float[np.ndarray, "m d"]
) -> Float[np.ndarray, "n d"]:
    return scaled_dot_product_attention(q, k, v)


def equinox_module(
    x: Float[Array, "n d_model"], w_q: Float[Array, "h d_model d"], w_k: Float[Array, "h d_model d"],
    w_v: Float[Array, "h d_model d"], w_o: Float[Array, "h*d d_model"],
) -> Float[Array, "n d_model"]:
    h, d_model, d = w_q.shape
    layer = eqx.nn.MultiheadAttention(
        h, d_model, qk_size=d, vo_size=d, output_size=d_model, key=jax.random.PRNGKey(0)
    )

    def flat(w):
        return w.transpose(0, 2, 1).reshape(h * d, d_model)

    layer = eqx.tree_at(
        lambda m: (m.query_proj.weight, m.key_proj.weight, m.value_proj.weight, m.output_proj.weight),
        layer,
        (flat(w_q), flat(w_k), flat(w_v), w_o.T),
    )
    return layer(x, x, x)


def our_heads(
    x: Float[np.ndarray, "n d_model"], w_q: Float[np.ndarray, "h d_model d"], w_k: Float[np.ndarray, "h d_model d"],
    w_v: Float[np.ndarray, "h d_model d"], w_o: Float[np.ndarray, "h*d d_model"],
) -> Float[np.ndarray, "n d_model"]:
    return multi_head_attention(x, x, w_q, w_k, w_v, w_o)
