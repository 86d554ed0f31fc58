"""No false alarm: programs that are right in every way are proved, and nothing is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier import kernels
from verifier.check.discovery import Subject, Target, subjects_of, targets_of
from verifier.check.judge import judge

FOLDER = Path(__file__).parent.parent / "data" / "honest"
SUBJECTS = [s for file in sorted(FOLDER.glob("*.py")) for s in subjects_of(Target(file))]


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda s: s.name)
def test_an_honest_program_is_proved_without_a_word(subject: Subject) -> None:
    report = judge(subject)
    assert report.findings == []
    assert report.verdict == "PROVED"


KERNELS = [s for t in targets_of(str(Path(kernels.__file__).parent)) for s in subjects_of(t)]


@pytest.mark.parametrize("subject", KERNELS, ids=lambda s: s.name)
def test_a_kernel_of_ours_holds_the_values_that_it_should(subject: Subject) -> None:
    serious = [f for f in judge(subject).findings if f.severity in ("error", "warning") and f.code != "ATT020"]
    assert not serious
