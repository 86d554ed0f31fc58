"""The table of JAX's public functions: one rule a name, found by the files of rules, and what to do without one."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ...graph.node import ShapeMismatch

RULES: dict[str, Callable[..., Any]] = {}
"""By full public name, such as "jax.numpy.einsum"."""
ALWAYS: set[str] = set()
"""Names whose rule is asked within every run, whatever is passed: transformations, whose functions see symbols."""
FILES = (
    *("elementwise", "arrays", "creation", "products", "lax_rules", "nn_rules", "random_rules"),
    *("transformations", "mapping", "loops", "hostile"),
)

_complete: list[bool] = []


def implements(*names: str, always: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a rule under names."""

    def register(row: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            RULES[name] = row
            if always:
                ALWAYS.add(name)
        return row

    return register


def rules() -> dict[str, Callable[..., Any]]:
    """The whole table."""
    if not _complete:
        for file in FILES:
            import_module(f"{__package__}.{file}")
        _complete.append(True)
    return RULES


@contextmanager
def raising_as_jax() -> Generator[None]:
    """Sizes that do not fit are an error of no class of Python's: JAX raises one of two."""
    try:
        yield
    except ShapeMismatch as error:
        error.__class__ = ShapeMismatch
        raise


def rule(name: str) -> Callable[..., Any]:
    """The rule of a name; without one, JAX's own shape inference.

    Raises:
        Unsupported: when called, where that cannot tell either.
    """
    found = rules().get(name)
    if found is not None:
        return found
    from .fallback import asked

    return lambda *args, **options: asked(name, args, options)
