"""How a user says what annotations cannot: `[tool.verifier.make]` names, for a class, the function that makes one.

A maker's own parameters are made like those of any function under test: its ints are sizes, a `Literal` or a bool
without default is tried with every value, and what has a default keeps it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import Place, VerifierError
from .annotated import hints_of, is_union
from .loading import load_file, load_module


@dataclass
class Makers:
    """The project's makers: a class, by its path, and the function that makes one."""

    rows: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    folder: str = ""
    """Where the settings stand: files of makers are named from there."""
    found: dict[str, Callable[..., Any]] = field(default_factory=lambda: dict[str, Callable[..., Any]]())
    """The makers that were looked up since they were loaded last."""

    def of(self, owner: type) -> tuple[str, Callable[..., Any]] | None:
        """The maker of a class, with the name that the settings give it."""
        for path, name in self.rows.items():
            if path == f"{owner.__module__}.{owner.__qualname__}" or _named(path) is owner:
                if name not in self.found:
                    self.found[name] = self.function(name)
                return name, self.found[name]
        return None

    def function(self, name: str) -> Callable[..., Any]:
        """The function that `package.module:function` or `file.py:function` names.

        Raises:
            VerifierError: there is none.
        """
        module, colon, function = name.rpartition(":")
        where = Place(str(Path(self.folder) / "pyproject.toml"))
        remedy = 'write it as "makers.py:config" or "package.module:config"'
        if not colon or not module or not function.isidentifier():
            raise VerifierError(f"[tool.verifier.make] {name!r} names no function", place=where, remedy=remedy)
        if module.endswith(".py"):
            file = Path(self.folder) / module
            if not file.is_file():
                raise VerifierError(f"[tool.verifier.make] {name}: there is no such file", place=where, remedy=remedy)
            found = load_file(file)
        else:
            found = load_module(module)
        made = getattr(found, function, None)
        if not inspect.isfunction(made):
            raise VerifierError(f"[tool.verifier.make] {name}: there is no such function", place=where, remedy=remedy)
        return made


project = Makers()
"""The makers of the project whose code is checked; the worker sets them."""


def use(rows: Mapping[str, str], folder: str) -> None:
    """Makes these the project's makers."""
    project.rows, project.folder = dict(rows), folder
    project.found.clear()


def load() -> None:
    """Imports the project's makers, which is not to happen inside a run.

    Raises:
        VerifierError: one cannot be imported, or is none.
    """
    project.found.clear()  # the modules of another package may have been forgotten
    for name in project.rows.values():
        project.found[name] = project.function(name)


def _named(path: str) -> Any:
    """What a dotted path names among the modules already imported; a class's public path may not be its own."""
    module, _, name = path.rpartition(".")
    return getattr(sys.modules.get(module), name, None) if module else None


def fixed_sizes(made: Any) -> dict[str, int]:
    """The whole numbers that a maker gave to fields which its class annotates `int`, where they are not the default's.

    A verdict about such an object is one at these numbers.
    """
    owner = type(made)
    try:
        hints = hints_of(owner)
    except VerifierError:
        return {}
    return {
        name: value
        for name, value in getattr(made, "__dict__", {}).items()
        if type(value) is int and _is_int(hints.get(name)) and value != getattr(owner, name, _default(owner, name))
    }


def _is_int(hint: Any) -> bool:
    import typing

    return hint is int or (is_union(hint) and set(typing.get_args(hint)) == {int, type(None)})


def _default(owner: type, name: str) -> Any:
    """A field's default where the class does not hold it as an attribute: pydantic's."""
    return getattr(getattr(owner, "model_fields", {}).get(name), "default", None)
