"""The bug cases: our own, and the shared ones where a checkout has them beside it."""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass
from pathlib import Path

from verifier.dims import Relation, symbol
from verifier.dims.expression import parse

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

    def span(self, function: str) -> set[int]:
        """The lines of a function, and of the classes made for it: `BuggyAttention` is of `buggy`."""
        lines: set[int] = set()
        for node in ast.parse(self.file.read_text()).body:
            own = isinstance(node, ast.FunctionDef) and node.name == function
            if own or (isinstance(node, ast.ClassDef) and node.name.lower().startswith(function)):
                lines |= set(range(node.lineno, (node.end_lineno or 0) + 1))
        return lines


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


def relation(text: str) -> tuple[str, str, str]:
    """What a premise says, however it is written: `a >= b` is `b <= a`."""
    expression = parse(text)
    found = expression.value({n: symbol(n) for n in expression.names})
    return found.key if isinstance(found, Relation) else ("", text, "")


def shared(framework: str = "numpy") -> list[Case]:
    folder = Path(os.environ.get("VERIFIER_SHARED", BESIDE)) / "cases" / "shape_bugs" / "cases"
    return [case(f) for f in sorted(folder.glob("*.py")) if framework in frameworks(f)]


def frameworks(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Import):
            found |= {a.name.partition(".")[0] for a in node.names}
    known = found & {"numpy", "torch", "jax"}
    return known - {"numpy"} or known
