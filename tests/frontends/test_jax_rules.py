"""Every rule is held against JAX itself: at every small size one shape, one element type, or both refuse.

JAX is asked by its abstract evaluation, which compiles nothing; the values of the recorded graph are held against
real arrays at one size.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra [jax] is not installed")
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402

from verifier.dims import Scope, is_dim, symbol  # noqa: E402
from verifier.dims.dim import evaluate  # noqa: E402
from verifier.errors import Unsupported  # noqa: E402
from verifier.frontends import explore  # noqa: E402
from verifier.frontends.front_end import front_end_of, is_stand_in  # noqa: E402
from verifier.frontends.recording import recording  # noqa: E402
from verifier.graph.node import Graph  # noqa: E402
from verifier.graph.ops import Opaque  # noqa: E402
from verifier.graph.run import run_nodes  # noqa: E402
from verifier.prove.search import true_at  # noqa: E402

ARRAYS: dict[str, tuple[tuple[str, ...], str]] = {
    "x": (("n", "m"), "float32"),
    "y": (("n", "m"), "float32"),
    "w": (("m", "n"), "float32"),
    "v": (("m",), "float32"),
    "t": (("n", "2", "m"), "float32"),
    "i": (("n", "m"), "int32"),
    "j": (("n",), "int32"),
    "c": (("n", "m"), "bool"),
    "z": (("n", "m"), "bfloat16"),
    "s": ((), "float32"),
}
ELEMENTWISE = (
    *("x + y", "x * v", "x - 1", "1 - x", "x / 2", "i / 2", "i + 1", "i + 1.5", "x + i", "z + 1", "z + x", "x ** 2"),
    *(
        "c + 1",
        "c & c",
        "~c",
        "x & 1",
        "x << 1",
        "c << 1",
        "~x",
        "c & x",
        "c - c",
        "-c",
        "jnp.meshgrid(x, v)[0]",
        "jnp.meshgrid(v, v)[0]",
        "jnp.linspace(0, 1, n - 2)",
        "x > 0",
        "x == y",
        "i // 2",
        "i % 3",
        "2 ** i",
        "-x",
        "abs(x)",
        "x @ w",
        "x @ v",
        "z * 2.5",
    ),
    *("jnp.exp(x)", "jnp.exp(i)", "jnp.sqrt(n)", "jnp.sqrt(n) * z", "jnp.log1p(x)", "jnp.tanh(z)", "jnp.sign(i)"),
    *(
        "jnp.maximum(x, 0)",
        "jnp.minimum(i, 2.0)",
        "jnp.where(c, x, 0)",
        "jnp.where(c, x, -jnp.inf)",
        "jnp.where(c, 1, 0)",
    ),
    *("jnp.where(c, x, v)", "jnp.clip(x, 0, 1)", "jnp.clip(x, min=0)", "jnp.logical_and(c, x > 0)", "jnp.isnan(x)"),
    *(
        "x.astype(jnp.bfloat16)",
        "x.astype(int)",
        "x.astype('float16')",
        "jnp.float32(i)",
        "jnp.square(x)",
        "jnp.power(x, 2)",
    ),
    *("jnp.true_divide(i, i)", "jnp.floor(x)", "jnp.equal(x, v)", "jnp.logaddexp(x, y)", "jnp.select([c], [x], 0)"),
    *("lax.rsqrt(x)", "lax.erf(x)", "lax.select(c, x, y)", "lax.integer_pow(x, 3)", "lax.clamp(0.0, x, 1.0)"),
    *(
        "jnp.divmod(i, 2)",
        "jnp.heaviside(x, 0.5)",
        "x + jnp.ones(2)",
        "jnp.asarray(x) + jnp.float16(1)",
        "x + np.float32(2)",
    ),
    *("jnp.ones(m) * x", "jnp.ones(3)[:m] if False else jnp.ones(3)[0] * x", "2 * n * x", "x / n ** 0.5", "i * n"),
    *("n / jnp.sum(x)", "jnp.add(x, [1.0])", "x + [1.0]", "x + None"),
)
SHAPES = (
    *("x.reshape(-1)", "x.reshape(m, n)", "x.reshape(n, 2, -1)", "jnp.reshape(x, (n * m,))", "x.T", "t.T", "t.mT"),
    *("t.transpose(1, 0, 2)", "jnp.transpose(t, (2, 1, 0))", "jnp.swapaxes(t, 0, -1)", "jnp.moveaxis(t, 0, 1)"),
    *("x[None]", "x[:, None]", "x[..., None, :]", "x[0]", "x[-1]", "x[:, 1:]", "x[::2]", "x[:, ::-1]", "x[5]", "x[:n]"),
    *("x[j]", "x[:, j]", "x[j, 0]", "x[j[:, None], i]", "x[jnp.arange(2)]", "x[c]", "x[..., :m // 2]", "x[[0]]"),
    *(
        "x.at[0].set(1)",
        "x.at[:, 0].add(v[0])",
        "x.at[j].set(0)",
        "x.at[c].set(0)",
        "x.at[0].set(v)",
        "x.at[:, 0].set(v)",
    ),
    *("x.at[1:].multiply(2)", "x.at[0].get()", "x.at[:].max(y)", "x.ravel()", "x.flatten()", "jnp.squeeze(x[None], 0)"),
    *(
        "jnp.squeeze(x, 0)",
        "x.squeeze()",
        "jnp.expand_dims(x, (0, 2))",
        "jnp.broadcast_to(v, (n, m))",
        "jnp.broadcast_to(x, (2, m, n))",
    ),
    *(
        "jnp.concatenate([x, y])",
        "jnp.concatenate([x, v[None]], axis=0)",
        "jnp.concatenate([x, i], 1)",
        "jnp.stack([x, y], 1)",
    ),
    *(
        "jnp.hstack([v, v])",
        "jnp.vstack([x, v])",
        "jnp.split(x, 2, axis=1)",
        "jnp.split(x, [1], axis=0)",
        "jnp.array_split(x, 2)",
    ),
    *("jnp.split(x, [n + 1])", "jnp.split(x, [n])", "jnp.split(x, [m], axis=0)", "jnp.split(x, [2], axis=1)"),
    *("jnp.split(x, [2, 1], axis=1)", "jnp.split(x, [-1], axis=1)", "jnp.split(x, (1, m), -1)", "jnp.split(x, [])"),
    *("jnp.array_split(x, [2], axis=1)", "jnp.hsplit(x, [2])", "jnp.hsplit(v, [2])", "jnp.vsplit(x, [2])"),
    *("jnp.dsplit(t, [2])", "jnp.dsplit(x, [2])", "jnp.split(x, np.array([2]), axis=1)", "jnp.split(s, [1])"),
    *(
        "jnp.tile(x, (2, 1))",
        "jnp.tile(v, n)",
        "jnp.repeat(x, 2, axis=0)",
        "jnp.repeat(x, n, axis=1)",
        "jnp.repeat(x, 2)",
    ),
    *(
        "jnp.pad(x, 1)",
        "jnp.pad(x, ((0, 1), (2, 0)))",
        "jnp.pad(x, ((0, n), (0, 0)))",
        "jnp.roll(x, 1, axis=0)",
        "jnp.flip(x, 0)",
    ),
    *(
        "jnp.tril(x)",
        "jnp.triu(x, 1)",
        "jnp.diag(v)",
        "jnp.diagonal(x)",
        "jnp.trace(x)",
        "jnp.atleast_2d(v)",
        "jnp.append(v, v)",
    ),
    *(
        "jnp.meshgrid(v, j)",
        "jnp.ravel(t)",
        "jnp.rollaxis(t, 2)",
        "jnp.column_stack([v, v])",
        "jnp.array([v, v])",
        "jnp.array([n, m])",
    ),
    *("jnp.array([s, 1.0])", "jnp.array(x, ndmin=3)", "jnp.unstack(t, axis=1)", "jnp.block([[x, y]])", "jnp.rot90(x)"),
    *("lax.reshape(x, (m, n))", "lax.expand_dims(x, (0,))", "lax.squeeze(x[None], (0,))", "lax.transpose(x, (1, 0))"),
    *(
        "lax.broadcast(x, (2,))",
        "lax.broadcast_in_dim(v, (n, m), (1,))",
        "lax.broadcast_in_dim(v, (n, m), (0,))",
        "lax.concatenate([x, y], 1)",
    ),
    *(
        "lax.slice(x, (0, 0), (1, m))",
        "lax.slice(x, (0, 0), (2, m))",
        "lax.slice_in_dim(x, 0, 1, axis=1)",
        "lax.index_in_dim(x, 0, 1, False)",
    ),
    *(
        "lax.dynamic_slice(x, (0, 0), (1, m))",
        "lax.dynamic_slice(x, (j[0], 0), (2, m))",
        "lax.dynamic_slice_in_dim(x, j[0], 2, axis=1)",
    ),
    *(
        "lax.dynamic_update_slice(x, y[:1], (j[0], 0))",
        "lax.dynamic_update_slice(x, w, (0, 0))",
        "lax.dynamic_update_slice(x, y.astype(int), (0, 0))",
    ),
    *(
        "lax.dynamic_index_in_dim(x, j[0], 0, keepdims=False)",
        "lax.dynamic_update_index_in_dim(x, v, 0, 0)",
        "lax.rev(x, (0,))",
        "lax.pad(x, 0.0, ((0, 1, 0), (1, 0, 0)))",
    ),
    *("lax.collapse(t, 0, 2)", "lax.top_k(x, 1)", "lax.top_k(x, 2)", "lax.dynamic_update_slice_in_dim(x, y, 0, 0)"),
)
REDUCTIONS = (
    *(
        "x.sum()",
        "x.sum(0)",
        "jnp.sum(x, axis=-1, keepdims=True)",
        "jnp.sum(c)",
        "jnp.sum(i, axis=0)",
        "jnp.mean(x, 1)",
        "jnp.mean(i)",
    ),
    *(
        "jnp.max(x, axis=1)",
        "x.min()",
        "jnp.var(x, axis=-1)",
        "jnp.std(x, 0, keepdims=True)",
        "jnp.prod(x, 0)",
        "jnp.any(c, 1)",
    ),
    *(
        "jnp.all(c)",
        "jnp.argmax(x, axis=1)",
        "jnp.argsort(x)",
        "jnp.sort(x, axis=0)",
        "jnp.cumsum(x, axis=1)",
        "jnp.cumsum(x)",
    ),
    *(
        "jnp.sum(x, where=c)",
        "jnp.mean(x, axis=1, where=c)",
        "jnp.max(x, axis=1, initial=0.0)",
        "jnp.median(x, 0)",
        "jnp.average(x, 1)",
    ),
    *(
        "jnp.linalg.norm(x)",
        "jnp.linalg.norm(x, axis=-1, keepdims=True)",
        "jnp.count_nonzero(c)",
        "jnp.ptp(x, 0)",
        "jnp.sum(z)",
    ),
    *(
        "jnp.einsum('ij,kj->ik', x, y)",
        "jnp.einsum('ij,jk', x, w)",
        "jnp.einsum('ij,ij->i', x, y)",
        "jnp.einsum('ii->i', x @ w)",
        "jnp.einsum('...j,j->...', t, v)",
    ),
    *(
        "jnp.dot(x, w)",
        "jnp.dot(x, y)",
        "jnp.matmul(t, w)",
        "jnp.tensordot(x, y, axes=2)",
        "jnp.outer(v, v)",
        "jnp.inner(x, y)",
        "jnp.vdot(v, v)",
        "jnp.kron(x, y)",
    ),
    *("z @ z.T", "jnp.einsum('ij,kj->ik', z, x)", "jnp.matmul(z, z.T, preferred_element_type=jnp.float32)", "i @ i.T"),
    *(
        "lax.dot_general(x, y, (((1,), (1,)), ((), ())))",
        "lax.dot_general(t, t, (((2,), (2,)), ((0,), (0,))))",
        "lax.dot_general(x, w, (((1,), (1,)), ((), ())))",
    ),
    *(
        "lax.reduce_sum(x, (0,))",
        "lax.cumsum(x, 1)",
        "lax.cummax(x)",
        "lax.argmax(x, 1, jnp.int32)",
        "lax.stop_gradient(x)",
    ),
    *(
        "jnp.take(x, j, axis=0)",
        "jnp.take_along_axis(x, i, axis=1)",
        "jnp.take(v, j)",
        "jnp.searchsorted(v, j)",
        "jnp.searchsorted(x, v)",
        "jnp.searchsorted(s, v)",
        "jnp.searchsorted(v, x)",
        "jnp.searchsorted(v, v, sorter=j)",
        "x.searchsorted(v)",
        "jnp.digitize(v, x)",
        "jnp.digitize(x, v)",
        "jnp.interp(v, x, x)",
        "jnp.interp(x, v, v)",
        "jnp.compress(c, x)",
        "jnp.nonzero(s)",
        "jnp.sum(s, axis=0)",
        "jnp.max(x, where=c)",
        "jax.nn.softmax(s)",
        "jnp.nan_to_num(x)",
    ),
    *(
        "jax.nn.softmax(x)",
        "jax.nn.softmax(x, axis=0)",
        "jax.nn.softmax(x, where=c)",
        "jax.nn.log_softmax(x)",
        "jax.nn.logsumexp(x, axis=1)",
        "jax.nn.logsumexp(x)",
    ),
    *(
        "jax.nn.relu(x)",
        "jax.nn.gelu(x)",
        "jax.nn.gelu(x, approximate=False)",
        "jax.nn.silu(z)",
        "jax.nn.sigmoid(x)",
        "jax.nn.softplus(x)",
        "jax.nn.elu(x)",
        "jax.nn.leaky_relu(x)",
    ),
    *(
        "jax.nn.glu(x)",
        "jax.nn.one_hot(j, m)",
        "jax.nn.one_hot(i, 3, axis=0)",
        "jax.nn.standardize(x)",
        "jax.nn.selu(x)",
        "jax.nn.relu6(x)",
        "jax.nn.hard_tanh(x)",
    ),
    *(
        "jax.ops.segment_sum(x, j, 3)",
        "jax.scipy.special.logsumexp(x, axis=0)",
        "jnp.linalg.inv(x)",
        "jnp.linalg.svd(x)",
        "jnp.linalg.qr(x)",
        "jnp.linalg.eigh(x @ w)",
    ),
    *(
        "jnp.fft.fft(x)",
        "jnp.fft.rfft(x)",
        "jnp.cross(t[..., 0], t[..., 0])",
        "jnp.quantile(x, 0.5, axis=0)",
        "jnp.unwrap(x)",
    ),
)
MADE = (
    *(
        "jnp.zeros((n, m))",
        "jnp.ones(n)",
        "jnp.full((n, 2), 1)",
        "jnp.full((n,), 0.5, jnp.bfloat16)",
        "jnp.zeros_like(x)",
        "jnp.ones_like(i)",
        "jnp.full_like(x, 2)",
    ),
    *(
        "jnp.arange(n)",
        "jnp.arange(1, n)",
        "jnp.arange(0, n, 2)",
        "jnp.arange(n, dtype=jnp.float32)",
        "jnp.arange(n)[:, None] - jnp.arange(m)",
        "jnp.arange(0.0, n)",
    ),
    *(
        "jnp.eye(n)",
        "jnp.eye(n, m, k=1)",
        "jnp.tri(n, m)",
        "jnp.identity(n)",
        "jnp.linspace(0, 1, n)",
        "jnp.empty((n,), int)",
        "jnp.tril(jnp.ones((n, n), bool))",
    ),
    *(
        "lax.iota(jnp.int32, n)",
        "lax.broadcasted_iota(jnp.int32, (n, m), 1)",
        "jnp.indices((n, m))",
        "jnp.tril_indices(n)",
        "jnp.zeros((n, -1))",
        "jnp.zeros(n, jnp.int8)",
    ),
    *(
        "jnp.zeros((2, 3)).at[0].set(s)",
        "jnp.zeros((2, 3))[:, :m]",
        "jnp.arange(3) * n",
        "n * jnp.arange(3)",
        "jnp.ones((2, 3)) @ x",
        "jnp.ones(3) == s",
    ),
    *(
        "jax.random.normal(jax.random.key(0), (n, m))",
        "jax.random.split(jax.random.key(0), n)",
        "jax.random.uniform(jax.random.PRNGKey(0), (n,), minval=-1)",
    ),
    *(
        "jax.random.bernoulli(jax.random.key(0), 0.5, x.shape)",
        "jax.random.randint(jax.random.key(0), (n,), 0, m)",
        "jax.random.categorical(jax.random.key(0), x)",
    ),
    *(
        "jax.random.permutation(jax.random.key(0), x)",
        "jax.random.truncated_normal(jax.random.key(0), -2, 2, (n, 3))",
        "jax.nn.initializers.lecun_normal()(jax.random.key(0), (n, m))",
    ),
)
TRANSFORMED = (
    *("jax.vmap(lambda r: r.sum())(x)", "jax.vmap(lambda r: r * v)(x)", "jax.vmap(lambda r: r, in_axes=1)(x)", "jax.vmap(lambda r: r, in_axes=1, out_axes=1)(x)"),
    *("jax.vmap(lambda a, b: a @ b)(x, y)", "jax.vmap(lambda a, b: a + b, in_axes=(0, None))(x, v)", "jax.vmap(lambda a, b: a + b)(x, w)", "jax.vmap(lambda a, b: a + b)(x, j)"),
    *("jax.vmap(jax.vmap(lambda a: a + 1))(x)", "jax.vmap(lambda r: jnp.outer(r, v))(x)", "jax.vmap(lambda r: 1.0)(x)", "jax.vmap(lambda r: v)(x)", "jax.vmap(lambda d: d['a'])({'a': x})"),
    *("jax.vmap(lambda k: x[k])(j)", "jax.vmap(lambda r, k: r[k])(x, j)", "jax.vmap(lambda r: jnp.concatenate([r, v]))(x)", "jax.vmap(lambda r: r.reshape(2, -1))(x)", "jax.vmap(lambda r: r[1:].at[0].set(0))(x)"),
    *("jax.vmap(lambda r: jnp.tril(jnp.ones((m, m))) @ r)(x)", "jax.vmap(lambda r: jnp.sort(r)[:1])(x)", "jax.vmap(lambda r: jnp.broadcast_to(r, (2, m)))(x)", "jax.vmap(lambda: s, axis_size=3)()"),
    *("jax.jit(lambda a: a.T)(x)", "jax.checkpoint(lambda a: a.T)(x)", "jax.grad(lambda a: a.sum())(x)", "jax.grad(lambda a: a)(x)", "jax.value_and_grad(lambda a, b: (a @ b).sum(), argnums=(0, 1))(x, w)"),
    *("jax.grad(lambda a: (a.sum(), a), has_aux=True)(x)", "jax.grad(lambda a: a.sum())(i)", "jax.vjp(lambda a: a @ w, x)[1](x @ w)", "jax.jvp(lambda a: a.T, (x,), (y,))", "jax.jvp(lambda a: a.T, (x,), (w,))"),
    *("jax.jacfwd(lambda a: a * 2)(v)", "jax.hessian(lambda a: (a ** 2).sum())(v)", "jax.linearize(lambda a: a + 1, x)[1](x)", "jax.vmap(jax.grad(lambda r: r.sum()))(x)"),
    *("lax.scan(lambda c, r: (c + r, c * r), v, x)", "lax.scan(lambda c, r: (c + r[0], r), 0.0, x)", "lax.scan(lambda c, r: (r, c), v[:1], x)", "lax.scan(lambda c, _: (c * 2, None), x, None, length=3)"),
    *("lax.scan(lambda c, r: (c, r), s, (x, y))", "lax.scan(lambda c, r: (c, r), s, (x, w))", "lax.scan(lambda c, r: c, s, x)", "lax.scan(lambda c, r: ((c[0] + 1, c[1]), r), (0, v), x)", "lax.map(lambda r: r.sum(), x)"),
    *("lax.fori_loop(0, n, lambda k, a: a + 1, x)", "lax.fori_loop(0, 2, lambda k, a: a @ w @ a, x)", "lax.fori_loop(0, n, lambda k, a: a.T, x)", "lax.while_loop(lambda a: a.sum() < 0, lambda a: a * 2, x)"),
    *("lax.cond(s > 0, lambda a: a, lambda a: a * 2, x)", "lax.cond(s > 0, lambda a: a, lambda a: a.T, x)", "lax.switch(j[0], [lambda a: a, lambda a: -a], x)", "lax.while_loop(lambda a: a < 0, lambda a: a * 2, x)"),
    *("lax.cond(s > 0, lambda: 1.0, lambda: 0.0)", "lax.associative_scan(jnp.add, x)", "jax.eval_shape(lambda a: a.T, x)", "jnp.vectorize(lambda a: a + 1)(x)", "jnp.vectorize(lambda a: a.sum(), signature='(k)->()')(x)"),
    *("lax.scan(lambda c, r: (c + 1, r), 0, x)", "lax.scan(lambda c, r: (c + 0.5, r), jnp.zeros((), int), x)", "jax.tree.map(lambda a: a + 1, [x, v])"),
)  # fmt: skip
EXPRESSIONS = (*ELEMENTWISE, *SHAPES, *REDUCTIONS, *MADE, *TRANSFORMED)
REFUSALS = (
    TypeError,
    ValueError,
    IndexError,
    AssertionError,
    ZeroDivisionError,
    jax.errors.NonConcreteBooleanIndexError,
)
WITHOUT_RULE = {"x.at[c].set(0)", "x[c]", "jnp.tril_indices(n)", "jnp.array([n, m])"}
"""JAX's abstract evaluation refuses what depends on values; ours gives it a size of its own."""


def built(text: str) -> Any:
    return eval(f"lambda n, m, {', '.join(ARRAYS)}: {text}", {"jnp": jnp, "jax": jax, "lax": lax, "np": np})


def symbolic(function: Any) -> Any:
    front = front_end_of(jax.Array)
    n, m = symbol("n"), symbol("m")
    sizes = {"n": n, "m": m}
    arrays = [
        front.symbolic(name, tuple(sizes.get(s) if s in sizes else int(s) for s in shape), element)
        for name, (shape, element) in ARRAYS.items()
    ]
    return function(n, m, *arrays)


def described(at: dict[str, int]) -> list[Any]:
    return [
        jax.ShapeDtypeStruct(tuple(at[s] if s in at else int(s) for s in shape), jnp.dtype(element))
        for shape, element in ARRAYS.values()
    ]


def leaves(value: Any) -> list[Any]:
    return [leaf for leaf in jax.tree.leaves(value) if hasattr(leaf, "shape") or isinstance(leaf, (int, float))]


def shape_of(leaf: Any, at: dict[str, int]) -> tuple[int, ...]:
    return tuple(evaluate(s, at) if is_dim(s) else int(s) for s in getattr(leaf, "shape", ()))


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_a_rule_does_as_jax_does(text: str) -> None:
    hold(text, 1)


WITH_NOTHING = (
    *("jax.nn.softmax(x)", "jax.nn.softmax(x, axis=0)", "jax.nn.softmax(x, axis=(0, 1))", "jax.nn.softmax(x, where=c)"),
    *("jax.nn.log_softmax(x)", "jax.nn.log_softmax(z)", "jax.nn.logsumexp(x, axis=1)", "jax.nn.logsumexp(x)"),
    *("jax.nn.logsumexp(x, axis=1, where=c)", "jax.nn.logsumexp(x, axis=(0, 1), keepdims=True)", "jnp.max(x, axis=1)"),
    *("jnp.max(x, initial=0.0)", "jnp.max(x, axis=1, initial=0.0, keepdims=True)", "jnp.min(i, axis=0, initial=0)"),
    *("jnp.interp(x, v, v)", "jnp.split(x, [1], axis=1)", "jax.nn.dot_product_attention(t, t, t)"),
)


@pytest.mark.parametrize("text", WITH_NOTHING)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_a_rule_does_as_jax_does_where_an_axis_is_empty(text: str) -> None:
    hold(text, 0)


def hold(text: str, least: int) -> None:
    function = built(text)
    paths = explore(lambda: symbolic(function), Scope.of("n m", least))
    for path in paths:
        assert not isinstance(path.error, Unsupported), path.error
    for n, m in itertools.product(range(least, 4), repeat=2):
        at = {"n": n, "m": m}
        (path,) = [p for p in paths if all(true_at(c, at) for c in p.conditions)]
        try:
            expected = jax.eval_shape(lambda *a, at=at: function(at["n"], at["m"], *a), *described(at))
        except REFUSALS as error:
            if text in WITHOUT_RULE:
                continue
            assert path.error is not None, f"at {at} JAX says {error}, recorded {path.value}"
            continue
        assert path.error is None, f"at {at} JAX gives {expected}, recorded {path.error!r}"
        mine, theirs = leaves(path.value), leaves(expected)
        assert [shape_of(a, at) for a in mine] == [tuple(b.shape) for b in theirs], f"at {at}"
        for a, b in zip(mine, theirs, strict=True):
            if is_stand_in(a):
                assert str(a.dtype) == str(b.dtype), f"at {at}"


@pytest.mark.parametrize("text", [*ELEMENTWISE[::2], *SHAPES[::2], *REDUCTIONS[::2], *TRANSFORMED[::2]])
def test_the_recorded_graph_computes_what_jax_computes(text: str) -> None:
    at = {"n": 2, "m": 3}
    function = built(text)
    paths = explore(lambda: symbolic(function), Scope.of("n m"))
    (path,) = [p for p in paths if all(true_at(c, at) for c in p.conditions)]
    outputs = [leaf for leaf in leaves(path.value) if is_stand_in(leaf)] if path.error is None else []
    if not outputs or any(isinstance(n.op, Opaque) for n in path.graph.reaching(tuple(o.node for o in outputs))):
        return  # refused, or not followed
    random = np.random.default_rng(7)
    real = {}
    for name, (shape, element) in ARRAYS.items():
        drawn = random.integers(0, 2, tuple(at.get(s, 0) or int(s) for s in shape)) + (0.25 if "f" in element else 0)
        real[name] = jnp.asarray(drawn).astype(element)
    expected = [np.asarray(b, dtype=np.float64) for b in leaves(function(2, 3, *real.values()))]
    try:
        with np.errstate(all="ignore"):
            found = run_nodes([o.node for o in outputs], at, {k: np.asarray(v) for k, v in real.items()})
    except AttributeError as error:
        assert "module 'numpy' has no attribute" in str(error)  # erf and its like
        return
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.asarray(a, dtype=np.float64), b, rtol=2e-2, atol=1e-3)


@pytest.mark.parametrize("element", ["bool", "int8", "uint8", "int16", "int32", "uint32", "float16", "bfloat16"])
@pytest.mark.parametrize("name", ["sum", "prod", "nansum", "cumsum", "cumprod", "max", "count_nonzero", "argmax"])
def test_sums_have_the_element_type_of_jax(name: str, element: str) -> None:
    """Small integers grow where all is added up, and do not where sums go on."""
    real = getattr(jnp, name)(jnp.ones((3, 2), element))
    with recording(Graph()):
        made = getattr(jnp, name)(front_end_of(jax.Array).symbolic("x", (3, 2), element))
    assert str(made.dtype) == str(real.dtype)
