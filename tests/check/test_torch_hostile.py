"""What cannot be followed is named and run at sizes instead; nothing of it is called proved."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")

from verifier.check.discovery import Target, subjects_of
from verifier.check.judge import judge
from verifier.check.loading import forget

FILE = Path(__file__).parent.parent / "data" / "torch" / "hostile.py"
VERDICTS = {
    "f_rot": "PROVED",  # by PyTorch's own engine
    "f_lrn": "PROVED",
    "bad_fold": "REFUTED",
    "L.forward": "PROVED",  # nn.LSTM
    "f_item": "TESTED",
    "f_custom": "PROVED",
    "f_script": "PROVED",
    "f_compile": "PROVED",
    "f_cuda": "PROVED",
    "WN.forward": "PROVED",
    "SN.forward": "PROVED",
    "Hook.forward": "REFUTED",
    "NoInit.forward": "PROVED",
    "f_numpy": "TESTED",
    "f_loop": "PROVED",
    "f_inplace": "PROVED",
    "f_vmap": "TESTED",
    "f_autocast": "PROVED",
}


@pytest.fixture(scope="module")
def subjects() -> dict[str, object]:
    forget()
    with warnings.catch_warnings():  # scripting is deprecated, and still found in code
        warnings.simplefilter("ignore")
        return {s.name: s for s in subjects_of(Target(FILE))}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", VERDICTS)
def test_a_hostile_program_is_judged_honestly(name: str, subjects: dict[str, object]) -> None:
    report = judge(subjects[name])  # type: ignore[arg-type]
    assert report.verdict == VERDICTS[name], report.reason
    if report.verdict == "TESTED":
        assert any(f.code == "ATT041" and "no rule" in f.message for f in report.findings)
