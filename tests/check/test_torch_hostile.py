"""What cannot be followed is named and run at sizes instead; nothing of it is called proved."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")

from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.judge import judge
from verifier.check.loading import forget

FILE = Path(__file__).parent.parent / "data" / "torch" / "hostile.py"
VERDICTS = {
    "f_rot": "PROVED",  # by PyTorch's own engine
    "f_lrn": "PROVED",
    "f_named": "PROVED",  # names of what it returns are kept
    "bad_fold": "REFUTED",
    "L.forward": "PROVED",  # nn.LSTM
    "f_item": "TESTED",
    "f_custom": "PROVED",
    "f_script": "PROVED",
    "f_compile": "PROVED",
    "f_cuda": "UNSUPPORTED",
    "WN.forward": "PROVED",
    "SN.forward": "PROVED",
    "Hook.forward": "REFUTED",
    "NoInit.forward": "PROVED",
    "f_numpy": "TESTED",
    "f_loop": "PROVED",
    "f_inplace": "PROVED",
    "f_vmap": "PROVED",
    "f_autocast": "PROVED",
    "cpu_named": "PROVED",
}
GPU = (
    "gpu_to",
    "gpu_number",
    "gpu_option",
    "gpu_made",
    "gpu_like",
    "gpu_new",
    "gpu_of_numbers",
    "gpu_real",
    "gpu_type",
    "gpu_pinned",
    "gpu_within",
    "gpu_waits",
    "gpu_stream",
    "gpu_caught",
    "GpuLayer.forward",
    "GpuModule.forward",
)
VERDICTS.update(dict.fromkeys(GPU, "UNSUPPORTED"))


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
    if report.verdict == "UNSUPPORTED":
        assert any(f.code == "ATT041" and "needs a GPU" in f.message for f in report.findings)
        assert "needs a GPU: nothing is known of it here" in report.reason
    if report.verdict == "TESTED":
        assert any(f.code == "ATT041" and "no rule" in f.message for f in report.findings)


def test_without_a_gpu_who_asks_first_is_proved_of_the_processor(subjects: dict[str, object]) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    report = judge(subjects["gpu_if_there"])  # type: ignore[arg-type]
    assert report.verdict == "PROVED_IF"
    assert "torch.cuda.is_available() is False" in report.assumptions


PITFALLS = FILE.parent / "pitfalls.py"
RIGHT = FILE.parent / "in_place.py"


def found_in(file: Path) -> list[Subject]:
    forget()
    return subjects_of(Target(file))


@pytest.mark.parametrize("subject", found_in(PITFALLS), ids=lambda s: s.name)
def test_a_pitfall_is_not_called_proved(subject: Subject) -> None:
    """Values that Python reads, texts and hashes of sizes, overlapping memory, chance: no proof comes of them."""
    report = judge(subject)
    assert report.verdict not in ("PROVED", "PROVED_IF"), report


@pytest.mark.parametrize("subject", found_in(RIGHT), ids=lambda s: s.name)
def test_a_right_program_is_no_alarm(subject: Subject) -> None:
    assert judge(subject).verdict in ("PROVED", "TESTED")


@pytest.mark.parametrize("name", ["idiv", "uniq", "uniq2", "uniqc"])
def test_in_place_operators_and_distinct_values_are_followed(name: str) -> None:
    assert next(judge(s) for s in found_in(RIGHT) if s.name == name).verdict == "PROVED"
