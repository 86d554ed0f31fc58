"""jax.random and jax.nn.initializers: shapes are known, values are drawn once and not followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...graph.node import require
from ...graph.ops import Opaque
from ..numpy.lower import broadcast_shapes, normal_axis, record
from .array import KEY, SymbolicJaxArray
from .creation import shape_of
from .elementwise import element_type
from .lowering import lifted
from .table import RULES, implements
from .types import jax_types, promoted


def drawn(shape: Any, dtype: Any, *sources: Any) -> SymbolicJaxArray:
    """An array of that shape, of which each element may depend on all sources."""
    extent = shape_of(shape)
    for size in extent:
        require(size >= 0, "a size is not negative")
    with jax_types():
        nodes = [lifted(s).node for s in sources if hasattr(s, "dtype")]
        op = Opaque("random", extent, (None,) * len(extent))
        return SymbolicJaxArray(record(op, *nodes, dtype=element_type(dtype)))


def single(key: Any) -> None:
    """States that a key is one, and no row of keys."""
    if hasattr(key, "dtype") and lifted(key).dtype == KEY and lifted(key).shape:
        raise ValueError("a single key is wanted, not an array of them; use jax.vmap for batching")


def _standard(places: tuple[str, ...], dtype: Any) -> Callable[..., Any]:
    """A distribution `f(key, *parameters, shape, dtype)`; without a shape the parameters' own."""

    def row(key: Any, *args: Any, **options: Any) -> SymbolicJaxArray:
        known = {**dict(zip(places, args, strict=False)), **options}
        parameters = [v for n, v in known.items() if n not in ("shape", "dtype", "out_sharding", "mode", "method")]
        shape = known.get("shape")
        single(key)
        theirs = [lifted(p).shape for p in parameters if hasattr(p, "shape")]
        if shape is None:
            shape = broadcast_shapes(theirs or [()], "parameters")
        else:
            extent = shape_of(shape)
            common = broadcast_shapes([extent, *theirs], "parameters")
            require(len(common) == len(extent), "parameters of a distribution have no more axes than its shape")
            for size, wanted in zip(common, extent, strict=True):
                require(size == wanted, "parameters of a distribution fit its shape")
        given = known.get("dtype")
        return drawn(shape, dtype if given is None else given, key)

    return row


NORMAL = ("shape", "dtype")
DISTRIBUTIONS: dict[str, tuple[tuple[str, ...], Any]] = {
    **dict.fromkeys(("normal", "gumbel", "laplace", "cauchy", "exponential", "logistic", "maxwell"), (NORMAL, float)),
    "uniform": (("shape", "dtype", "minval", "maxval"), float),
    "truncated_normal": (("lower", "upper", "shape", "dtype"), float),
    "bernoulli": (("p", "shape"), bool),
    "rademacher": (NORMAL, int),
    "bits": (NORMAL, np.uint32),
    "randint": (("shape", "minval", "maxval", "dtype"), int),
    **dict.fromkeys(("gamma", "loggamma", "pareto"), (("a", "shape", "dtype"), float)),
    **dict.fromkeys(("beta",), (("a", "b", "shape", "dtype"), float)),
    "poisson": (("lam", "shape", "dtype"), int),
    "t": (("df", "shape", "dtype"), float),
}
for _name, (_places, _dtype) in DISTRIBUTIONS.items():
    RULES[f"jax.random.{_name}"] = _standard(_places, _dtype)


@implements("jax.random.split")
def _split(key: Any, num: Any = 2) -> SymbolicJaxArray:
    """So many keys: of the new kind, or rows of two words."""
    old = lifted(key)
    tail = () if old.dtype == KEY else old.shape[-1:]
    extent = (*shape_of(num), *tail)
    with jax_types():
        op = Opaque("random", extent, (None,) * len(extent))
        return SymbolicJaxArray(record(op, old.node, dtype=old.dtype))


@implements("jax.random.fold_in")
def _fold_in(key: Any, data: Any) -> SymbolicJaxArray:
    old = lifted(key)
    return SymbolicJaxArray(record(Opaque("random", old.shape, (None,) * old.ndim), old.node, dtype=old.dtype))


@implements("jax.random.key", "jax.random.PRNGKey")
def _key(seed: Any, **_: Any) -> SymbolicJaxArray:
    return SymbolicJaxArray(record(Opaque("random", (), ()), lifted(seed).node, dtype=KEY))


@implements("jax.random.key_data")
def _key_data(keys: Any) -> SymbolicJaxArray:
    return drawn((*lifted(keys).shape, 2), np.uint32, keys)


@implements("jax.random.clone")
def _clone(key: Any) -> Any:
    return key


@implements("jax.random.permutation")
def _permutation(key: Any, x: Any, axis: int = 0, independent: bool = False, **_: Any) -> SymbolicJaxArray:
    if not hasattr(x, "dtype"):
        return drawn((x,), int, key)
    array = lifted(x)
    place = normal_axis(axis, array.ndim)
    origin = tuple(None if i == place else i for i in range(array.ndim))
    return SymbolicJaxArray(
        record(Opaque("random", array.shape, origin), array.node, lifted(key).node, dtype=array.dtype)
    )


@implements("jax.random.choice")
def _choice(key: Any, a: Any, shape: Any = (), replace: bool = True, p: Any = None, axis: int = 0, **_: Any) -> Any:
    if not hasattr(a, "dtype"):
        return drawn(shape, int, key)
    array = lifted(a)
    place = normal_axis(axis, array.ndim)
    return drawn((*array.shape[:place], *shape_of(shape), *array.shape[place + 1 :]), array.dtype, key, a)


@implements("jax.random.categorical")
def _categorical(key: Any, logits: Any, axis: int = -1, shape: Any = None, **_: Any) -> SymbolicJaxArray:
    array = lifted(logits)
    place = normal_axis(axis, array.ndim)
    return drawn(tuple(s for i, s in enumerate(array.shape) if i != place) if shape is None else shape, int, key, array)


@implements("jax.random.multivariate_normal")
def _multivariate_normal(key: Any, mean: Any, cov: Any, shape: Any = None, dtype: Any = None, **_: Any) -> Any:
    centre, spread = lifted(mean), lifted(cov)
    batch = broadcast_shapes([centre.shape[:-1], spread.shape[:-2]], "parameters") if shape is None else shape
    return drawn((*batch, centre.shape[-1]), promoted(mean, cov)[0] if dtype is None else dtype, key, mean, cov)


def initializer(*_: Any, **settings: Any) -> Callable[..., Any]:
    """What `jax.nn.initializers.lecun_normal()` and its like make: `init(key, shape, dtype)`."""

    def init(key: Any, shape: Any, dtype: Any = None, **__: Any) -> SymbolicJaxArray:
        known = settings.get("dtype")
        return drawn(shape, dtype if dtype is not None else (float if known is None else known), key)

    return init


def _filling(value: Any) -> Callable[..., Any]:
    def init(key: Any, shape: Any, dtype: Any = float, **_: Any) -> SymbolicJaxArray:
        return RULES["jax.numpy.full"](shape, value, dtype)

    return init


RULES["jax.nn.initializers.zeros"], RULES["jax.nn.initializers.ones"] = _filling(0), _filling(1)
