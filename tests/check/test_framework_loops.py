"""Loops over sizes in PyTorch and JAX."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.check.discovery import Target, subjects_of
from verifier.check.finding import Report
from verifier.check.judge import judge

DATA = Path(__file__).parent.parent / "data"


def judged(file: Path) -> dict[str, Report]:
    return {s.name: judge(s) for s in subjects_of(Target(file))}


def test_torch() -> None:
    pytest.importorskip("torch")
    reports = judged(DATA / "torch" / "loops.py")
    right = {
        "heads",
        "comp",
        "rnn",
        "pre",
        "Net.forward",
        "Share.forward",
        "Stack.forward",
        "Fancy.forward",
        "Row.forward",
    }
    assert {n for n, r in reports.items() if r.verdict == "PROVED"} == right
    assert reports["Bad.forward"].findings[0].sizes["self.depth"] == 6
    assert reports["bad"].findings[0].sizes["h"] == 5
    assert "not of one shape" in reports["BadRow2.forward"].reason


def test_torch_lists_of_modules_are_not_taken_for_two() -> None:
    pytest.importorskip("torch")
    reports = judged(DATA / "torch" / "module_lists.py")
    assert {n for n, r in reports.items() if r.verdict != "BOUNDED"} == {"Inits.forward", "Conv.forward"}
    assert "a later call fails" in reports["Once.forward"].reason
    assert {reports[n].verdict for n in ("Inits.forward", "Conv.forward")} == {"PROVED"}
    assert "at two places" in reports["Pick2.forward"].reason
    assert "one of the modules is changed" in reports["SetOne.forward"].reason


def test_jax() -> None:
    pytest.importorskip("jax")
    reports = judged(DATA / "jax" / "loops.py")
    assert {r.verdict for n, r in reports.items() if n != "grows"} == {"PROVED"}
    assert reports["grows"].verdict == "BOUNDED"
