"""Python's own language: what is right is proved, what is wrong is refuted, whatever it is written with."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from verifier.check.discovery import Target, subjects_of
from verifier.check.finding import Report
from verifier.check.judge import judge
from verifier.check.loading import forget

FILE = Path(__file__).parent.parent / "data" / "language.py"
VERDICTS = ("proved", "refuted", "unsupported")
NAMES = [n.name for n in ast.parse(FILE.read_text()).body if isinstance(n, ast.FunctionDef)]
NAMES = [n for n in NAMES if n.startswith(VERDICTS)]


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    forget()
    return {s.name: judge(s) for s in subjects_of(Target(FILE))}


@pytest.mark.parametrize("name", NAMES)
def test_a_program_has_the_verdict_of_its_name(reports: dict[str, Report], name: str) -> None:
    report = reports[name]
    assert name.startswith(report.verdict.lower()), report
    if report.verdict == "REFUTED":
        assert all((f.replayed and f.fix) or "annotated" in f.message for f in report.findings)


def test_there_are_many() -> None:
    assert len(set(NAMES)) == len(NAMES) > 50
