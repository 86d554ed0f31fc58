"""Flax modules as people write them: what is right is proved, what is wrong is found at its line and replayed."""

from __future__ import annotations

import linecache

import pytest

from tests.shared import DATA

pytest.importorskip("jax", reason="the extra [jax] is not installed")
pytest.importorskip("flax", reason="Flax is not installed")

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.judge import judge

FILES = ("flax_modules.py", "flax_transforms.py", "flax_linen.py", "flax_trial.py")
SUBJECTS = [s for file in FILES for s in subjects_of(Target(DATA / "jax" / file))]


def wrong(subject: Subject) -> bool:
    owner, _, last = subject.name.rpartition(".")
    return last.startswith("b_") or owner.startswith("Bad")


def test_there_are_enough_programs() -> None:
    assert len(SUBJECTS) >= 60 and sum(map(wrong, SUBJECTS)) >= 25


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda s: s.name)
def test_a_module_is_told_from_its_correction(subject: Subject) -> None:
    report = judge(subject)
    serious = [f for f in report.findings if f.severity in ("error", "warning")]
    if not wrong(subject):
        assert not serious, serious
        assert report.verdict == "PROVED", report.reason
        return
    assert report.verdict == "REFUTED" or any(f.code == "ATT020" for f in serious), report
    assert any("# here" in linecache.getline(f.file, f.line) for f in serious), serious
    assert all(f.replayed and f.sizes for f in serious if f.code < "ATT030"), serious
