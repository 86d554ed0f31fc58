"""What `verifier check` says of a function: a verdict, and findings with their lines and sizes. Plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """How much is known of a function."""

    PROVED = "PROVED"
    """Right for every size."""
    PROVED_IF = "PROVED_IF"
    """Right for every size that meets a requirement which the code does not declare."""
    BOUNDED = "BOUNDED"
    """Right for every size of most symbols, and up to a stated bound of the others."""
    TESTED = "TESTED"
    """An operation has no rule: run on real arrays at chosen sizes, never a proof."""
    REFUTED = "REFUTED"
    """There are sizes at which it breaks, or values that are surely not the intended ones."""
    UNDECIDED = "UNDECIDED"
    """Neither; the reason says why."""
    UNSUPPORTED = "UNSUPPORTED"
    """Could neither be run on symbolic sizes nor on real arrays; the reason says why."""
    SKIPPED = "SKIPPED"
    """Not checked by itself; the reason says why."""


@dataclass
class Step:
    """A call on the way from a function under test to a line: who calls, where, and what, as it is written there."""

    function: str
    file: str
    line: int
    call: str = ""


@dataclass
class Finding:
    """One thing to look at; lines and columns count from 1."""

    code: str
    severity: str
    """"error", "warning" or "info"."""
    message: str
    file: str
    line: int
    column: int | None = None
    end_column: int | None = None
    sizes: dict[str, int] = field(default_factory=lambda: dict[str, int]())
    """The smallest sizes at which it happens."""
    hidden_at: dict[str, int] = field(default_factory=lambda: dict[str, int]())
    """Sizes at which a test would not notice."""
    replayed: bool = False
    """Whether real arrays of those sizes showed it."""
    arrays: list[str] = field(default_factory=lambda: list[str]())
    """The arrays on the line with their shapes."""
    why: str = ""
    fix: str = ""
    via: list[Step] = field(default_factory=lambda: list[Step]())
    """The calls that lead from the function under test to the line, outermost first; none where it is its own line."""
    also: list[Step] = field(default_factory=lambda: list[Step]())
    """Other functions under test that reach the line and are told nothing more."""
    repeats: Step | None = None
    """The function, nearer to the line, whose finding this one repeats."""

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Finding:
        plain: dict[str, Any] = {**data, "via": [], "also": [], "repeats": None}
        finding = cls(**plain)
        finding.via = [Step(**s) for s in data.get("via", ())]
        finding.also = [Step(**s) for s in data.get("also", ())]
        finding.repeats = Step(**data["repeats"]) if data.get("repeats") else None
        return finding

    @property
    def place(self) -> tuple[str, int, str]:
        return (self.file, self.line, self.code)


@dataclass
class Report:
    """The answer about one function."""

    name: str
    file: str
    line: int
    verdict: str
    assumptions: list[str] = field(default_factory=lambda: list[str]())
    paths: int = 0
    findings: list[Finding] = field(default_factory=lambda: list[Finding]())
    seconds: float = 0.0
    reason: str = ""
    names_sizes: bool = True
    """Whether its annotations name a size: one that says only that a key of random numbers is wanted does not."""

    says_no_shapes: bool = False
    """Whether none of its annotations is one of jaxtyping's: it is checked although nobody asked for it."""
    contract: list[dict[str, Any]] = field(default_factory=lambda: list[dict[str, Any]]())
    """For arrays whose annotations name no axes: the shapes under which it never fails, each a way to call it."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Report:
        report = cls(**{**data, "findings": []})  # pyright: ignore[reportArgumentType]
        report.findings = [Finding.from_dict(f) for f in data["findings"]]
        return report

    @property
    def fails(self) -> bool:
        """Whether it makes the exit status 1; what nobody annotated need not be decided."""
        open_ones = () if self.says_no_shapes else (Outcome.UNDECIDED, Outcome.UNSUPPORTED)
        return self.verdict in (Outcome.REFUTED, *open_ones) or any(
            f.severity in ("error", "warning") for f in self.findings
        )
