"""Real mistakes are found with their line, and the corrected code is clean."""

from __future__ import annotations

import pytest

from tests.check.cases import OWN, Case, own, relation, shared
from verifier.check.discovery import Subject, Target, subjects_of
from verifier.check.finding import Report
from verifier.check.judge import judge
from verifier.check.loading import forget

SHARED = shared()


def reports(case: Case) -> dict[str, Report]:
    forget()
    return {s.name: judge(s) for s in subjects_of(Target(case.file))}


def serious(report: Report) -> list[str]:
    return [
        f"{f.code}: {f.message}" for f in report.findings if f.severity in ("error", "warning") and f.code != "ATT020"
    ]


def hold(case: Case) -> None:
    told = reports(case)
    buggy, fixed = told["buggy"], told["fixed"]
    lines = [f.line for f in buggy.findings if f.severity in ("error", "warning")]
    assert lines, f"{case.name}: nothing was found"
    assert set(lines) <= case.span("buggy")
    if case.code is not None:
        assert case.code in {f.code for f in buggy.findings}
    assert not serious(fixed), serious(fixed)
    assert fixed.verdict in ("PROVED", "PROVED_IF", "BOUNDED")
    required = [a for a in fixed.assumptions if any(a in f.message for f in fixed.findings)]
    assert set(map(relation, required)) <= set(map(relation, case.assumes))
    if case.assumes:
        assert required


@pytest.mark.parametrize("case", own(), ids=lambda c: c.name)
def test_a_bug_of_our_own_is_found_and_its_correction_is_clean(case: Case) -> None:
    hold(case)


@pytest.mark.skipif(
    not SHARED, reason="the shared cases are not beside this checkout (VERIFIER_SHARED names their folder)"
)
@pytest.mark.parametrize("case", SHARED, ids=lambda c: c.name)
def test_a_published_bug_is_found_and_its_correction_is_clean(case: Case) -> None:
    hold(case)


@pytest.mark.parametrize("case", own(), ids=lambda c: c.name)
def test_a_refuted_shape_was_replayed(case: Case) -> None:
    for report in reports(case).values():
        for finding in report.findings:
            if finding.severity == "error" and finding.code < "ATT030":
                assert finding.replayed and finding.sizes


VARIATIONS = [
    s
    for name in ("variations", "value_kinds", "masks", "weights")
    for s in subjects_of(Target(OWN.parent / f"{name}.py"))
]


@pytest.mark.parametrize("subject", VARIATIONS, ids=lambda s: s.name)
def test_a_variation_is_told_from_its_correction(subject: Subject) -> None:
    report = judge(subject)
    serious = [f for f in report.findings if f.severity in ("error", "warning")]
    assert bool(serious) == subject.name.startswith("b_"), serious
    assert not any(f.code == "ATT043" for f in serious)
