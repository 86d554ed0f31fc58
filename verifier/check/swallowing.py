"""Errors of ours that the code under test must not swallow: `except Exception` is no way that real arrays go."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..dims.relation import deciding
from ..errors import NeedsConcreteSize, Unsupported, VerifierError


def caught() -> None:
    """Stands at the head of every handler and `finally`: what only a stand-in raises goes on upwards."""
    error = sys.exception()
    if error is not None and deciding.get() is not None:
        refuse(error)


def refuse(error: BaseException) -> None:
    if isinstance(error, (NeedsConcreteSize, VerifierError)):
        raise error
    from .locating import is_guard, spot_of

    if isinstance(error, (AttributeError, TypeError, NotImplementedError, DeprecationWarning)):
        spot = spot_of(error)
        if spot is None or not is_guard(spot):  # perhaps the stand-in's own lack
            raise Unsupported(
                f"{type(error).__name__} that the code catches: {error}",
                remedy="ask before the call in place of catching what it raises",
            )


class Suppress(suppress):
    """`contextlib.suppress` that lets ours pass."""

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        if error is not None and deciding.get() is not None:
            refuse(error)
        return bool(super().__exit__(kind, error, trace))


given: list[tuple[str, Any, Any]] = []
"""What remembered functions returned on this path, and its state then: the next call gets it as this one leaves it."""


def uncached(function: Any) -> Any:
    """A function that is remembered by its arguments: on symbols it is called again, on every path anew."""
    plain: Callable[..., Any] | None = getattr(function, "__wrapped__", None)
    if plain is None or not hasattr(function, "cache_info"):
        return function

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if deciding.get() is None:
            return function(*args, **options)
        from .kept import Kept

        value = plain(*args, **options)
        name = f"what {plain.__name__} has cached"
        given.append((name, value, Kept.of({name: value})))
        return value

    for name in ("cache_info", "cache_clear", "cache_parameters"):
        setattr(call, name, getattr(function, name))
    return call
