"""The operations that the tool promises to know are proved, and neither tested nor left open."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("einops", reason="the programs use einops")
pytest.importorskip("scipy", reason="the programs use scipy.special")

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.judge import judge

SUBJECTS = subjects_of(Target(Path(__file__).parent.parent / "data" / "coverage.py"))


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda s: s.name)
def test_a_promised_operation_is_proved(subject: Subject) -> None:
    report = judge(subject)
    assert (report.verdict, report.findings) == ("PROVED", []), report.reason
