"""A claim that asks for too much ends, with its reason, and the others are judged."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from verifier.audit import cache, run
from verifier.audit.engine import judge
from verifier.audit.limits import TookTooLong, within
from verifier.audit.recheck import recheck_report

from .claims import one

HOSTILE = '"(n + m + h + d_model)**9 * n >= (n + m + h)**9"'


def test_time_is_over_for_what_is_inside_alone() -> None:
    with pytest.raises(TookTooLong), within(0.02):
        while True:
            pass
    with within(0.05):
        pass
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
    assert signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL


def test_after_its_time_a_claim_is_undecided(tmp_path: Path) -> None:
    claim = one(tmp_path, relation=HOSTILE, mutants='["n == m"]')
    result = judge(claim, seconds=0.01)
    assert result.truth == "UNDECIDED"
    assert result.reason == "it took more than 0.01 s of processor time"
    assert recheck_report({"claims": [result.as_json], "summary": {"UNDECIDED": 1}}).failures == []


def test_a_verdict_that_only_time_withheld_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[str] = []
    monkeypatch.setattr(cache, "read", lambda _: None)
    monkeypatch.setattr(cache, "write", lambda claim, _: kept.append(claim.id))
    claim = one(tmp_path, relation=HOSTILE, mutants='["n == m"]')
    assert run.verdict_of(claim, seconds=0.01).timed_out
    assert kept == []
    assert run.verdict_of(one(tmp_path), seconds=20).truth == "PROVED"
    assert kept == ["A"]


def test_large_polynomials_are_fast(tmp_path: Path) -> None:
    claim = one(tmp_path, relation='"(n + m + h + d_k)**12 >= (n + m + h)**12"', mutants='["n == m + 1"]')
    begun = time.process_time()
    assert judge(claim).truth == "PROVED"
    assert time.process_time() - begun < 10
