"""Loops over sizes in JAX, where an index outside is clamped."""

import jax, jax.numpy as jnp
from jaxtyping import Float, Array
def heads(q: Float[Array, "h n k"], k: Float[Array, "h m k"], v: Float[Array, "h m v"]) -> Float[Array, "n h*v"]:
    outs = []
    for i in range(q.shape[0]):
        outs.append(jax.nn.softmax(q[i] @ k[i].T) @ v[i])
    return jnp.concatenate(outs, axis=-1)
def comp(q: Float[Array, "h n k"]) -> Float[Array, "n h k"]:
    return jnp.stack([jax.nn.relu(a) for a in q], axis=1)
def layers(x: Float[Array, "n d"], w: Float[Array, "l d d"]) -> Float[Array, "n d"]:
    for m in w:
        x = jnp.tanh(x @ m)
    return x
def at(x: Float[Array, "h d"]) -> Float[Array, "h d"]:
    o = jnp.zeros_like(x)
    for i in range(x.shape[0]):
        o = o.at[i].set(x[i] * 2)
    return o
def clamps(x: Float[Array, "h d"], y: Float[Array, "4 d"]) -> Float[Array, "h d"]:
    return jnp.stack([x[i] + y[i] for i in range(len(x))])
def grows(x: Float[Array, "h d"]) -> Float[Array, "d"]:
    y = x[0]
    for i in range(len(x)):
        if i > 5:
            y = y[1:]
    return y
