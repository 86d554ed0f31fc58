"""What functions leave in generators, buffers, tensors and objects of libraries: a call that changes it is no proof."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.finding import Report
from verifier.check.judge import judge
from verifier.check.loading import forget

FILE = Path(__file__).parent.parent / "data" / "torch" / "lasting.py"
LASTS = (
    *("rng", "rng_assert", "rs", "np_rand", "np_randint", "py_random", "my_random", "torch_seed", "byte", "arr", "ten"),
    *("ten_resize", "ns", "tl", "qq", "cv", "lin", "byio", "slot", "bn", "cached", "cached_made", "Memory.forward"),
)
PROVED = ("torch_rand", "np_noise", "untouched", "cached_read")
"""They draw through our stand-ins, read a tensor that no one writes, or a list that no one changes."""


@pytest.fixture(scope="module")
def judged() -> dict[str, Report]:
    forget()
    subjects: list[Subject] = subjects_of(Target(FILE))
    return {s.name: judge(s) for s in subjects}


@pytest.mark.parametrize("name", LASTS)
def test_a_call_that_changes_what_outlives_it_is_no_proof(name: str, judged: dict[str, Report]) -> None:
    report = judged[name]
    assert report.verdict in ("TESTED", "REFUTED"), report
    assert any("which outlives it" in f.message for f in report.findings), report


@pytest.mark.parametrize("name", PROVED)
def test_what_is_left_alone_hinders_nothing(name: str, judged: dict[str, Report]) -> None:
    assert judged[name].verdict == "PROVED", judged[name]


def test_every_function_is_judged(judged: dict[str, Report]) -> None:
    assert set(judged) == {*LASTS, *PROVED}
