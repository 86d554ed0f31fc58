"""Array expressions that are equal at every size and for every input, or that are not the same function."""

from __future__ import annotations

import math
from typing import Any

from ...errors import VerifierError
from ...graph.primitive import element_term
from ...prove.identity import prove_equal
from ...prove.same import same_term
from ...readings.meaning import indices_of
from ...terms import Term
from ...verdict import Truth, Verdict
from .. import different
from ..arrays import Comparison, compare_on_arrays, undefined
from ..claim import Reading
from ..context import Context


def establish(reading: Reading, context: Context) -> Verdict:
    """`left == right`: two array expressions are one function at every size. `left != right`: at no size are they.

    Equality is PROVED where the elements of both have one normal form, and both sides agree on real arrays besides;
    it is REFUTED where they differ on real arrays. Difference is PROVED by inputs for every size at which the first
    elements differ: `options.inputs = { x = "ones(n, d_model)" }` gives them as expressions, and arrays without one
    hold ones (a permutation is the reversed order). It is REFUTED by sizes at which both sides have one normal form.
    A declared index is a place, like a size: the relation is meant at each one. Where neither is found, UNDECIDED.
    """
    comparison = Comparison.of(reading.relation, context)
    if comparison.op not in ("==", "!="):
        raise VerifierError(f"{reading.relation!r} is no equation of arrays", remedy="write left == right, or !=")
    witness = compare_on_arrays(comparison)
    if comparison.op == "!=" and witness is not None:
        if "error" in witness or not all(_is_number(witness.get(side, "")) for side in ("left", "right")):
            return Verdict(Truth.UNDECIDED, "one side is no number there, which is no difference of two functions")
        return different.establish(reading, comparison, witness, by_normal_form)
    if witness is not None:
        return Verdict(Truth.REFUTED, "the two sides differ on real arrays", witness=witness)
    return by_normal_form(comparison)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def by_normal_form(comparison: Comparison) -> Verdict:
    """Whether the elements of both sides have one normal form, for sides that agree on real arrays."""
    scope = comparison.scope
    left, right = comparison.nodes
    for axis, (a, b) in enumerate(zip(left.shape, right.shape, strict=False)):
        verdict = prove_equal(a, b, scope)
        if verdict.truth is not Truth.PROVED:
            return Verdict(
                verdict.truth, f"axis {axis} is {a} on one side and {b} on the other", witness=verdict.witness
            )
    terms, index = elements_of(comparison)
    open_division = undefined(comparison)
    if open_division is not None:
        return Verdict(Truth.UNDECIDED, open_division)
    if not same_term(terms[0], terms[1], scope):
        return Verdict(Truth.UNDECIDED, f"the normal forms differ, the values do not: {terms[0]} and {terms[1]}")
    certificate = {"kind": "same", **comparison.as_json, "term": str(terms[0])}
    steps = (
        f"element [{', '.join(map(str, index))}] of {comparison.left.text}",
        f"  = {terms[0]}",
        f"and the same element of {comparison.right.text} has this normal form too",
    )
    if comparison.op == "!=":
        witness = {"text": "the two sides have one normal form", "identity": certificate}
        return Verdict(Truth.REFUTED, "the two sides are one function", witness=witness, steps=steps)
    return Verdict(Truth.PROVED, "one normal form", certificate=certificate, steps=steps)


def elements_of(comparison: Comparison) -> tuple[list[Term], tuple[Any, ...]]:
    """The terms of both sides' elements at one index; a number stands for an array of it.

    Raises:
        VerifierError: a declared index stands as a number of its own, which may be 0 where sizes are not.
    """
    nodes = comparison.nodes
    widest = max(nodes, key=lambda n: len(n.shape))
    index, ranges = indices_of(widest.shape)
    ranges.update(comparison.ranges)
    terms = [element_term(n, index if n.shape else (), dict(ranges)) for n in nodes]
    if any(a in comparison.ranges for t in terms for a in t.atoms):
        raise VerifierError("an index is used as a number", remedy="use it inside the brackets of an array alone")
    return terms, index
