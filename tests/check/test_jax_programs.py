"""JAX as people write it: what is right is proved, what is wrong is found."""

from __future__ import annotations

import pytest

from tests.shared import DATA

pytest.importorskip("jax", reason="the extra [jax] is not installed")

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.judge import judge

PROGRAMS = subjects_of(Target(DATA / "jax" / "programs.py"))


def wrong(subject: Subject) -> bool:
    return subject.name.rpartition(".")[2].startswith("b_")


def hold(subject: Subject) -> None:
    report = judge(subject)
    serious = [f for f in report.findings if f.severity in ("error", "warning")]
    if wrong(subject):
        assert report.verdict == "REFUTED" or any(f.code == "ATT020" for f in serious), report
        assert all(f.replayed for f in serious if f.code < "ATT030")
    else:
        assert not serious, serious
        assert report.verdict == "PROVED", report.reason


@pytest.mark.parametrize("subject", PROGRAMS, ids=lambda s: s.name)
def test_a_program_is_told_from_its_correction(subject: Subject) -> None:
    hold(subject)


def test_a_module_is_told_from_its_correction() -> None:
    pytest.importorskip("equinox", reason="Equinox is not installed")
    subjects = subjects_of(Target(DATA / "jax" / "modules.py"))
    assert sum(map(wrong, subjects)) >= 8
    for subject in subjects:
        hold(subject)
