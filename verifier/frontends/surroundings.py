"""What the code under test asks of its surroundings while it runs: modes and switches that are no argument.

Whoever judges a run listens; a front end tells what was asked and what it answered.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any

from .explorer import PACKAGE, is_machinery

TRAINING = "training"
"""Asked where code decides by whether a module is in training."""

_heard: ContextVar[dict[str, None] | None] = ContextVar("_heard", default=None)


@contextmanager
def listening(heard: dict[str, None]) -> Generator[None]:
    """Whatever is asked inside is put into `heard`."""
    token = _heard.set(heard)
    try:
        yield
    finally:
        _heard.reset(token)


def tell(asked: str) -> None:
    heard = _heard.get()
    if heard is not None:
        heard[asked] = None


def telling(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function, whose answers to the code under test are told; `name` is how people call it."""

    @wraps(function)
    def asked(*args: Any, **options: Any) -> Any:
        answer = function(*args, **options)
        if _heard.get() is not None and not is_machinery(asking()):
            tell(f"{name}() is {answer}")
        return answer

    return asked


def asking() -> str:
    """The file of whoever asks, other than us."""
    frame = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame.f_code.co_filename
