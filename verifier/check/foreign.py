"""What is not the code's own and outlives its calls: the environment, modules of others, a framework's switches."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Callable, Container, Iterable, Iterator
from types import ModuleType
from typing import Any

from ..frontends.explorer import is_machinery
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
        _heed_environment()
        _written.clear()
        self.known = frozenset(sys.modules)
        self.switches: list[tuple[Switch, Any]] = [
            (s, s[1]()) for f in front_ends() for s in getattr(f, "switches", tuple[Switch, ...]())
        ]

    def put_back(self) -> list[str]:
        """The names of what was changed."""
        changed: list[str] = []
        for name in list(_written):
            if os.environ.get(name) != self.environment.get(name):
                changed.append(f"os.environ[{name!r}]")
                _set_or_delete(os.environ, name, self.environment)
        _written.clear()
        for module, before, identities in self.modules:
            if _identities(module) != identities:
                changed += _restore(module, before)
        for name in sys.modules.keys() - self.known:
            if getattr(getattr(sys.modules[name], "__spec__", None), "name", None) != name and self._was_put(name):
                changed.append(f"sys.modules[{name!r}]")
                del sys.modules[name]
        for (name, read, put), before in self.switches:
            if read() != before:
                changed.append(name)
                put(before)
        return changed

    def _was_put(self, name: str) -> bool:
        """Whether the code under test put a module there; imports bring some without a specification, too."""
        parent = name.rpartition(".")[0]
        if parent in sys.modules.keys() - self.known and getattr(sys.modules[parent], "__spec__", None) is not None:
            return False
        return any("sys" in text and "modules" in text for text in _sources(self.known))


_written: dict[str, None] = {}
"""Variables of the environment that the code under test has written."""
_heeding: list[bool] = []


def _heed_environment() -> None:
    """From now on writes of the code under test are taken down; those of libraries are their own matter."""
    if not _heeding:
        _heeding.append(True)
        sys.addaudithook(_take_down)


def _take_down(event: str, args: tuple[Any, ...]) -> None:
    if event not in ("os.putenv", "os.unsetenv"):
        return
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and frame.f_code.co_filename.startswith(("<frozen", os.__file__)):
        frame = frame.f_back
    if not is_machinery(frame.f_code.co_filename):
        _written[os.fsdecode(args[0])] = None


def _identities(module: ModuleType) -> tuple[int, ...]:
    return tuple(map(id, vars(module).values()))


def _restore(module: ModuleType, before: dict[str, Any]) -> list[str]:
    """Puts a module's names back, and tells those that it would not have changed by itself: no import is a change."""
    now, missing = vars(module), object()
    changed: list[str] = []
    for name in {**now, **before}:
        old, new = before.get(name, missing), now.get(name, missing)
        if new is old or isinstance(new, ModuleType) or name.startswith("__") or _is_own(module, name, new):
            continue
        changed.append(f"{module.__name__}.{name}")
        _set_or_delete(now, name, before)
    return changed


def _is_own(module: ModuleType, name: str, new: Any) -> bool:
    """Whether a library changed itself: by a function of its own, or where the code under test never says the name."""
    root = module.__name__.partition(".")[0]
    if callable(new) and str(getattr(new, "__module__", "")).partition(".")[0] == root:
        return True
    return not any(name in text for text in _sources())


def _sources(among: Container[str] | None = None) -> Iterator[str]:
    """The text of each file under test, or of those that were imported before a run."""
    files = (getattr(sys.modules.get(m), "__file__", None) for m in loaded if among is None or m in among)
    return ("".join(linecache.getlines(f)) for f in files if f)


def _set_or_delete(space: Any, name: str, before: dict[str, Any]) -> None:
    if name in before:
        space[name] = before[name]
    else:
        del space[name]
