"""Attention code of the kind people write: what is right is proved, what is wrong is found on its line."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")
pytest.importorskip("einops", reason="einops is not installed")

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.judge import judge
from verifier.check.loading import forget

FOLDER = Path(__file__).parent.parent / "data" / "torch_programs"


def programs() -> list[Subject]:
    found: list[Subject] = []
    for file in sorted(FOLDER.glob("*.py")):
        forget()
        found += subjects_of(Target(file))
    return found


@pytest.mark.parametrize("subject", programs(), ids=lambda s: s.name)
def test_a_program_is_judged_right(subject: Subject) -> None:
    report = judge(subject)
    serious = [f for f in report.findings if f.severity in ("error", "warning") and f.code != "ATT020"]
    if subject.name.lower().startswith("bad"):
        lines = Path(subject.file).read_text().splitlines()
        assert any(lines[f.line - 1].endswith("# wrong") for f in serious), report
        assert report.verdict == "REFUTED"
    else:
        assert not serious
        assert report.verdict in ("PROVED", "PROVED_IF", "BOUNDED"), report.reason
