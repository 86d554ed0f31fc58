"""The engine notices when what it stands on is wrong: each defect put in changes a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from verifier.audit.claim import Result
from verifier.audit.engine import combined, judge
from verifier.audit.load import load
from verifier.audit.run import default_claims
from verifier.errors import VerifierError
from verifier.graph.ops import Contraction, Reduction
from verifier.graph.primitive import Cost
from verifier.prove import moments
from verifier.readings.trace import trace
from verifier.verdict import Truth

from .claims import judged

CLAIMS = {c.id: c for c in load([default_claims()]).claims}


@pytest.fixture(autouse=True)
def fresh_traces() -> Any:
    """Kernels are recorded again under each defect, and once more afterwards."""
    trace.cache_clear()
    yield
    trace.cache_clear()


def fails(claim_id: str) -> bool:
    """Whether the audit would report the claim: a problem, or an engine that disagrees with itself."""
    try:
        return bool(judge(CLAIMS[claim_id]).problems)
    except VerifierError:
        return True


@pytest.mark.parametrize("claim_id", ["TF1.a", "TF1.d", "W2.a", "F2.2", "E2.a", "D3", "TF9.a"])
def test_nothing_is_reported_without_a_defect(claim_id: str) -> None:
    assert not fails(claim_id)


@pytest.mark.parametrize("claim_id", ["TF1.a", "TF1.b"])
def test_a_multiply_add_counted_once_is_noticed(claim_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Contraction.cost
    monkeypatch.setattr(Contraction, "cost", lambda self, node: Cost(honest(self, node).matmul // 2))
    assert fails(claim_id)


def test_reductions_that_cost_nothing_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Softmax is what makes the heads dearer than one head, when every operation counts."""
    before = judge(CLAIMS["TF1.d"]).witness
    monkeypatch.setattr(Reduction, "cost", lambda self, node: Cost())
    trace.cache_clear()
    assert judge(CLAIMS["TF1.d"]).witness != before


@pytest.mark.parametrize("claim_id", ["W2.a", "F2.2"])
def test_dependent_coordinates_taken_as_independent_are_noticed(claim_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "STANDARD", (0, 2))
    monkeypatch.setattr("verifier.audit.quantities.STANDARD", (0, 2))
    assert fails(claim_id)


def test_a_shape_rule_that_swaps_axes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Contraction.shape

    def swapped(self: Contraction, *inputs: Any) -> Any:
        found = honest(self, *inputs)
        return (*found[:-2], found[-1], found[-2]) if len(found) > 1 else found

    monkeypatch.setattr(Contraction, "shape", swapped)
    assert fails("X5.b")


def test_a_premise_that_is_not_needed_is_reported(tmp_path: Path) -> None:
    result = judged(
        tmp_path, assume='["n == m"]', expect='"PROVED_IF"', mutants='["shape(attention_scores) == (n, d_k)"]'
    )
    assert result.problems == ["the assumption 'n == m' is not shown to be needed"]


def test_a_mutant_that_holds_is_reported(tmp_path: Path) -> None:
    result = judged(tmp_path, mutants='["shape(attention_scores) == (n, m)"]')
    assert result.problems == ["the mutant shape(attention_scores) == (n, m) is PROVED, not refuted"]


def test_another_verdict_than_the_pinned_is_reported(tmp_path: Path) -> None:
    result = judged(tmp_path, expect='"REFUTED"')
    assert result.problems == ["the verdict is PROVED, pinned is REFUTED"]


def test_a_kernel_outside_its_domain_refutes_what_is_said_of_it(tmp_path: Path) -> None:
    relation, mutants = '"shape(split_heads) == (h, n, d_model // h)"', '["shape(split_heads) == (h, n, d_model)"]'
    alone = judged(tmp_path, relation=relation, mutants=mutants, sizes='"n h d_model"')
    assert alone.truth == Truth.REFUTED
    assert alone.witness == {"sizes": {"n": 1, "h": 2, "d_model": 1}, "kernel": "split_heads", "returns": False}
    given = judged(tmp_path, relation=relation, mutants=mutants, sizes='"n h d_model"', given='["d_model % h == 0"]')
    assert given.truth == Truth.PROVED
    assert not given.problems


def readings(folder: Path, *texts: str, **changes: str) -> Result:
    entries = ", ".join(f'{{ name = "{i}", relation = "{t}" }}' for i, t in enumerate(texts))
    return judged(folder, relation=None, reading=f"[{entries}]", mutants='["n == n + 1"]', **changes)


@pytest.mark.parametrize(
    ("texts", "truth"),
    [
        (("n == n",), "PROVED"),
        (("n == m",), "REFUTED"),
        (("n == n", "m == m"), "PROVED"),
        (("n == n", "n == m"), "PROVED_IF"),
        (("n == m", "n == n"), "PROVED_IF"),
        (("n == m", "n == h"), "REFUTED"),
        (("n == n", "n**3 + m**3 != h**3"), "UNDECIDED"),
        (("n == m", "n**3 + m**3 != h**3"), "UNDECIDED"),
    ],
)
def test_readings_combine(texts: tuple[str, ...], truth: str, tmp_path: Path) -> None:
    assert readings(tmp_path, *texts).truth == truth


def test_a_measured_reading_makes_no_proof() -> None:
    assert combined([Truth.MEASURED, Truth.REFUTED], False) is Truth.MEASURED
    assert combined([Truth.BOUNDED, Truth.PROVED], False) is Truth.BOUNDED


def test_the_printed_reading_does_not_count(tmp_path: Path) -> None:
    reading = '[{ name = "a", relation = "n == n" }, { name = "b", relation = "n == m", printed = true }]'
    result = judged(tmp_path, relation=None, reading=reading, mutants='["n == n + 1"]')
    assert result.truth == Truth.PROVED
    assert [r["truth"] for r in result.readings] == ["PROVED", "REFUTED"]


def test_a_reading_names_the_condition_that_it_leaves_out(tmp_path: Path) -> None:
    entries = [
        '{ name = "a", relation = "n == n" }',
        '{ name = "b", relation = "n == m", without = "as many keys" }',
        '{ name = "c", relation = "n == h", without = "as many heads" }',
    ]
    result = judged(tmp_path, relation=None, reading=f"[{', '.join(entries)}]", mutants='["n == n + 1"]')
    assert result.truth == Truth.PROVED_IF
    assert {name: w["otherwise"] for name, w in result.necessity.items()} == {
        "as many heads": "c",
        "as many keys": "b",
    }
