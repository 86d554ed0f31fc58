"""One finding for one cause: what a function was refuted by, and all that call it with it.

A line that is wrong is met by every function that reaches it. It is told once, in the innermost of them that is
checked; the others keep their verdicts and their findings, which say what they repeat.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .finding import Finding, Outcome, Report, Step

SEVERITIES = ("error", "warning", "info")
Cause = tuple[str, int, str, str]


def join(reports: Sequence[Report]) -> None:
    """Has every finding that another report tells closer to its line say so, and the other name who reaches it."""
    groups: dict[Cause, list[tuple[Report, Finding]]] = {}
    for report in reports:
        for finding in report.findings:
            groups.setdefault(cause_of(finding), []).append((report, finding))
    for group in groups.values():
        home, first = min(group, key=lambda item: (SEVERITIES.index(item[1].severity), len(item[1].via)))
        for report, finding in group:
            if finding is not first and report is not home and finding.via:
                finding.repeats = Step(home.name, first.file, first.line)
                place = finding.via[0]
                first.also.append(Step(report.name, place.file, place.line, place.call))
    for report in reports:
        if report.verdict == Outcome.REFUTED and not report.reason:
            report.reason = _by(report)


def cause_of(finding: Finding) -> Cause:
    """What two findings have in common that are of one cause: the line, the code, and what is required there.

    `self.h` of a block is `self.config.h` of a model: what is required is the same by the last name.
    """
    asked = re.sub(r"(?:\w+\.)+(\w+)", r"\1", finding.fix) if finding.code == "ATT020" else ""
    return (finding.file, finding.line, finding.code, asked)


def _by(report: Report) -> str:
    """By which findings of others a function is refuted."""
    errors = [f for f in report.findings if f.severity == "error"]
    told = dict.fromkeys(f"{f.code} in {f.repeats.function}, line {f.line}" for f in errors if f.repeats is not None)
    own = any(f.repeats is None for f in errors)
    return f"{'also ' if own else ''}by {' and '.join(told)}" if told else ""
