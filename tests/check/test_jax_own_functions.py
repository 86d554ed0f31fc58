"""Functions of JAX's that know one another, primitives of the code under test, and Equinox as the code under test."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from verifier.check.finding import Report

pytest.importorskip("jax", reason="the extra [jax] is not installed")

from verifier.check.discovery import Target
from verifier.check.pool import Options, check
from verifier.frontends.front_end import prepare_frameworks

Told = Callable[..., Report]
HEAD = """
import jax
import jax.numpy as jnp
from jax import lax
from jax.extend.core import Primitive
from jaxtyping import Array, Float

doubled_p = Primitive("doubled")

def doubled(x):
    return doubled_p.bind(x)

@doubled_p.def_impl
def _doubled(x):
    return jnp.concatenate([x, x], axis=-1)

@doubled_p.def_abstract_eval
def _shape(x):
    return jax.core.ShapedArray((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)

"""


def test_a_sum_over_windows_is_known_for_one() -> None:
    import jax

    prepare_frameworks()
    x = jax.numpy.ones((4, 4))
    made = jax.lax.reduce_window(x, 0, jax.lax.add, (2, 2), (2, 2), "VALID")  # 0 is an int: only a sum takes it
    assert made.shape == (2, 2) and float(made[0, 0]) == 4


@pytest.mark.parametrize(("result", "verdict"), [("n 2*d", "PROVED"), ("n d", "REFUTED")])
def test_a_primitive_is_what_it_is_evaluated_by(told: Told, result: str, verdict: str) -> None:
    source = f'def f(x: Float[Array, "n d"]) -> Float[Array, "{result}"]:\n    return doubled(x)'
    assert told(HEAD + source).verdict == verdict


def test_a_primitive_of_jaxs_is_refused_by_name(told: Told) -> None:
    report = told(
        HEAD + 'def f(x: Float[Array, "n d"]) -> Float[Array, "n d"]:\n    return lax.sin_p.bind(x, accuracy=None)'
    )
    assert report.verdict in ("TESTED", "UNSUPPORTED") and "the primitive sin" in report.reason


def test_equinox_is_checked_like_any_package() -> None:
    pytest.importorskip("equinox", reason="Equinox is not installed")
    checked = check([Target(None, "equinox.nn._normalisation", "LayerNorm.__call__")], Options())
    (report,) = checked.reports
    assert report.verdict == "PROVED_IF", report.reason
    assert "shape_0 == self.shape" in report.assumptions
    (report,) = check([Target(None, "equinox._unvmap", "unvmap_any")], Options()).reports
    assert report.verdict == "PROVED", report.reason
