"""An order between the elements of two array expressions, at every size and for every input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...errors import VerifierError
from ...prove.facts import Facts
from ...prove.nonzero import Known, above_zero
from ...prove.same import cleared
from ...terms import Term
from ...verdict import Truth, Verdict
from ..arrays import TOLERANCE, Comparison, compare_on_arrays, undefined
from ..claim import Reading
from ..context import Context
from .same import elements_of

HOLDS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<=": lambda a, b: a <= b + TOLERANCE,
    ">=": lambda a, b: a >= b - TOLERANCE,
    # A strict order of real numbers may be an equality of rounded ones.
    "<": lambda a, b: a <= b + TOLERANCE,
    ">": lambda a, b: a >= b - TOLERANCE,
}


def surely(comparison: Comparison, difference: Term) -> bool:
    """Whether the difference is never negative, and above 0 where the relation is strict."""
    if comparison.op in ("<", ">"):
        positive = frozenset(n for n, a in comparison.arrays.items() if a.kind == "positive")
        return above_zero(difference, Known(Facts.of(comparison.scope), comparison.ranges, positive))
    return difference.is_positive or not cleared(difference).terms


def establish(reading: Reading, context: Context) -> Verdict:
    """`left >= right` element by element (or `<=`, `<`, `>`).

    PROVED where the difference is a sum of products of things that are positive by nature (exponentials, sums of
    them, sizes); REFUTED by real arrays; otherwise UNDECIDED.
    """
    comparison = Comparison.of(reading.relation, context)
    if comparison.op not in HOLDS:
        raise VerifierError(f"{reading.relation!r} is no order of arrays", remedy="write left >= right")
    witness = compare_on_arrays(comparison, HOLDS[comparison.op])
    if witness is not None:
        return Verdict(Truth.REFUTED, "it fails on real arrays", witness=witness)
    terms, index = elements_of(comparison)
    difference = terms[0] - terms[1] if comparison.op in (">=", ">") else terms[1] - terms[0]
    open_division = undefined(comparison)
    if open_division is not None:
        return Verdict(Truth.UNDECIDED, open_division)
    if not surely(comparison, difference):
        return Verdict(Truth.UNDECIDED, f"nothing shows that {difference} is positive")
    certificate = {"kind": "positive", **comparison.as_json, "term": str(difference)}
    step = f"element [{', '.join(map(str, index))}]: the difference {difference} is made of positive factors"
    return Verdict(Truth.PROVED, "a product of positive factors", certificate=certificate, steps=(step,))
