"""Claims as tests: one item a claim, and what a failing claim shows. The plugin says which files are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .audit import markdown
from .audit.claim import Claim, Result
from .audit.load import load
from .errors import Place, VerifierError
from .verdict import Truth

_TABLE = re.compile(r"^[ \t]*\[\[[ \t]*claim[ \t]*\]\]", re.MULTILINE)


def collector(file: Path, parent: pytest.Collector, *, must_hold_claims: bool) -> ClaimFile | None:
    """The collector of a file; None where it holds no claims and need not."""
    if not must_hold_claims and not _holds_claims(file):
        return None
    return ClaimFile.from_parent(parent, path=file)  # pyright: ignore[reportUnknownMemberType]


def _holds_claims(file: Path) -> bool:
    """Whether it has claim tables or claim blocks; a file that cannot be read has none."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    if not markdown.is_markdown(file.name):
        return file.name != "pyproject.toml" and bool(_TABLE.search(text))
    mistakes: list[VerifierError] = []
    return any(True for _ in markdown.blocks(text, str(file), mistakes)) or bool(mistakes)


class ClaimFile(pytest.File):
    """One claim file."""

    def collect(self) -> Iterator[ClaimItem]:
        loaded = load([self.path])
        if loaded.errors:
            raise self.CollectError("\n".join(_told(e, self.config) for e in loaded.errors))
        for claim in loaded.claims:
            yield ClaimItem.from_parent(self, name=claim.id, claim=claim)  # pyright: ignore[reportUnknownMemberType]


class ClaimItem(pytest.Item):
    """One claim: it passes where the verdict is the one that was pinned, and every mutant is refuted."""

    def __init__(self, *, claim: Claim, **given: Any) -> None:
        super().__init__(**given)  # pyright: ignore[reportUnknownMemberType]
        self.claim = claim

    def runtest(self) -> None:
        from .audit.run import verdict_of

        if self.claim.expect is Truth.NOT_ENCODED:
            pytest.skip("not yet encoded")
        result = verdict_of(self.claim)
        problems = list(result.problems)
        name = "verifier_allow_undecided"
        allowed = [*self.config.getini(name), *(self.config.getoption(name) or ())]
        if result.truth == Truth.UNDECIDED and self.claim.id not in allowed:
            problems.append("UNDECIDED and not allowed by name (--verifier-allow-undecided)")
        if problems:
            raise ClaimFails(result, problems)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The text of a failing claim; a traceback only where the fault is ours."""
        error = excinfo.value
        if isinstance(error, ClaimFails):
            return error.told(_place(self.claim.place, self.config))
        if isinstance(error, VerifierError):
            return _told(error, self.config)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        line = self.claim.place.line
        return self.path, None if line is None else line - 1, f"claim {self.claim.id}"


class ClaimFails(Exception):
    """A claim whose verdict is not the pinned one, or whose proof does not hold what it should."""

    def __init__(self, result: Result, problems: list[str]) -> None:
        super().__init__(f"{result.id}: {'; '.join(problems)}")
        self.result = result
        self.problems = problems

    def told(self, place: str) -> str:
        """What is wrong, where, why, and at which sizes."""
        from .report.audit_text import remarks

        lines = [f"{self.result.id}  {self.problems[0]}"]
        lines += [f"    {problem}" for problem in self.problems[1:]]
        lines += [f"    {place}", f"    {self.result.statement}"]
        lines += [f"    {self.result.truth}: {line}" for line in remarks(self.result)]
        lines.append(f"    see  verifier audit {place.partition(':')[0]} --explain {self.result.id}")
        return "\n".join(lines)


def _told(error: VerifierError, config: pytest.Config) -> str:
    """An error with its place as pytest prints places."""
    text = str(error)
    return text.replace(str(error.place), _place(error.place, config), 1) if error.place else text


def _place(place: Place, config: pytest.Config) -> str:
    """A place from where pytest was called."""
    path, here = Path(place.file), config.invocation_params.dir
    file = str(path.relative_to(here)) if path.is_relative_to(here) else place.file
    return str(Place(file, place.line, place.column))
