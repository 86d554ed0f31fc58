"""The bug cases: our own, and the shared ones where a checkout has them beside it."""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass
from pathlib import Path

OWN = Path(__file__).parent.parent / "data" / "shape_bugs"
BESIDE = Path(__file__).parents[3] / "shared"


@dataclass(frozen=True)
class Case:
    file: Path
    code: str | None
    assumes: tuple[str, ...]
    values_only: bool

    @property
    def name(self) -> str:
        return self.file.stem

    def span(self, function: str) -> range:
        return span_of(self.file, function)


def span_of(file: Path, function: str) -> range:
    """The lines of a function."""
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return range(node.lineno, (node.end_lineno or 0) + 1)
    raise LookupError(function)


def constants(file: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                found[node.targets[0].id] = ast.literal_eval(node.value)
            except ValueError:
                found[node.targets[0].id] = ...
    return found


def case(file: Path) -> Case:
    known = constants(file)
    return Case(file, known.get("CODE"), tuple(known.get("ASSUMES", ())), known.get("SIZES_SHOWING", ...) is None)  # type: ignore[arg-type]


def own() -> list[Case]:
    return [case(f) for f in sorted(OWN.glob("*.py"))]


def shared(framework: str = "numpy") -> list[Case]:
    folder = Path(os.environ.get("VERIFIER_SHARED", BESIDE)) / "cases" / "shape_bugs" / "cases"
    return [case(f) for f in sorted(folder.glob("*.py")) if frameworks(f) == {framework}]


def frameworks(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Import):
            found |= {a.name.partition(".")[0] for a in node.names}
    return found & {"numpy", "torch", "jax"}
