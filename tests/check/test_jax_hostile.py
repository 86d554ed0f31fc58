"""What cannot be followed is refused by name and line; what decorates or hides a function is seen through."""

from __future__ import annotations

import linecache
from collections.abc import Callable

import pytest

from verifier.check.finding import Report

pytest.importorskip("jax", reason="the extra [jax] is not installed")

Told = Callable[..., Report]
HEAD = """
from functools import partial
import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

"""
XY = 'x: Float[Array, "n d"], y: Float[Array, "n d"]'
REFUSED = {
    "if x.sum() > 0:\n        return x\n    return y": "a branch on the values",
    "return jax.pure_callback(lambda a: a, jax.ShapeDtypeStruct(x.shape, x.dtype), x)": "jax.pure_callback",
    "return jax.pmap(lambda a: a)(x)": "jax.pmap",
    "return lax.psum(x, 'i')": "jax.lax.psum",
    "return jnp.asarray(x.tolist())": "Python number",
    "jax.make_jaxpr(lambda a: a)(x)\n    return x": "jax.make_jaxpr",
    "n = int(x.sum())\n    return x": "Python number",
    "return jnp.apply_along_axis(lambda r: r, 0, x) + float(x[0, 0])": "Python number",
    "return pl.pallas_call(lambda a, o: None, out_shape=x)(x)": "pallas_call",
}
SEEN_THROUGH = {
    "jit": "@jax.jit\ndef f({a}) -> {r}:\n    return x + y",
    "static": "@partial(jax.jit, static_argnums=(1,))\ndef g(x, k):\n    return x * k\n\ndef f({a}) -> {r}:\n    return g(x, 2) + y",
    "static names": "@partial(jax.jit, static_argnames='k')\ndef g(x, k=1):\n    return x * k\n\ndef f({a}) -> {r}:\n    return g(x, k=3)",
    "made at import": "double = jax.jit(lambda a: a * 2)\nmany = jax.vmap(double)\n\ndef f({a}) -> {r}:\n    return many(x) + y",
    "bound by name": "from jax.numpy import einsum as es\nfrom jax.nn import softmax\n\ndef f({a}) -> {r}:\n    return softmax(es('nd,md->nm', x, y)) @ y",
    "partial": "act = partial(jax.nn.gelu, approximate=False)\n\ndef f({a}) -> {r}:\n    return act(x)",
    "table": "ACT = {{'relu': jax.nn.relu, 'silu': jax.nn.silu}}\n\ndef f({a}) -> {r}:\n    return ACT['silu'](x)",
    "default": "def f({a}, act=jnp.tanh) -> {r}:\n    return act(x)",
    "custom vjp": "@jax.custom_vjp\ndef g(x):\n    return x * 2\ng.defvjp(lambda x: (g(x), None), lambda _, c: (c,))\n\ndef f({a}) -> {r}:\n    return g(x)",
    "custom jvp": "@jax.custom_jvp\ndef g(x):\n    return x * 2\ng.defjvp(lambda p, t: (g(*p), t[0]))\n\ndef f({a}) -> {r}:\n    return jax.grad(lambda a: g(a).sum())(x)",
    "debug": "def f({a}) -> {r}:\n    jax.debug.print('x {{}}', x)\n    return x",
    "scope": "def f({a}) -> {r}:\n    with jax.named_scope('attention'):\n        return x",
    "checkpoint": "@jax.checkpoint\ndef g(x):\n    return x\n\ndef f({a}) -> {r}:\n    return jax.checkpoint(g, policy=None)(x)",
    "tree": "def f({a}) -> {r}:\n    return jax.tree.map(lambda p, q: p + q, {{'a': x}}, {{'a': y}})['a']",
    "numpy between": "import numpy as np\n\ndef f({a}) -> {r}:\n    return x * np.float32(2) + np.ones(x.shape[1], np.float32)",
    "type checks": "def f({a}) -> {r}:\n    assert isinstance(x, jax.Array) and x.dtype == jnp.float32 and jnp.issubdtype(x.dtype, jnp.floating)\n    return x",
    "shard": "def f({a}) -> {r}:\n    return lax.with_sharding_constraint(x, None) if False else jax.device_put(x)",
    "method": "class M:\n    @jax.jit\n    def g(self, x):\n        return x\n\ndef f({a}) -> {r}:\n    return M().g(x)",
    "ufunc": "def f({a}) -> {r}:\n    return jnp.add(x, y)",
    "scan of closure": "def f({a}) -> {r}:\n    def step(c, r):\n        return c, r + y.sum(0)\n    return lax.scan(step, 0, x)[1]",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_cannot_be_followed_is_refused_by_name(told: Told, body: str) -> None:
    report = told(f'{HEAD}def f({XY}) -> Float[Array, "n d"]:\n    {body}\n')
    assert report.verdict not in ("PROVED", "PROVED_IF", "BOUNDED")
    (note,) = [f for f in report.findings if f.code == "ATT041"]
    assert REFUSED[body] in note.message
    assert note.line > 1


@pytest.mark.parametrize("name", SEEN_THROUGH)
def test_what_decorates_or_hides_a_function_is_seen_through(told: Told, name: str) -> None:
    source = SEEN_THROUGH[name].format(a=XY, r='Float[Array, "n d"]')
    assert told(HEAD + source).verdict == "PROVED"
    wrong = SEEN_THROUGH[name].format(a=XY, r='Float[Array, "d n"]')
    assert told(HEAD + wrong).verdict == "REFUTED"


def test_a_mistake_in_a_compiled_helper_is_found_at_its_line(told: Told) -> None:
    report = told(
        f'{HEAD}@jax.jit\ndef g(x, y):\n    return x @ y\n\ndef f({XY}) -> Float[Array, "n n"]:\n    return g(x, y)\n'
    )
    (finding,) = report.findings
    assert (finding.code, report.verdict) == ("ATT002", "REFUTED")
    assert "return x @ y" in linecache.getline(finding.file, finding.line)


def test_single_precision_is_the_default_and_x64_is_not_forgotten(told: Told) -> None:
    made = f'{HEAD}def f(x: Float[Array, "n"]) -> {{0}}[Array, "n"]:\n    return x + jnp.arange(x.shape[0])\n'
    source = made.replace("import jax\n", "import jax\nfrom jaxtyping import Float32, Float64\n")
    assert told(source.format("Float32")).verdict == "PROVED"
    assert told(source.format("Float64")).verdict == "REFUTED"


def test_jax_is_itself_again_after_a_run(told: Told) -> None:
    import jax
    import jax.numpy as jnp

    told(f'{HEAD}def f({XY}) -> Float[Array, "n d"]:\n    return jax.nn.softmax(x)\n')
    assert jnp.arange(3).at[0].set(5).tolist() == [5, 1, 2]
    assert jax.jit(lambda a: a + 1)(2) == 3 and jax.vmap(lambda a: a * 2)(jnp.ones(2)).shape == (2,)
    assert jax.grad(lambda a: a**2)(3.0) == 6.0
