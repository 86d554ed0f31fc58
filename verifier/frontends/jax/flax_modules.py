"""Flax: what in its modules does not go through JAX's public names, and how its objects are made and called.

Its own Python runs on the stand-ins: layers, transformations, splitting and merging. Nothing here imports it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...dims import is_dim
from ...terms import Term
from ..front_end import is_stand_in
from ..numpy.array import unsupported
from ..recording import graph_at_work
from .engine import jax
from .levels import TraceState, at_work

REFUSALS = frozenset({"TraceContextError", "JaxTransformError"})
"""What Flax raises where a traced function would change what was made outside it."""


# -- inside a run ---------------------------------------------------------------------------------


class _SizeOrInt(type):
    def __call__(cls, *args: Any, **options: Any) -> Any:
        value = args[0] if args else None
        size = value.size if type(value) is Term else value
        return size if is_dim(size) else int(*args, **options)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, int)


class SizeOrInt(metaclass=_SizeOrInt):
    """Python's `int` for a module that makes sure of its sizes by `int(np.prod(shape))`."""


def _keeping_sizes(_: Any) -> Any:
    return SizeOrInt


def _has_places(_: Any) -> Callable[[Any], bool]:
    """A variable of Flax where a truth value is wanted: Python asks its length, which is a size."""

    def truth(variable: Any) -> bool:
        value = variable.get_value()
        return bool(value.shape[0] != 0) if is_stand_in(value) and value.shape else bool(value)

    return truth


def _of_this_run(trace: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A check of Flax's before an object is changed: what was made before the run outlives it."""

    def rule(before: Callable[..., Any]) -> Callable[..., Any]:
        def check(self: Any, *args: Any, **options: Any) -> Any:
            known = trace(self)
            if graph_at_work() is None or at_work() or isinstance(known, TraceState):
                return before(self, *args, **options)
            if type(self).__name__ == "RngCount":  # how often a stream was asked: its draws are not followed anyway
                return None
            raise unsupported(f"a change of a {type(self).__name__} that outlives the call", "pass it as an argument")

        return check

    return rule


def _refused(name: str, remedy: str) -> Callable[[Any], Any]:
    """A function of Flax that asks JAX's own tracing, as what people know it by."""

    def rule(before: Callable[..., Any]) -> Callable[..., Any]:
        def refuse(*args: Any, **options: Any) -> Any:
            if graph_at_work() is None:
                return before(*args, **options)
            raise unsupported(name, remedy)

        return refuse

    return rule


def _of_variable(variable: Any) -> Any:
    return variable._trace_state.jax_trace  # pyright: ignore[reportPrivateUsage]


def _of_object(made: Any) -> Any:
    return made._pytree__state.trace_state.jax_trace  # pyright: ignore[reportPrivateUsage]


PARTS: Mapping[str, tuple[tuple[str, str, Callable[[Any], Any]], ...]] = {
    "flax.nnx.nn.linear": (("", "int", _keeping_sizes),),
    "flax.linen.linear": (("", "int", _keeping_sizes),),
    "flax.core.axes_scan": (("", "scan", _refused("flax.linen.scan", "a loop over the layers, or nnx.scan")),),
    "flax.nnx.variablelib": (
        ("Variable", "__bool__", _has_places),
        ("Variable", "_check_can_update", _of_this_run(_of_variable)),
    ),
    "flax.nnx.pytreelib": (("Pytree", "_check_valid_context", _of_this_run(_of_object)),),
}
"""(class or nothing, attribute, rule) by module."""
ADDED = {
    ("flax.nnx.nn.linear", "", "int"),
    ("flax.linen.linear", "", "int"),
    ("flax.nnx.variablelib", "Variable", "__bool__"),
}
"""What is not there outside a run."""


# -- making and calling ---------------------------------------------------------------------------


def streams(hint: type, key: Callable[[], Any]) -> Any:
    """`nnx.Rngs` or one of its streams, from a key; None of any other class."""
    if hint.__module__ != "flax.nnx.rnglib" or hint.__name__ not in ("Rngs", "RngStream"):
        return None
    return hint(key()) if hint.__name__ == "Rngs" else hint(key(), tag="default")


def bound(function: Callable[..., Any], args: Sequence[Any]) -> Callable[..., Any] | None:
    """A method of a Linen module as `init` and then `apply` run it; None of anything else.

    Linen's modules have their parameters only there; what is called is the class's own method, which sets up.
    """
    module = sys.modules.get("flax.linen.module")
    owner = type(args[0]) if args else object
    if module is None or not issubclass(owner, module.Module):
        return None
    method = getattr(owner, function.__name__, None)
    if method is None or inspect.unwrap(method) is not function:
        return None

    def inside(instance: Any, *rest: Any, **named: Any) -> Any:
        key = jax.random.key(0)
        variables = instance.init(key, *rest, method=method, **named)
        value, _ = instance.apply(variables, *rest, method=method, rngs=key, mutable=True, **named)
        return value

    return inside
