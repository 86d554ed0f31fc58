"""Flax's layers on the stand-ins are held against Flax itself: at every small size one shape, or both refuse.

The parameters of both are drawn alike, so that the values of the recorded graph are compared too.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra [jax] is not installed")
pytest.importorskip("flax", reason="Flax is not installed")
import jax.numpy as jnp  # noqa: E402
from flax import nnx  # noqa: E402

from verifier.dims import Scope, is_dim, symbol  # noqa: E402
from verifier.dims.dim import evaluate  # noqa: E402
from verifier.errors import Unsupported  # noqa: E402
from verifier.frontends import explore  # noqa: E402
from verifier.frontends.explorer import Path  # noqa: E402
from verifier.frontends.front_end import front_end_of, is_stand_in  # noqa: E402
from verifier.graph.ops import Opaque  # noqa: E402
from verifier.graph.run import run_nodes  # noqa: E402
from verifier.prove.search import true_at  # noqa: E402

ARRAYS: dict[str, tuple[tuple[str, ...], str]] = {
    "x": (("n", "m"), "float32"),
    "t": (("2", "n", "m"), "float32"),
    "image": (("2", "n", "4", "m"), "float32"),
    "heads": (("2", "n", "4", "m"), "float32"),
    "pairs": (("2", "n", "2", "m"), "float32"),
    "i": (("2", "n"), "int32"),
    "c": (("2", "n"), "bool"),
}
LAYERS: dict[str, tuple[str, ...]] = {
    "nnx.Linear(m, 3, rngs=rngs)": ("x", "t"),
    "nnx.Linear(n, m, rngs=rngs)": ("x",),
    "nnx.Linear(m, n, use_bias=False, dtype=jnp.bfloat16, rngs=rngs)": ("t",),
    "nnx.LinearGeneral(m, (n, 2), rngs=rngs)": ("x", "t"),
    "nnx.LinearGeneral((n, m), 3, axis=(-2, -1), rngs=rngs)": ("t", "x"),
    "nnx.LinearGeneral(m, 3, batch_axis={0: 2}, rngs=rngs)": ("t",),
    "nnx.Einsum('bnm,mk->bnk', (m, n), (n,), rngs=rngs)": ("t",),
    "nnx.Embed(5, m, rngs=rngs)": ("i",),
    "nnx.LayerNorm(m, rngs=rngs)": ("x", "t"),
    "nnx.LayerNorm(n, rngs=rngs)": ("x",),
    "nnx.LayerNorm(m, use_bias=False, use_fast_variance=False, rngs=rngs)": ("t",),
    "nnx.RMSNorm(m, rngs=rngs)": ("x", "t"),
    "nnx.GroupNorm(4 * m, num_groups=2, rngs=rngs)": ("image.reshape(2, n, -1)",),
    "nnx.GroupNorm(m, num_groups=2, rngs=rngs)": ("t",),
    "nnx.InstanceNorm(m, rngs=rngs)": ("image",),
    "nnx.BatchNorm(m, rngs=rngs)": ("x", "t"),
    "nnx.BatchNorm(m, use_running_average=True, rngs=rngs)": ("t",),
    "nnx.BatchNorm(n, rngs=rngs)": ("x",),
    "nnx.Dropout(0.5, deterministic=True)": ("t",),
    "nnx.Dropout(0.5, rngs=rngs)": ("t",),
    "nnx.Conv(m, 3, kernel_size=(3,), rngs=rngs)": ("t",),
    "nnx.Conv(m, 3, kernel_size=(3,), padding='CAUSAL', rngs=rngs)": ("t",),
    "nnx.Conv(m, n, kernel_size=(2, 2), strides=2, padding='VALID', rngs=rngs)": ("image",),
    "nnx.ConvTranspose(m, 3, kernel_size=(2, 2), strides=(2, 2), rngs=rngs)": ("image",),
    "nnx.MultiHeadAttention(2, m, 6, rngs=rngs)": ("t", "t, t[:, :1]"),
    "nnx.MultiHeadAttention(2, 2 * m, rngs=rngs)": ("jnp.tile(t, 2)", "t"),
    "nnx.MultiHeadAttention(4, m, 8, n, num_kv_heads=2, rngs=rngs)": ("t",),
    "nnx.MultiHeadAttention(2, m, 2 * n, normalize_qk=True, rngs=rngs)": ("t",),
    "nnx.LoRA(m, 2, n, rngs=rngs)": ("t",),
    "nnx.Sequential(nnx.Linear(m, n, rngs=rngs), nnx.relu, nnx.LayerNorm(n, rngs=rngs))": ("t",),
    "nnx.LSTMCell(m, 3, rngs=rngs)": ("(jnp.zeros((n, 3)), jnp.zeros((n, 3))), x",),
    "nnx.GRUCell(m, n, rngs=rngs)": ("jnp.zeros((n, n)), x",),
    "nnx.RNN(nnx.SimpleCell(m, 3, rngs=rngs))": ("t",),
}
FUNCTIONS = (
    "nnx.dot_product_attention(heads, heads, heads)",
    "nnx.dot_product_attention(heads, pairs, pairs)",
    "nnx.dot_product_attention(pairs, heads, heads)",
    "nnx.dot_product_attention(heads, heads[:, :1], heads[:, :1])",
    "nnx.dot_product_attention(heads, heads, heads, mask=c[:, None, None, :])",
    "nnx.dot_product_attention(heads, heads, heads, mask=c[:, None, :, None])",
    "nnx.dot_product_attention(heads, heads, heads, is_causal=True)",
    "nnx.dot_product_attention(heads, heads, heads, bias=jnp.zeros((2, 1, n, n)) + c[:, None, :, None])",
    "nnx.nn.attention.dot_product_attention_weights(heads, heads)",
    "nnx.make_causal_mask(i)",
    "nnx.make_attention_mask(c, c)",
    "nnx.combine_masks(nnx.make_causal_mask(i), nnx.make_attention_mask(i > 0, i > 0))",
    "nnx.gelu(x) + nnx.silu(x) + nnx.tanh(x)",
    "nnx.softmax(t, axis=1)",
    "nnx.avg_pool(image, (2, 2), (2, 2))",
    "nnx.max_pool(image, (1, 3), padding='SAME')",
    "nnx.one_hot(i, m)",
    "nnx.glu(x)",
)
EXPRESSIONS = [f"{layer}({call})" for layer, calls in LAYERS.items() for call in calls] + list(FUNCTIONS)
REFUSALS = (TypeError, ValueError, IndexError, AssertionError, ZeroDivisionError)


class Drawn:
    """Parameters of a known size by their place: the same on both sides."""

    def __init__(self, make: Any) -> None:
        self.make = make

    def into(self, model: Any) -> Any:
        for name, place in (("param", nnx.Param), ("stat", nnx.BatchStat), ("lora", nnx.LoRAParam)):
            leaves, structure = jax.tree.flatten(nnx.state(model, place))
            made = [self.make(f"{name}{k}", leaf.shape, leaf.dtype) for k, leaf in enumerate(leaves)]
            nnx.update(model, jax.tree.unflatten(structure, made))
        return model


def built(text: str) -> Any:
    """The expression as a function: a layer in it gets drawn parameters before it is called."""
    layer = next((known for known in LAYERS if text.startswith(f"{known}(")), None)
    body = text if layer is None else f"drawn.into({layer}){text[len(layer) :]}"
    return eval(f"lambda drawn, rngs, n, m, {', '.join(ARRAYS)}: {body}", {"jnp": jnp, "jax": jax, "nnx": nnx})


def symbolic(function: Any) -> Any:
    front = front_end_of(jax.Array)
    n, m = symbol("n"), symbol("m")
    sizes = {"n": n, "m": m}
    arrays = [
        front.symbolic(name, tuple(sizes[s] if s in sizes else int(s) for s in shape), element)
        for name, (shape, element) in ARRAYS.items()
    ]
    drawn = Drawn(lambda name, shape, dtype: front.symbolic(name, tuple(shape), dtype.name))
    return function(drawn, nnx.Rngs(0), n, m, *arrays)


def real(function: Any, at: dict[str, int]) -> tuple[Any, dict[str, np.ndarray]]:
    used: dict[str, np.ndarray] = {}

    def make(name: str, shape: Any, dtype: Any) -> Any:
        draw = np.random.default_rng([len(name), *name.encode()])
        used[name] = (draw.random(shape) + 0.25).astype(np.float32)
        return jnp.asarray(used[name], dtype)

    arrays = []
    for name, (shape, element) in ARRAYS.items():
        draw = np.random.default_rng(len(name))
        extent = tuple(at.get(s, 0) or int(s) for s in shape)
        values = draw.random(extent) - 0.25 if element == "float32" else draw.integers(0, 2, extent)
        used[name] = values.astype(element)
        arrays.append(jnp.asarray(used[name]))
    return function(Drawn(make), nnx.Rngs(0), at["n"], at["m"], *arrays), used


def leaves(value: Any) -> list[Any]:
    return [leaf for leaf in jax.tree.leaves(value) if hasattr(leaf, "shape")]


def shape_of(leaf: Any, at: dict[str, int]) -> tuple[int, ...]:
    return tuple(evaluate(s, at) if is_dim(s) else int(s) for s in leaf.shape)


def holding(paths: list[Path], at: dict[str, int]) -> Path:
    (path,) = [p for p in paths if all(true_at(c, at) for c in p.conditions)]
    return path


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_a_layer_on_sizes_does_as_flax_does(text: str) -> None:
    function = built(text)
    paths = explore(lambda: symbolic(function), Scope.of("n m"))
    for path in paths:
        assert not isinstance(path.error, Unsupported), path.error
    for n, m in itertools.product((1, 2, 3), repeat=2):
        at = {"n": n, "m": m}
        path = holding(paths, at)
        try:
            expected = jax.eval_shape(lambda at=at: leaves(real(function, at)[0]))
        except REFUSALS as error:
            assert path.error is not None, f"at {at} Flax says {error}, recorded {path.value}"
            continue
        assert path.error is None, f"at {at} Flax gives {expected}, recorded {path.error!r}"
        mine = leaves(path.value)
        assert [shape_of(a, at) for a in mine] == [tuple(b.shape) for b in expected], f"at {at}"
        assert [str(a.dtype) for a in mine] == [str(b.dtype) for b in expected], f"at {at}"


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_the_recorded_graph_computes_what_flax_computes(text: str) -> None:
    at = {"n": 2, "m": 3}
    function = built(text)
    path = holding(explore(lambda: symbolic(function), Scope.of("n m")), at)
    outputs = [leaf for leaf in leaves(path.value) if is_stand_in(leaf)] if path.error is None else []
    if not outputs or any(isinstance(n.op, Opaque) for n in path.graph.reaching(tuple(o.node for o in outputs))):
        return  # refused, or not followed
    expected, used = real(function, at)
    with np.errstate(all="ignore"):
        found = run_nodes([o.node for o in outputs], at, used)
    for a, b in zip(found, leaves(expected), strict=True):
        np.testing.assert_allclose(np.asarray(a, np.float64), np.asarray(b, np.float64), rtol=2e-2, atol=1e-3)
