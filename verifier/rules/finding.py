"""What a rule reports: a code, how bad it is, the fields, the fact with its numbers, and what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """The model cannot be built, run, or run as asked."""
    WARNING = "warning"
    """It runs, and is probably not what was meant."""
    INFO = "info"
    """Worth knowing; nothing is wrong."""


ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact about a config. `severity` None is the rule's own."""

    message: str
    fields: tuple[str, ...]
    fix: str
    severity: Severity | None = None
    code: str = ""

    def as_json(self) -> dict[str, object]:
        severity = str(self.severity)
        return {
            "code": self.code,
            "severity": severity,
            "fields": list(self.fields),
            "message": self.message,
            "fix": self.fix,
        }


def finding(message: str, fields: Sequence[str], fix: str, severity: Severity | None = None) -> Finding:
    """A finding; the runner adds the rule's code and severity."""
    return Finding(message, tuple(dict.fromkeys(fields)), fix, severity)
