"""The engine damaged in a dozen ways, one at a time: each time a verdict changes or the audit says that it is broken.

A check that cannot fail says nothing. What stands here shows of each part which statements would notice if it lied.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from verifier.audit.arrays import Comparison
from verifier.audit.engine import judge
from verifier.audit.load import load
from verifier.audit.methods.same import elements_of
from verifier.audit.recheck import recheck_report
from verifier.audit.run import default_claims
from verifier.errors import VerifierError
from verifier.graph.ops import Contraction, Reduction
from verifier.graph.primitive import Cost
from verifier.readings.trace import trace
from verifier.terms import term

CLAIMS = {c.id: c for c in load([default_claims(), default_claims().parent / "identities"]).claims}
Patch = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Damage:
    """A part that lies, and a statement that rests on it."""

    part: str
    claim: str
    do: Patch


def replacing(target: str, value: Any) -> Patch:
    return lambda patch: patch.setattr(target, value)


def wrapping(target: str, change: Callable[[Any], Any]) -> Patch:
    """The function's answers, changed."""

    def do(patch: pytest.MonkeyPatch) -> None:
        module, _, name = target.rpartition(".")
        honest = getattr(pytest.importorskip(module), name)
        patch.setattr(target, lambda *args, **options: change(honest(*args, **options)))

    return do


def half_the_products(patch: pytest.MonkeyPatch) -> None:
    honest = Contraction.cost
    patch.setattr(Contraction, "cost", lambda self, node: Cost(honest(self, node).matmul // 2))


def swapped_result(patch: pytest.MonkeyPatch) -> None:
    honest = Contraction.shape

    def shape(self: Contraction, *inputs: Any) -> Any:
        found = honest(self, *inputs)
        return (*found[:-2], found[-1], found[-2]) if len(found) > 1 else found

    patch.setattr(Contraction, "shape", shape)


def other_row_of_the_mask(patch: pytest.MonkeyPatch) -> None:
    """The causal mask hides a query from itself."""
    honest = np.tri
    patch.setattr(np, "tri", lambda n, m=None, k=0, dtype=float, **_: honest(n, m, k - 1, dtype))


def arrays_of_zeros(patch: pytest.MonkeyPatch) -> None:
    from verifier.audit.arrays import Declared

    honest = Declared.real
    patch.setattr(Declared, "real", lambda self, sizes, random: honest(self, sizes, random) * 0)


def sum_without_terms(patch: pytest.MonkeyPatch) -> None:
    """A sum over a merged axis is never taken apart."""
    patch.setattr("verifier.terms.fold._split_merged", lambda *_: None)


DAMAGES = [
    Damage("cost: a multiply-add is one operation", "TF1.a", half_the_products),
    Damage("cost: a reduction is free", "TF1.d", lambda p: p.setattr(Reduction, "cost", lambda self, node: Cost())),
    Damage("shape: a contraction's axes are swapped", "X5.b", swapped_result),
    Damage(
        "law: dependent coordinates are independent", "W2.a", replacing("verifier.audit.quantities.STANDARD", (0, 2))
    ),
    Damage("law: Σ over a merged axis is not split", "TF2.b", sum_without_terms),
    Damage("law: a sum does not meet its delta", "W3.a", replacing("verifier.terms.fold._solved", lambda *_: None)),
    Damage(
        "law: a summed place is not renamed by a permutation",
        "E7.a",
        replacing("verifier.terms.fold._unpermuted", lambda binders, body, _: (binders, body)),
    ),
    Damage("law: exp is the identity", "X3.a", lambda p: p.setitem(term.FUNCTIONS, "exp", lambda x: x)),
    Damage("limit: every limit is 0", "X4.a", wrapping("verifier.audit.methods.limit.limit", lambda found: found + 1)),
    Damage("moments: a variance is doubled", "W2.a", wrapping("verifier.audit.quantities.variance", lambda v: v * 2)),
    Damage("rank: a product has any rank", "X2.b", replacing("verifier.audit.methods.rank.rank_bounds", lambda _: [])),
    Damage(
        "order: what may be negative is not",
        "E6.a",
        replacing("verifier.prove.order.nonnegative_form", lambda *_: False),
    ),
    Damage(
        "domain: every kernel runs everywhere", "D7", replacing("verifier.audit.methods.domain.runs", lambda *_: True)
    ),
    Damage("kernel: the mask hides a query from itself", "I9", other_row_of_the_mask),
    Damage("arrays: all drawn alike", "W2.f", arrays_of_zeros),
]


@pytest.fixture(autouse=True)
def fresh_traces() -> Any:
    """Kernels are recorded again under each defect, and once more afterwards."""
    trace.cache_clear()
    yield
    trace.cache_clear()


def outcome(claim: str) -> tuple[Any, ...]:
    """What the audit says of the claim; that it breaks down is an answer too."""
    try:
        found = judge(CLAIMS[claim])
    except (VerifierError, TypeError, ValueError, AttributeError) as error:
        return (type(error).__name__,)
    return found.truth, tuple(found.problems), str(found.witness)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda d: d.part)
def test_damage_is_noticed(damage: Damage, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = outcome(damage.claim)
    assert not honest[1]
    trace.cache_clear()
    with monkeypatch.context() as patch:
        damage.do(patch)
        assert outcome(damage.claim) != honest


def test_recheck_does_not_believe_the_normal_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were every pair of terms called the same, exact arithmetic would still tell two functions apart."""
    entry = judge(CLAIMS["TF2.a"]).as_json
    monkeypatch.setattr("verifier.audit.methods.same.same_term", lambda *_: True)
    certificate = entry["readings"][0]["certificate"]
    for left in (certificate["left"], "times(" + certificate["left"] + ", 2)"):
        changed = {**entry["readings"][0], "certificate": {**certificate, "left": left}}
        terms, _ = elements_of(Comparison.from_json(changed["certificate"]))
        changed["certificate"]["term"] = str(terms[0])
        changed["relation"] = f"{left} == {certificate['right']}"
        report = {"claims": [{**entry, "readings": [changed]}], "summary": {entry["truth"]: 1}}
        facts = " ".join(f.fact for f in recheck_report(report).failures)
        assert ("fails at" in facts) == (left != certificate["left"]), facts
