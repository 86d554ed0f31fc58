"""Flax's state, levels of tracing and what cannot be followed: refused by name and line, and Flax is itself again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from verifier.check.finding import Report

pytest.importorskip("jax", reason="the extra [jax] is not installed")
pytest.importorskip("flax", reason="Flax is not installed")

Told = Callable[..., Report]
HEAD = """
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import nnx
from jaxtyping import Array, Float

norm = nnx.BatchNorm(4, rngs=nnx.Rngs(0))
layer = nnx.Linear(4, 4, rngs=nnx.Rngs(0))
streams = nnx.Rngs(0)


class Drop(nnx.Module):
    def __init__(self, width: int, *, rngs: nnx.Rngs):
        self.dropout, self.width = nnx.Dropout(0.5, rngs=rngs), width
        self.calls = nnx.Variable(jnp.zeros((), int))

    def counted(self, x):
        self.calls[...] += 1
        return x

"""
LINE = 'def f(model: Drop, x: Float[Array, "n 4"]) -> Float[Array, "n 4"]:'
REFUSED = {
    "return norm(x)": "a change of a BatchStat that outlives the call",
    "layer.last = x\n    return x": "a change of a Linear that outlives the call",
    "return x if model.calls[...] + x[0, 0] > 0 else x": "a branch on the values",
    "return nn.RNN(nn.LSTMCell(4)).init_with_output(jax.random.key(0), x[None])[0][0]": "flax.linen.scan",
    "return nnx.pmap(lambda y: y)(x)": "jax.pmap",
}
ALLOWED = {
    "read": "return layer(x)",
    "eval": "norm_here = nnx.clone(norm)\n    return norm_here(x)",
    "global stream": "return x + streams.normal(x.shape)",
    "dropout": "return model.dropout(x)",
    "counted": "return model.counted(x)",
    "in nnx.jit": "return nnx.jit(lambda m, y: m.counted(y))(model, x)",
    "in nnx.grad": "return nnx.grad(lambda m, y: m.counted(y).sum(), argnums=1)(model, x)",
    "made inside": "return jax.jit(lambda y: nnx.Dropout(0.5, rngs=nnx.Rngs(0))(y))(x)",
    "mapped": "return jax.vmap(lambda y: layer(y))(x)",
    "split streams": (
        "axes = nnx.StateAxes({nnx.RngState: 0, ...: None})\n"
        "    run = nnx.vmap(lambda m, y: m.dropout(y), in_axes=(axes, 0))\n"
        "    return nnx.split_rngs(splits=x.shape[0])(run)(model, x)"
    ),
}
LEVELS = {
    "vmap": "return jax.vmap(model.dropout)(x)",
    "jit": "return jax.jit(model.counted)(x)",
    "grad": "return jax.grad(lambda y: model.counted(y).sum())(x)",
    "scan": "return jax.lax.scan(lambda c, y: (c, model.counted(y)), 0, x)[1]",
    "cond": "return jax.lax.cond(x.sum() > 0, model.counted, lambda y: y, x)",
    "remat": "return jax.checkpoint(model.counted)(x)",
}


def written(body: str) -> str:
    return f"{HEAD}{LINE}\n    {body}\n"


@pytest.mark.parametrize("body", REFUSED)
def test_what_cannot_be_followed_is_refused_by_name(told: Told, body: str) -> None:
    report = told(written(body))
    assert report.verdict not in ("PROVED", "PROVED_IF", "BOUNDED", "REFUTED") or "pmap" in body, report
    (note,) = [f for f in report.findings if f.code == "ATT041"]
    assert REFUSED[body] in note.message
    assert note.line > HEAD.count("\n")


@pytest.mark.parametrize("name", ALLOWED)
def test_state_that_flax_carries_along_is_followed(told: Told, name: str) -> None:
    assert told(written(ALLOWED[name])).verdict == "PROVED"
    wrong = written(ALLOWED[name]).replace('-> Float[Array, "n 4"]', '-> Float[Array, "4 n"]')
    assert told(wrong).verdict == "REFUTED"


@pytest.mark.parametrize("name", LEVELS)
def test_a_change_inside_one_of_jaxs_own_transformations_is_found(told: Told, name: str) -> None:
    report = told(written(LEVELS[name]))
    (finding,) = [f for f in report.findings if f.severity == "error"]
    assert "TraceContextError" in finding.message and finding.replayed


def test_flax_is_itself_again_after_a_run(told: Told) -> None:
    import jax.numpy as jnp
    from flax import linen, nnx
    from flax.nnx.nn import linear

    told(written("return layer(x)"))
    assert "int" not in vars(linear) and "__bool__" not in vars(nnx.Variable)
    layer = nnx.LinearGeneral(3, (2, 5), rngs=nnx.Rngs(0))
    assert nnx.jit(lambda m, x: m(x))(layer, jnp.ones((4, 3))).shape == (4, 2, 5)
    assert linen.Dense(2).init_with_output(nnx.Rngs(0)(), jnp.ones((4, 3)))[0].shape == (4, 2)


def test_nothing_of_ours_imports_flax() -> None:
    import subprocess
    import sys

    code = "import verifier.cli, verifier.frontends.jax, sys; sys.exit('flax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
