"""Claims written to be wrong: none is ever proved. True ones written to be refuted are not, but for rounding."""

from __future__ import annotations

from pathlib import Path

from verifier.audit.run import audit
from verifier.verdict import Truth

FILE = Path(__file__).parent.parent / "data" / "false_claims.toml"
ROUNDED = {"R6"}  # true of real numbers; the witness is an error of rounding, which the tolerance does not cover


def test_no_false_claim_is_proved_and_no_true_one_refuted() -> None:
    found = audit([FILE], use_cache=False)
    established = {r.id: r.truth for r in found.results}
    held = (Truth.PROVED, Truth.PROVED_IF, Truth.MEASURED, Truth.BOUNDED)
    assert {i for i, truth in established.items() if i.startswith("Z") and truth in held} == set()
    assert {i for i, truth in established.items() if i.startswith("R") and truth == Truth.REFUTED} <= ROUNDED
    assert not any("defect" in str(e) for e in found.errors)
    assert len(established) + len(found.errors) >= 38
