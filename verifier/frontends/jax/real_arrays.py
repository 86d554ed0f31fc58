"""Real arrays of JAX that meet symbols: their methods leave the work to the stand-in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

from ..numpy.array import unsupported
from ..recording import graph_at_work
from .array import COMPARISONS, OPERATORS, SymbolicJaxArray
from .engine import Primitive, jax, jnp
from .lowering import holds_symbols, lifted
from .table import rule

METHODS = ("reshape", "transpose", "astype", "repeat", "take", "dot", "clip", "sum", "mean", "max", "min", "swapaxes")


def class_patches(fresh: Sequence[str]) -> Iterator[tuple[Any, str, Any, Any]]:
    """(class, name, JAX's, ours) for what real arrays and custom derivatives do with symbols."""
    if "jax" not in fresh:
        return
    kind: Any = type(jnp.zeros(()))
    for name in (*(f"__{s}__" for s in (*OPERATORS, *COMPARISONS)), *(f"__r{s}__" for s in OPERATORS)):
        before = getattr(kind, name, None)
        if before is not None:
            yield kind, name, before, _deferring(name, before)
    for name in METHODS:
        before = getattr(kind, name, None)
        if before is not None:
            yield kind, name, before, _lifting(name, before)
    yield kind, "__getitem__", kind.__getitem__, _lifting("__getitem__", kind.__getitem__)
    yield kind, "at", kind.at, _at(kind.at)
    for derivative in (jax.custom_jvp, jax.custom_vjp):
        yield derivative, "__call__", derivative.__call__, _plainly(derivative.__call__)
    scalar: Any = type(jnp.float32)
    yield scalar, "__call__", scalar.__call__, _scalar(scalar.__call__)
    yield Primitive, "bind", Primitive.bind, _evaluated(Primitive.bind)


def _deferring(name: str, before: Callable[..., Any]) -> Callable[..., Any]:
    """An operator that lets the stand-in, a size or a term on the right decide."""

    def operator(self: Any, other: Any) -> Any:
        if holds_symbols(other) and graph_at_work() is not None:
            if type(other) is SymbolicJaxArray:
                return NotImplemented
            return getattr(SymbolicJaxArray(lifted(self)), name)(other)
        return before(self, other)

    operator.__name__ = name
    return operator


def _lifting(name: str, before: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        if graph_at_work() is not None and (holds_symbols(args) or holds_symbols(options)):
            return getattr(SymbolicJaxArray(lifted(self)), name)(*args, **options)
        return before(self, *args, **options)

    method.__name__ = name
    return method


def _at(before: Any) -> property:
    class Choosing:
        """`x.at` of a real array."""

        def __init__(self, array: Any) -> None:
            self.array = array

        def __getitem__(self, key: Any) -> Any:
            real = before.__get__(self.array)
            if graph_at_work() is None:
                return real[key]
            return Chosen(self.array, real, key)

    class Chosen:
        """`x.at[key]`: symbolic where the key or the values are."""

        def __init__(self, array: Any, real: Any, key: Any) -> None:
            self.array, self.real, self.key = array, real, key

        def __getattr__(self, name: str) -> Any:
            def update(*args: Any, **options: Any) -> Any:
                if holds_symbols(self.key) or holds_symbols(args):
                    return getattr(SymbolicJaxArray(lifted(self.array)).at[self.key], name)(*args, **options)
                return getattr(self.real[self.key], name)(*args, **options)

            return update

    return property(Choosing)


def _plainly(before: Callable[..., Any]) -> Callable[..., Any]:
    """A function with derivatives of its own, within a run: the function."""

    def call(self: Any, *args: Any, **options: Any) -> Any:
        if graph_at_work() is not None and (holds_symbols(list(args)) or holds_symbols(options)):
            return self.fun(*args, **options)
        return before(self, *args, **options)

    return call


def _evaluated(before: Callable[..., Any]) -> Callable[..., Any]:
    """A primitive of the code under test: what it does is the function that it was given for running (`def_impl`)."""

    def bind(self: Any, *args: Any, **options: Any) -> Any:
        if graph_at_work() is None or not (holds_symbols(args) or holds_symbols(options)):
            return before(self, *args, **options)
        written = vars(self).get("impl")
        if type(written) is not FunctionType or written.__module__.partition(".")[0] in ("jax", "jaxlib"):
            raise unsupported(f"the primitive {self.name}", "call the function of jax.numpy or jax.lax that binds it")
        return written(*args, **options)

    return bind


def _scalar(before: Callable[..., Any]) -> Callable[..., Any]:
    """`jnp.float32(x)`: a conversion."""

    def call(self: Any, x: Any = 0, *args: Any, **options: Any) -> Any:
        if graph_at_work() is not None and holds_symbols(x):
            return rule("jax.numpy.asarray")(x, dtype=self.dtype)
        return before(self, x, *args, **options)

    return call
