"""The findings of `verifier check` as SARIF 2.1.0, for code scanning."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .. import __version__
from ..check.catalogue import KINDS
from ..check.finding import Finding, Step
from ..check.pool import Checked

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def sarif_of(checked: Checked) -> str:
    """One run with a rule for each code that occurs."""
    findings = [f for r in checked.reports for f in r.findings if f.repeats is None]
    codes = sorted({f.code for f in findings})
    rules = [_rule(code) for code in codes]
    results = [_result(f, codes.index(f.code)) for f in findings]
    notifications = [
        {
            "level": "error",
            "message": {"text": u.fact},
            "locations": [_location(u.file, u.line, None, None)],
        }
        for u in checked.unread
    ]
    run = {
        "tool": {"driver": {"name": "verifier", "version": __version__, "rules": rules}},
        "invocations": [{"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}],
        "results": results,
        "columnKind": "unicodeCodePoints",
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _rule(code: str) -> dict[str, Any]:
    kind = KINDS.get(code)
    text = kind.text() if kind is not None else code
    return {
        "id": code,
        "name": (kind.title if kind is not None else code).title().replace(" ", ""),
        "shortDescription": {"text": kind.title if kind is not None else code},
        "fullDescription": {"text": text},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    sizes = ", ".join(f"{n} = {s}" for n, s in finding.sizes.items())
    parts = [finding.message, f"Sizes: {sizes}." if sizes else "", f"Fix: {finding.fix}." if finding.fix else ""]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": LEVELS.get(finding.severity, "note"),
        "message": {"text": " ".join(p for p in parts if p)},
        "locations": [_location(finding.file, finding.line, finding.column, finding.end_column)],
        "properties": {"sizes": finding.sizes, "replayed": finding.replayed},
    }
    related = [_related(s, "called here in") for s in finding.via] + [
        _related(s, "also reached from") for s in finding.also
    ]
    return {**result, "relatedLocations": related} if related else result


def _related(step: Step, how: str) -> dict[str, Any]:
    """A call that leads to the line of a finding."""
    place = _location(step.file, step.line, None, None)
    return {**place, "message": {"text": f"{how} {step.function}{f': {step.call}' if step.call else ''}"}}


def _location(file: str, line: int, column: int | None, end: int | None) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": max(1, line)}
    if column is not None and end is not None:
        region |= {"startColumn": column, "endColumn": end}
    path = Path(file)
    try:
        uri = path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        uri = path.resolve().as_uri()
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
