"""Libraries on top of JAX: what in them does not go through JAX's public names."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def in_place() -> Generator[None]:
    """Their transformations and constructors take symbols inside."""
    yield
