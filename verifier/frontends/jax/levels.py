"""How deep in JAX's transformations the code at work is: what is written to must have been made at the same depth.

JAX itself forgets what a traced function does to the world around it. Libraries with state (Flax) ask JAX for the
state of its tracing when an object is made and again before it is changed, and refuse where they differ. Under the
stand-ins nothing is traced, so each transformation's rule says here that it is at work.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from ..recording import graph_at_work

_levels: list[object] = []


class TraceState:
    """The state of tracing at one moment of a run: equal to another where nothing was entered or left between."""

    def __init__(self, run: object, level: object, real: Any) -> None:
        self.run = run
        self.level = level
        self.real = real

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TraceState):
            return False
        return self.run is other.run and self.level is other.level and bool(self.real == other.real)

    def __hash__(self) -> int:
        return hash((id(self.run), id(self.level)))


def trace_state(original: Callable[..., Any]) -> Callable[..., Any]:
    """`jax.extend.core.get_opaque_trace_state`; outside a run JAX's own."""

    def state(*args: Any, **options: Any) -> Any:
        real, run = original(*args, **options), graph_at_work()
        return real if run is None else TraceState(run, _levels[-1] if _levels else None, real)

    return state


def at_work() -> bool:
    """Whether a transformation runs the code."""
    return bool(_levels)


@contextmanager
def deeper() -> Generator[None]:
    """One transformation further in."""
    _levels.append(object())
    try:
        yield
    finally:
        _levels.pop()


def deepened(fun: Callable[..., Any]) -> Callable[..., Any]:
    """The function as a transformation runs it."""

    @functools.wraps(fun, updated=())
    def run(*args: Any, **options: Any) -> Any:
        with deeper():
            return fun(*args, **options)

    return run
