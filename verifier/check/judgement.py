"""What is known of a function so far, over all ways to call it, and the verdict that follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .discovery import Subject
from .examples import weight
from .finding import Finding, Outcome


@dataclass
class Judgement:
    """What is known of a function so far, over its variants."""

    subject: Subject
    findings: list[Finding] = field(default_factory=lambda: list[Finding]())
    assumptions: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    required: bool = False
    refusals: int = 0
    """Ways to call it that the code itself turns down, whatever the sizes."""
    answers: int = 0
    """Ways to call it that return a value."""
    bounds: dict[str, int] = field(default_factory=lambda: dict[str, int]())
    fixed: dict[str, int] = field(default_factory=lambda: dict[str, int]())
    """Sizes that a maker of the project set to numbers."""
    why: str = ""
    """What kept a loop from being run for all counts."""
    untested: list[str] = field(default_factory=lambda: list[str]())
    tested: list[str] = field(default_factory=lambda: list[str]())
    untried: str = ""
    undecided: list[str] = field(default_factory=lambda: list[str]())
    paths: int = 0

    def add(self, finding: Finding) -> None:
        for known in self.findings:
            if known.place == finding.place and (finding.code != "ATT020" or known.fix == finding.fix):
                if finding.sizes and (not known.sizes or weight(finding.sizes) < weight(known.sizes)):
                    known.sizes, known.hidden_at, known.message = finding.sizes, finding.hidden_at, finding.message
                return
        self.findings.append(finding)

    def suppose(self, taken: Iterable[str], fixed: Mapping[str, int]) -> None:
        """What arguments rest on that annotations do not say: suppositions, and sizes set to numbers."""
        self.assumptions.update(dict.fromkeys(taken))
        self.fixed.update(fixed)

    def verdict(self) -> tuple[str, str]:
        if any(f.severity == "error" for f in self.findings):
            return Outcome.REFUTED, ""
        if self.untested:
            return Outcome.UNSUPPORTED, self.untested[0]
        if self.refusals and not self.answers and not self.tested:
            return Outcome.UNDECIDED, "the code refuses every way to call it"
        if self.undecided:
            return Outcome.UNDECIDED, self.undecided[0]
        if self.tested:
            return Outcome.TESTED, self.tested[0]
        if self.bounds or self.fixed or self.untried:
            bounds = [f"{n} <= {b}" for n, b in self.bounds.items()] + [f"{n} = {b}" for n, b in self.fixed.items()]
            tried = ", ".join([*bounds, *([self.untried] if self.untried else [])])
            return Outcome.BOUNDED, f"{tried} ({self.why})" if self.bounds and self.why else tried
        return (Outcome.PROVED_IF if self.required else Outcome.PROVED), ""


def note(told: Judgement, code: str, message: str, line: int, fix: str = "", severity: str = "info") -> None:
    told.add(Finding(code, severity, message, told.subject.file, line, fix=fix))


def allow(subject: Subject, told: Judgement) -> None:
    """Findings that a comment allows are dropped; an allowance that drops none is reported."""
    kept: list[Finding] = []
    for finding in told.findings:
        for allowance in subject.allowances:
            if allowance.code == finding.code and allowance.line in (
                finding.line,
                finding.line - 1,
                subject.line,
                subject.line - 1,
            ):
                allowance.used = True
                break
        else:
            kept.append(finding)
    for allowance in subject.allowances:
        if not allowance.reason:
            kept.append(
                Finding(
                    "ATT045",
                    "warning",
                    f"allow {allowance.code} gives no reason",
                    subject.file,
                    allowance.line,
                    fix="say why after the code",
                )
            )
        if not allowance.used:
            kept.append(
                Finding(
                    "ATT044",
                    "warning",
                    f"nothing here is {allowance.code}",
                    subject.file,
                    allowance.line,
                    fix="remove the comment",
                )
            )
    told.findings = kept
