"""jax.nn, written out in what it computes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...dims import is_dim
from ...graph.node import require
from ..numpy.array import unsupported
from ..numpy.lower import normal_axes, normal_axis
from .array import SymbolicJaxArray
from .arrays import holds_nothing
from .creation import size_of
from .elementwise import element_type
from .lowering import apply, lifted
from .table import RULES, implements, rule


def call(name: str, *args: Any, **options: Any) -> Any:
    return rule(f"jax.numpy.{name}")(*args, **options)


def _top(x: Any, axis: Any, where: Any) -> Any:
    """The maximum that is taken away before the exponential; of no elements it is minus infinity, and no error."""
    seen = x if where is None else call("where", where, x, -np.inf)
    array = lifted(seen)
    if not array.shape and axis is not None:
        normal_axes(axis, 0)
    if holds_nothing(array, axis):
        places = normal_axes(axis, array.ndim)
        return call("full", tuple(1 if i in places else s for i, s in enumerate(array.shape)), -np.inf)
    return call("max", seen, axis=axis, keepdims=True)


@implements("jax.nn.softmax", "jax.scipy.special.softmax")
def softmax(x: Any, axis: Any = -1, where: Any = None, initial: Any = None) -> SymbolicJaxArray:
    top = _top(x, axis, where)
    powers = call("exp", apply("subtract", x, top, inexact=True))
    if where is not None:
        powers = call("where", where, powers, 0)
    return apply("true_divide", powers, call("sum", powers, axis=axis, keepdims=True))


@implements("jax.nn.log_softmax", "jax.scipy.special.log_softmax")
def log_softmax(x: Any, axis: Any = -1, where: Any = None, initial: Any = None) -> SymbolicJaxArray:
    top = _top(x, axis, where)
    shifted = apply("subtract", x, top, inexact=True)
    powers = call("exp", shifted)
    return apply("subtract", shifted, call("log", call("sum", powers, axis=axis, keepdims=True, where=where)))


@implements("jax.nn.logsumexp", "jax.scipy.special.logsumexp")
def logsumexp(
    a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False, where: Any = None
) -> Any:
    if return_sign:
        raise unsupported("logsumexp with return_sign")
    top = _top(a, axis, where)
    powers = call("exp", apply("subtract", a, top, inexact=True))
    if b is not None:
        powers = apply("multiply", powers, b)
    whole = apply("add", call("log", call("sum", powers, axis=axis, keepdims=True, where=where)), top)
    return whole if keepdims else call("squeeze", whole, axis=axis)


@implements("jax.nn.sigmoid", "jax.lax.logistic", "jax.scipy.special.expit")
def sigmoid(x: Any, **_: Any) -> SymbolicJaxArray:
    return apply("true_divide", 1.0, apply("add", 1.0, call("exp", call("negative", x))), inexact=True)


@implements("jax.nn.relu")
def relu(x: Any) -> SymbolicJaxArray:
    return apply("maximum", x, 0)


@implements("jax.nn.relu6")
def relu6(x: Any) -> SymbolicJaxArray:
    return apply("minimum", relu(x), 6)


@implements("jax.nn.silu", "jax.nn.swish")
def silu(x: Any) -> SymbolicJaxArray:
    return apply("multiply", x, sigmoid(x), inexact=True)


@implements("jax.nn.gelu")
def gelu(x: Any, approximate: bool = True) -> SymbolicJaxArray:
    if approximate:
        cubed = apply("add", x, apply("multiply", 0.044715, apply("power", x, 3)), inexact=True)
        curve = call("tanh", apply("multiply", math.sqrt(2 / math.pi), cubed))
        return apply("multiply", x, apply("multiply", 0.5, apply("add", 1.0, curve)))
    curve = rule("jax.lax.erf")(apply("true_divide", x, math.sqrt(2.0), inexact=True))
    return apply("multiply", x, apply("multiply", 0.5, apply("add", 1.0, curve)))


@implements("jax.nn.softplus")
def softplus(x: Any) -> SymbolicJaxArray:
    return apply("logaddexp", x, 0.0, inexact=True)


@implements("jax.nn.log_sigmoid")
def log_sigmoid(x: Any) -> SymbolicJaxArray:
    return call("negative", softplus(call("negative", x)))


@implements("jax.nn.leaky_relu")
def leaky_relu(x: Any, negative_slope: Any = 1e-2) -> SymbolicJaxArray:
    positive = apply("greater_equal", x, 0, dtype=np.bool_)
    return call("where", positive, x, apply("multiply", negative_slope, x, inexact=True))


@implements("jax.nn.elu")
def elu(x: Any, alpha: Any = 1.0) -> SymbolicJaxArray:
    positive = apply("greater", x, 0, dtype=np.bool_)
    return call("where", positive, x, apply("multiply", alpha, call("expm1", x), inexact=True))


def _curve(name: str) -> Callable[..., Any]:
    return lambda x, *_, **__: apply(name, x, inexact=True)


for _name in ("selu", "celu", "hard_sigmoid", "hard_silu", "hard_tanh", "mish", "soft_sign", "squareplus", "log1mexp"):
    RULES[f"jax.nn.{_name}"] = _curve(_name)
RULES["jax.nn.hard_swish"], RULES["jax.nn.tanh"] = RULES["jax.nn.hard_silu"], RULES["jax.numpy.tanh"]
RULES["jax.nn.identity"] = lambda x: x


@implements("jax.nn.glu")
def glu(x: Any, axis: int = -1) -> SymbolicJaxArray:
    array = lifted(x)
    require(array.shape[normal_axis(axis, array.ndim)] % 2 == 0, "splitting the axis of glu into 2 equal parts")
    first, second = call("split", x, 2, axis)
    return apply("multiply", first, sigmoid(second))


@implements("jax.nn.standardize")
def standardize(
    x: Any, axis: Any = -1, mean: Any = None, variance: Any = None, epsilon: Any = 1e-5, where: Any = None
) -> SymbolicJaxArray:
    centre = call("mean", x, axis=axis, keepdims=True, where=where) if mean is None else mean
    if variance is None:
        squares = call("mean", call("square", x), axis=axis, keepdims=True, where=where)
        variance = apply("subtract", squares, call("square", centre))
    shifted = apply("subtract", x, centre, inexact=True)
    return apply("multiply", shifted, rule("jax.lax.rsqrt")(apply("add", variance, epsilon)))


@implements("jax.nn.one_hot")
def one_hot(x: Any, num_classes: Any, *, dtype: Any = None, axis: Any = -1) -> SymbolicJaxArray:
    array = lifted(x)
    place = normal_axis(axis, array.ndim + 1)
    classes = call("arange", size_of(num_classes))
    line = call("reshape", classes, tuple(-1 if i == place else 1 for i in range(array.ndim + 1)))
    hot = apply("equal", call("expand_dims", x, place), line, dtype=np.bool_)
    return call("astype", hot, float if dtype is None else element_type(dtype))


@implements("jax.nn.dot_product_attention")
def dot_product_attention(
    query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None, *, scale: Any = None,
    is_causal: bool = False, query_seq_lengths: Any = None, key_value_seq_lengths: Any = None,
    local_window_size: Any = None, implementation: Any = None, return_residual: bool = False, **_options: Any,
) -> SymbolicJaxArray:  # fmt: skip
    """Queries [b n h d], keys and values [b m g d], or without b; g divides h, heads in groups of neighbours.

    Source: jax.nn.dot_product_attention, implementation="xla".
    """
    if return_residual:
        raise unsupported("jax.nn.dot_product_attention with return_residual")
    lone = lifted(query).ndim == 3
    queries, keys, values = ((call("expand_dims", a, 0) if lone else a) for a in (query, key, value))
    for array, name in ((queries, "query"), (keys, "key"), (values, "value")):
        require(lifted(array).ndim == 4, f"{name} of dot_product_attention must have 3 or 4 axes")
    (b, n, h, d), (_, m, g, _) = lifted(queries).shape, lifted(keys).shape
    for size, wanted, what in _agreements(lifted(queries).shape, lifted(keys).shape, lifted(values).shape):
        require(size == wanted, f"dot_product_attention: {what}")
    require(h % g == 0, "splitting the query heads of dot_product_attention by those of the keys")
    groups = h // g
    grouped = call("reshape", queries, (b, n, g, groups, d))
    scores = call("einsum", "bngrd,bmgd->bgrnm", grouped, keys)
    factor = scale if scale is not None else apply("true_divide", 1.0, call("sqrt", d))
    scores = apply("multiply", scores, factor)
    if bias is not None:
        scores = apply("add", scores, _grouped(bias, b, g, groups, h, n, m, lone))
    hidden = _kept(mask, b, g, groups, h, n, m, lone)
    hidden += _structure(n, m, is_causal, local_window_size, query_seq_lengths, key_value_seq_lengths)
    for keep in hidden:
        scores = call("where", keep, scores, -0.7 * float(np.finfo(np.float32).max))
    weights = softmax(scores, axis=-1)
    out = call("einsum", "bgrnm,bmgd->bngrd", weights, values)
    out = call("reshape", out, (b, n, h, lifted(values).shape[-1]))
    return call("squeeze", out, 0) if lone else out


def _agreements(query: Any, key: Any, value: Any) -> list[tuple[Any, Any, str]]:
    return [
        (key[0], query[0], "batch sizes of query and key"),
        (key[3], query[3], "head sizes of query and key"),
        *((a, b, f"axis {i} of value and key") for i, (a, b) in enumerate(zip(value, key, strict=True))),
    ]


def _grouped(extra: Any, b: Any, g: Any, groups: Any, h: Any, n: Any, m: Any, lone: bool) -> Any:
    """A bias or mask [b|1 h|1 n|1 m|1] with its heads as groups; without a batch, [h|1 n|1 m|1]."""
    array = call("expand_dims", extra, 0) if lone and lifted(extra).ndim == 3 else extra
    shape = lifted(array).shape
    require(len(shape) == 4, "a bias or mask of dot_product_attention must have 3 or 4 axes")
    for size, wanted, what in zip(shape, (b, h, n, m), ("batch", "heads", "queries", "keys"), strict=True):
        require(size == wanted if not _is_one(size) else True, f"dot_product_attention: {what} of a bias or mask")
    if _is_one(shape[1]):
        return call("expand_dims", array, 1)
    return call("reshape", array, (shape[0], g, groups, *shape[2:]))


def _is_one(size: Any) -> bool:
    return not is_dim(size) and size == 1


def _kept(mask: Any, *sizes: Any) -> list[Any]:
    return [] if mask is None else [_grouped(mask, *sizes)]


def _structure(n: Any, m: Any, causal: bool, window: Any, queries: Any, keys: Any) -> list[Any]:
    """The masks that options ask for, each [n m] or with a batch in front."""
    rows = call("expand_dims", call("arange", n), 1)
    columns = call("expand_dims", call("arange", m), 0)
    kept: list[Any] = []
    if causal:
        kept.append(apply("greater_equal", rows, columns, dtype=np.bool_))
    if window is not None:
        before, after = window if isinstance(window, tuple) else (window, window)
        kept.append(apply("greater_equal", columns, apply("subtract", rows, before), dtype=np.bool_))
        kept.append(apply("less_equal", columns, apply("add", rows, after), dtype=np.bool_))
    for lengths, places in ((queries, rows), (keys, columns)):
        if lengths is not None:
            wide = call("reshape", lengths, (-1, 1, 1, 1, 1))
            kept.append(apply("less", places, wide, dtype=np.bool_))
    return kept
