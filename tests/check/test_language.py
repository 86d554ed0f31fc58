"""Python's own language: what is right is proved, what is wrong is refuted, whatever it is written with."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.judge import judge

SUBJECTS = subjects_of(Target(Path(__file__).parent.parent / "data" / "language.py"))


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda s: s.name)
def test_a_program_has_the_verdict_of_its_name(subject: Subject) -> None:
    report = judge(subject)
    assert subject.name.startswith(report.verdict.lower()), report
    if report.verdict == "REFUTED":
        assert all((f.replayed and f.fix) or "annotated" in f.message for f in report.findings)


def test_there_are_many() -> None:
    assert len({s.name for s in SUBJECTS}) == len(SUBJECTS) > 50
