"""Whether the code under test is looking at what a symbol *is*: its hash, its text, its bytes.

A symbol has another hash and another text than the number that it stands for, so whatever is decided by them is wrong
at some size. Sizes and terms ask here before they give them away.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

watching: ContextVar[Callable[[], bool] | None] = ContextVar("watching", default=None)
"""Who knows on whose behalf a hash or a text is asked for: the explorer that runs the code, where one is at work."""


def by_code_under_test() -> bool:
    """Whether what is asked for goes to the code under test, and not to us or to a message."""
    watch = watching.get()
    return watch is not None and watch()
