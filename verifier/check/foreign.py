"""What is not the code's own and outlives its calls: the environment, modules of others, a framework's switches."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from ..frontends.front_end import front_ends
from .loading import loaded

Switch = tuple[str, Callable[[], Any], Callable[[Any], Any]]
"""What it is called, how it is read, and how it is set."""


class Foreign:
    """The state of others that the code under test can name; what a run changes is put back and named."""

    def __init__(self, spaces: Iterable[dict[str, Any]]) -> None:
        named = {id(v): v for space in spaces for v in space.values() if isinstance(v, ModuleType)}
        self.modules = [(m, dict(vars(m)), _identities(m)) for m in named.values() if m.__name__ not in loaded]
        self.environment = dict(os.environ)
        self.raw = _raw_environment()
        self.known = frozenset(sys.modules)
        self.switches: list[tuple[Switch, Any]] = [
            (s, s[1]()) for f in front_ends() for s in getattr(f, "switches", tuple[Switch, ...]())
        ]

    def put_back(self) -> list[str]:
        """The names of what was changed."""
        changed: list[str] = []
        if _raw_environment() != self.raw:
            for name in {*os.environ, *self.environment}:
                if os.environ.get(name) != self.environment.get(name):
                    changed.append(f"os.environ[{name!r}]")
                    _set_or_delete(os.environ, name, self.environment)
        for module, before, identities in self.modules:
            if _identities(module) != identities:
                changed += _restore(module, before)
        for name in sys.modules.keys() - self.known:
            if getattr(sys.modules[name], "__spec__", None) is None:  # put there, and not imported
                changed.append(f"sys.modules[{name!r}]")
                del sys.modules[name]
        for (name, read, put), before in self.switches:
            if read() != before:
                changed.append(name)
                put(before)
        return changed


def _raw_environment() -> dict[Any, Any]:
    return dict(getattr(os.environ, "_data", os.environ))


def _identities(module: ModuleType) -> tuple[int, ...]:
    return tuple(map(id, vars(module).values()))


def _restore(module: ModuleType, before: dict[str, Any]) -> list[str]:
    """Puts a module's names back, and tells those that it would not have changed by itself: no import is a change."""
    now, missing = vars(module), object()
    changed: list[str] = []
    for name in {**now, **before}:
        old, new = before.get(name, missing), now.get(name, missing)
        if new is old or isinstance(new, ModuleType) or name.startswith("__"):
            continue
        changed.append(f"{module.__name__}.{name}")
        _set_or_delete(now, name, before)
    return changed


def _set_or_delete(space: Any, name: str, before: dict[str, Any]) -> None:
    if name in before:
        space[name] = before[name]
    else:
        del space[name]
