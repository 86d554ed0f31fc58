"""No false alarm: programs that are right in every way are proved, and nothing is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.judge import judge

FOLDER = Path(__file__).parent.parent / "data" / "honest"
SUBJECTS = [s for file in sorted(FOLDER.glob("*.py")) for s in subjects_of(Target(file))]


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda s: s.name)
def test_an_honest_program_is_proved_without_a_word(subject: Subject) -> None:
    report = judge(subject)
    assert report.findings == []
    assert report.verdict == "PROVED"
