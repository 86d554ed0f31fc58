"""The findings of `verifier check` as JSON: the contract that scripts may rely on."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from ..check.pool import Checked
from .check_text import also_text


def data_of(checked: Checked) -> dict[str, Any]:
    """Functions with verdicts and findings, files that could not be read, and the count of verdicts."""
    summary: dict[str, int] = {}
    for report in checked.reports:
        summary[str(report.verdict)] = summary.get(str(report.verdict), 0) + 1
    return {
        "functions": [r.as_dict() for r in checked.reports],
        "errors": [asdict(u) for u in checked.unread],
        "summary": summary,
    }


def json_of(checked: Checked) -> str:
    return json.dumps(data_of(checked), indent=2, ensure_ascii=False)


def github_of(checked: Checked) -> str:
    """Annotations for a pull request, in the notation of GitHub's workflow commands."""
    places = {True: "::error file={0.file},line={0.line}::", False: "::error::{0.file}: "}
    lines = [places[bool(u.line)].format(u) + _escape(u.fact) for u in checked.unread]
    for report in checked.reports:
        for finding in report.findings:
            if finding.repeats is not None:
                continue
            level = {"error": "error", "warning": "warning"}.get(finding.severity, "notice")
            sizes = ", ".join(f"{n} = {s}" for n, s in finding.sizes.items())
            text = f"{finding.message}" + (f" (at {sizes})" if sizes else "")
            text += f"; also reached from {also_text(finding.also)}" if finding.also else ""
            lines.append(f"::{level} file={finding.file},line={finding.line},title={finding.code}::{_escape(text)}")
    return "\n".join(lines)


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
