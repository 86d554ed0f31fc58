"""`[tool.verifier]` of the nearest pyproject.toml: premises for every function, makers of classes, and limits."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ..errors import Place, VerifierError

KNOWN = {
    "given": list,
    "timeout": (int, float),
    "import_timeout": (int, float),
    "memory": int,
    "jobs": int,
    "values": bool,
    "make": dict,
}


@dataclass(frozen=True)
class Settings:
    """What a project says; None where it says nothing."""

    given: tuple[str, ...] = ()
    timeout: float | None = None
    memory: int | None = None
    jobs: int | None = None
    values: bool | None = None
    make: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    """Classes by their path, each with the function that makes one."""
    folder: str = ""
    import_timeout: float | None = None


def settings_near(folder: Path) -> Settings:
    """The settings of the nearest pyproject.toml at or above the folder that has any.

    Raises:
        VerifierError: an unknown key, or a value of another type.
    """
    for place in (folder, *folder.parents):
        file = place / "pyproject.toml"
        if not file.is_file():
            continue
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise VerifierError(f"cannot be read: {error}", place=Place(str(file))) from None
        table = data.get("tool", {}).get("verifier", {})
        table = table.get("check", table)
        if table:
            return _read(cast("dict[str, Any]", table), file)
    return Settings()


def _read(table: dict[str, Any], file: Path) -> Settings:
    for key, value in table.items():
        if key not in KNOWN:
            raise VerifierError(
                f"[tool.verifier] has no setting {key!r}",
                place=Place(str(file)),
                remedy=f"known: {', '.join(sorted(KNOWN))}",
            )
        if not isinstance(value, KNOWN[key]):
            raise VerifierError(f"[tool.verifier] {key} = {value!r} has the wrong type", place=Place(str(file)))
    given = tuple(str(g) for g in table.get("given", ()))
    make = cast("dict[str, Any]", table.get("make", {}))
    for name, maker in make.items():
        if not isinstance(maker, str):
            raise VerifierError(
                f"[tool.verifier.make] {name} = {maker!r} names no function",
                place=Place(str(file)),
                remedy='"package.module.Class" = "makers.py:function", the class in quotes',
            )
    limits = (table.get("timeout"), table.get("memory"), table.get("jobs"), table.get("values"))
    return Settings(given, *limits, make, str(file.parent), table.get("import_timeout"))
