"""Libraries on top of JAX: what in them does not go through JAX's public names.

Their modules are not rewritten as the code under test is, so `math.sqrt(width)` in a constructor is answered here.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from ...dims import is_dim
from ...terms import Term
from ...terms.term import apply
from ..recording import graph_at_work
from . import flax_modules
from .levels import trace_state

LIBRARIES = ("equinox", "flax", "haiku", "optax", "lineax", "diffrax", "optimistix", "distrax", "chex")
REAL = {"sqrt": "sqrt", "exp": "exp", "log": "log", "pow": "power", "sin": "sin", "cos": "cos", "log2": "log2"}
"""Functions of Python's math that leave the integers, by our names."""


class SymbolicMath(ModuleType):
    """Python's `math`, which takes sizes too."""

    def __getattr__(self, name: str) -> Any:
        original = getattr(math, name)
        if name not in REAL:
            return original

        def function(*args: Any) -> Any:
            if any(is_dim(a) or type(a) is Term for a in args):
                return apply(REAL[name], *args)
            return original(*args)

        return function


ABSENT = object()
_math = SymbolicMath("math")
Change = tuple[Any, str, Any, Any]
_changes: list[Change] = []
_looked_at: set[str] = set()


def _collect() -> list[Change]:
    """What to put in place, (owner, name, before, within), of the libraries that are imported by now."""
    for name, module in list(sys.modules.items()):
        if name in _looked_at or not (name.partition(".")[0] in LIBRARIES or name in PARTS):
            continue
        _looked_at.add(name)
        if vars(module).get("math") is math:
            _changes.append((module, "math", math, _math))
        for owner, attribute, rule in PARTS.get(name, ()):
            place = getattr(module, owner, None) if owner else module
            before = getattr(place, attribute, ABSENT)
            if place is not None and (before is not ABSENT or (name, owner, attribute) in flax_modules.ADDED):
                _changes.append((place, attribute, before, rule(before)))
    return _changes


def _plain_call(before: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled function of Equinox, within a run: the function."""

    def call(self: Any, /, *args: Any, **options: Any) -> Any:
        if graph_at_work() is None:
            return before(self, *args, **options)
        return self.__wrapped__(*args, **options)

    return call


def _value_kept(before: Callable[..., Any]) -> Callable[..., Any]:
    """`eqx.error_if(x, pred, message)`: whether it raises depends on values, and x is what it returns."""

    def check(x: Any, *args: Any, **options: Any) -> Any:
        return x if graph_at_work() is not None else before(x, *args, **options)

    return check


def _plain_loop(before: Callable[..., Any]) -> Callable[..., Any]:
    """Equinox's while_loop: JAX's, with more ways to differentiate it."""

    def loop(cond_fun: Any, body_fun: Any, init_val: Any, **options: Any) -> Any:
        if graph_at_work() is None:
            return before(cond_fun, body_fun, init_val, **options)
        from .loops import while_loop

        return while_loop(cond_fun, body_fun, init_val)

    return loop


def _plain_scan(before: Callable[..., Any]) -> Callable[..., Any]:
    def loop(f: Any, init: Any, xs: Any = None, length: Any = None, **options: Any) -> Any:
        if graph_at_work() is None:
            return before(f, init, xs, length, **options)
        from .loops import scan

        return scan(f, init, xs, length)

    return loop


PARTS: dict[str, tuple[tuple[str, str, Callable[[Any], Any]], ...]] = {
    "equinox._jit": (("_JitWrapper", "__call__", _plain_call),),
    "equinox": (("", "error_if", _value_kept),),
    **flax_modules.PARTS,
    "jax.extend.core": (("", "get_opaque_trace_state", trace_state),),
    "equinox.internal": (
        ("", "error_if", _value_kept),
        ("", "while_loop", _plain_loop),
        ("", "scan", _plain_scan),
        ("", "nondifferentiable", _value_kept),
        ("", "nondifferentiable_backward", _value_kept),
        ("", "unvmap_any", _value_kept),
        ("", "unvmap_all", _value_kept),
    ),
}
"""(class or nothing, attribute, rule) by module."""


def _forget() -> None:
    """Equinox's memory of what it computed: an array of sizes belongs to one run."""
    for clear in getattr(sys.modules.get("equinox._caches"), "cache_clears", ()):
        clear()


@contextmanager
def in_place() -> Generator[None]:
    """Their transformations and constructors take symbols inside."""
    if not any(name in sys.modules for name in LIBRARIES):
        yield
        return
    _forget()
    changes = list(_collect())
    current = [getattr(owner, name, ABSENT) for owner, name, _, _ in changes]
    for owner, name, _, within in changes:
        setattr(owner, name, within)
    try:
        yield
    finally:
        _forget()
        for (owner, name, _, _), value in zip(changes, current, strict=True):
            if value is ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, value)
