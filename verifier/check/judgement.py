"""What is known of a function so far, over all ways to call it, and the verdict that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..dims import Scope
from ..frontends.front_end import is_stand_in
from .arguments import Builder
from .bare.contract import Contract, Result, attributes_of
from .discovery import Subject
from .examples import weight
from .finding import Finding, Outcome
from .guesses import Style
from .requirement import Requirement
from .saying import in_framework
from .variants import Variant


@dataclass
class Judgement:
    """What is known of a function so far, over its variants."""

    subject: Subject
    findings: list[Finding] = field(default_factory=lambda: list[Finding]())
    assumptions: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    required: bool = False
    asked: list[Requirement] = field(default_factory=lambda: list[Requirement]())
    """What is required of the caller."""
    refusals: int = 0
    """Ways to call it that the code itself turns down, whatever the sizes."""
    answers: int = 0
    """Ways to call it that return a value."""
    bounds: dict[str, int] = field(default_factory=lambda: dict[str, int]())
    fixed: dict[str, int] = field(default_factory=lambda: dict[str, int]())
    """Sizes that were set to numbers."""
    guesses: dict[str, bool] = field(default_factory=lambda: dict[str, bool]())
    """What was guessed where annotations say nothing, and whether one value stood for all."""
    why: str = ""
    """What kept a loop from being run for all counts."""
    untested: list[str] = field(default_factory=lambda: list[str]())
    tested: list[str] = field(default_factory=lambda: list[str]())
    untried: str = ""
    open: dict[Style, None] = field(default_factory=lambda: dict[Style, None]())
    """Ways to take a constructor's integers that are worth a try."""
    left_out: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """Optional arguments that are not passed, since nothing says how to make them."""
    kept: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """What a call leaves changed in its object."""
    first_alone: str = ""
    """Why the verdict speaks of the first call of an object and of no later one."""
    alike: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """Sizes that all calls of one object must have alike."""
    ways: list[tuple[Variant, Scope]] = field(default_factory=lambda: list[tuple[Variant, Scope]]())
    """The ways to call it that were judged, where the shapes of arrays were inferred."""
    rows: int = 1
    """How many shapes of its arrays it speaks of, where they were inferred."""
    heard: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """What the code asked of its surroundings."""
    undecided: list[str] = field(default_factory=lambda: list[str]())
    paths: int = 0
    bindings: list[Mapping[str, Any]] = field(default_factory=lambda: list[Mapping[str, Any]]())
    """What the names of the annotations stood for where a value was returned."""
    conditions: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """What is asked of axes that nobody named."""
    results: list[Result] = field(default_factory=lambda: list[Result]())
    """What the ways to call it return, where the shapes of arrays were inferred."""
    vectors: bool = False
    """Whether an array without axes, of one axis, is multiplied with another."""
    arrays: dict[str, tuple[Any, str]] = field(default_factory=lambda: dict[str, tuple[Any, str]]())
    """The array types and kinds of elements of those without axes."""
    attributes: dict[str, str] = field(default_factory=lambda: dict[str, str]())
    """For each size of the object's the attribute that holds it."""
    note: str = ""
    """What a verdict of REFUTED says beside its findings."""
    contracts: list[Contract] = field(default_factory=lambda: list[Contract]())
    """The shapes of arrays without axes under which it is right."""

    def add(self, finding: Finding) -> None:
        finding = in_framework(finding, self.subject.framework)
        for known in self.findings:
            if known.place == finding.place and (finding.code != "ATT020" or known.fix == finding.fix):
                if finding.sizes and (not known.sizes or weight(finding.sizes) < weight(known.sizes)):
                    known.sizes, known.hidden_at, known.message = finding.sizes, finding.hidden_at, finding.message
                return
        self.findings.append(finding)

    def suppose(self, builder: Builder) -> None:
        """Takes down what arguments rest on that annotations do not say."""
        self.assumptions.update(dict.fromkeys(builder.taken))
        self.fixed.update(builder.fixed)
        self.guesses.update(builder.guesses)
        self.left_out.update(builder.left_out)
        self.open.update(builder.open)

    def learn(self, builder: Builder) -> None:
        """Takes down what was made for arrays without axes."""
        if builder.variant.shapes is not None and not self.arrays:
            self.arrays.update(builder.shapeless)
            for name, value in builder.bindings.arguments.items():
                if hasattr(value, "__dict__") and not is_stand_in(value):
                    self.attributes.update(attributes_of(value, name))

    @property
    def is_decided(self) -> bool:
        return self.verdict()[0] in (Outcome.PROVED, Outcome.PROVED_IF, Outcome.BOUNDED, Outcome.REFUTED)

    def verdict(self) -> tuple[str, str]:
        errors = [f for f in self.findings if f.severity == "error"]
        if errors and self.guesses:
            where = f"line {errors[0].line}: {errors[0].message}"
            return Outcome.UNSUPPORTED, f"fails where {' and '.join(self.guesses)}, which nothing says: {where}"
        if errors:
            return Outcome.REFUTED, self.note
        if self.untested:
            return Outcome.UNSUPPORTED, self.untested[0]
        if self.refusals and not self.answers and not self.tested:
            return Outcome.UNDECIDED, "the code refuses every way to call it"
        if self.undecided:
            return Outcome.UNDECIDED, self.undecided[0]
        if self.tested:
            return Outcome.TESTED, self.tested[0]
        limits = [f"{n} <= {b}" for n, b in self.bounds.items()] + [f"{n} = {b}" for n, b in self.fixed.items()]
        limits += [text for text, one in self.guesses.items() if one]
        limits += [f"without {n}" for n in self.left_out]
        limits += [text for text in (self.untried, self.first_alone) if text]
        if limits:
            tried = ", ".join(limits)
            return Outcome.BOUNDED, f"{tried} ({self.why})" if self.bounds and self.why else tried
        return (Outcome.PROVED_IF if self.required or self.contracts else Outcome.PROVED), ""


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
