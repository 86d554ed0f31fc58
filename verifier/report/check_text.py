"""The findings of `verifier check` as text: fact, line with caret, sizes, fix; then one line a function."""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Mapping, Sequence

from ..check.bare.contract import Contract
from ..check.bare.wording import families
from ..check.finding import Finding, Report, Step
from ..check.pool import Checked
from ..check.reached import chain_text, function_at

LABEL = 13
SAID: Mapping[str, str] = {
    "PROVED": "right for every size",
    "PROVED_IF": "right where its requirement holds",
    "BOUNDED": "right up to a bound",
    "TESTED": "ran on real arrays, not proved",
    "REFUTED": "breaks",
    "UNDECIDED": "undecided",
    "UNSUPPORTED": "could not be run",
    "SKIPPED": "not checked by itself",
}


def text_of(checked: Checked, verbose: bool = False) -> str:
    """The whole report: every finding, then what is known of each function, then the count."""
    lines: list[str] = []
    for unread in checked.unread:
        lines += [
            f"{unread.place}: {unread.fact}",
            *([f"    fix  {unread.fix}"] if unread.fix else []),
            "",
        ]
    told = {(r.name, f.file, f.line, f.code) for r in checked.reports for f in r.findings if f.repeats is None}
    for report in checked.reports:
        for finding in report.findings:
            home = finding.repeats
            repeated = home is not None and (home.function, home.file, home.line, finding.code) in told
            if (verbose or finding.severity != "info") and not repeated:
                lines += [*finding_lines(finding), ""]
    lines += [line for report in checked.reports for line in function_lines(report)]
    if checked.reports:
        lines += ["", summary_line(checked.reports)]
    return "\n".join(lines)


def finding_lines(finding: Finding) -> Iterator[str]:
    """One finding, in the order in which a reader needs it."""
    yield f"{finding.code}  {finding.message}"
    source = linecache.getline(finding.file, finding.line).rstrip("\n")
    place = f"{shown_path(finding.file)}:{finding.line}"
    arrays = "   ".join(finding.arrays)
    if source.strip():
        cut = len(source) - len(source.lstrip())
        yield f"    {place}   {source.strip()}" + (f"    {arrays}" if arrays else "")
        if finding.column is not None and finding.end_column is not None and finding.column > cut:
            yield " " * (7 + len(place) + finding.column - 1 - cut) + "^" * max(1, finding.end_column - finding.column)
    else:
        yield f"    {place}" + (f"   {arrays}" if arrays else "")
    if finding.sizes:
        hides = f"        ({spell(finding.hidden_at)} hides it)" if finding.hidden_at else ""
        word = "breaks at" if finding.replayed else "wrong at"
        yield f"    {word:<{LABEL}}{spell(finding.sizes)}{hides}"
    if finding.via:
        yield f"    {'reached':<{LABEL}}{chain_text(finding.via, function_at(finding.file, finding.line))}"
    if finding.also:
        yield f"    {'also':<{LABEL}}reached from {also_text(finding.also)}"
    if finding.why:
        yield f"    {'why':<{LABEL}}{finding.why}"
    if finding.fix:
        yield f"    {'fix':<{LABEL}}{finding.fix}"


def also_text(steps: Sequence[Step]) -> str:
    """The other functions that reach a line, each with its own: `Block.forward (line 116), GPT.forward (line 136)`."""
    return ", ".join(f"{s.function} (line {s.line})" for s in steps)


def function_lines(report: Report) -> Iterator[str]:
    """The verdict on one function, with what it rests on, and what to do where it could not be run."""
    because = f"   {report.reason}" if report.reason else ""
    given = f"   given {', '.join(report.assumptions)}" if report.assumptions else ""
    yield f"{report.verdict:<12}{report.name:<32} {shown_path(report.file)}:{report.line}{because}{given}"
    fix = next((f.fix for f in report.findings if f.severity == "info" and f.fix and f.message in report.reason), "")
    if fix and report.verdict in ("UNSUPPORTED", "UNDECIDED"):
        yield f"{'':<12}fix  {fix}"
    yield from contract_lines(report)


def contract_lines(report: Report) -> Iterator[str]:
    """The shapes under which a function is right whose annotations name no axes, and the annotations that say so."""
    known = families([Contract(**row) for row in report.contract])
    for number, family in enumerate(known):
        yield f"    {'or' if number else 'where':<{LABEL}}{family.text}"
    said = [f"{n}: {a}" for n, a in known[0].annotations.items()] if known else []
    if said:
        yield f"    {'say so by':<{LABEL}}{', '.join(said)}"


def summary_line(reports: Sequence[Report]) -> str:
    counts: dict[str, int] = {}
    for report in reports:
        counts[report.verdict] = counts.get(report.verdict, 0) + 1
    parts = [f"{n} {SAID.get(v, v)}" for v, n in counts.items()]
    return f"{len(reports)} function{'s' if len(reports) != 1 else ''}: {', '.join(parts)}"


def spell(sizes: Mapping[str, int]) -> str:
    """`n = 2, m = 1`."""
    return ", ".join(f"{name} = {size}" for name, size in sizes.items())


def shown_path(file: str) -> str:
    """The path from the working folder where that is shorter."""
    from pathlib import Path

    path = Path(file)
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return file
