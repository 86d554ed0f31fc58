"""A relation of sizes and of quantities of kernels: equality, order, shapes, moments, growth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...dims import Relation, Scope, is_dim
from ...errors import VerifierError
from ...prove.asymptotic import prove_big_o
from ...prove.decide import decide
from ...prove.facts import Facts
from ...prove.identity import prove_equal
from ...prove.inequality import prove_order
from ...prove.nonzero import Known, never_zero
from ...prove.refute import compare_values, show_value
from ...prove.search import satisfying
from ...terms import as_term
from ...verdict import Truth, Verdict
from ..claim import Reading
from ..context import Context
from ..quantities import Requirement


def establish(reading: Reading, context: Context) -> Verdict:
    """The relation holds at all sizes that the premises admit, or fails at the witness.

    Quantities are read off kernels at symbolic sizes; a refutation is evaluated once more at its sizes by running
    the kernels on plain integers, and must fail there too.
    """
    relation, requirements = context.relation_and_requirements(reading.relation)
    scope = context.scope
    for requirement in requirements:
        verdict = _outside_domain(requirement, scope)
        if verdict is not None:
            return verdict
    verdict = decide_relation(relation, scope)
    if verdict.truth is Truth.REFUTED and verdict.witness is not None and "sizes" in verdict.witness:
        return replace(verdict, witness=_replayed(reading.relation, context, verdict.witness))
    return verdict


def _outside_domain(requirement: Requirement, scope: Scope) -> Verdict | None:
    """Sizes that the premises admit and at which a kernel fails: whatever is said of its result is false there."""
    name, condition = requirement.kernel, requirement.relation
    facts = Facts.of(scope)
    if decide(condition, facts) is True:
        return None
    if condition.op == "!=" and not all(is_dim(s) or type(s) is int for s in (condition.left, condition.right)):
        divisor = as_term(condition.left)
        if never_zero(divisor, Known(facts)):
            return None
        return Verdict(Truth.UNDECIDED, f"it is open whether {divisor} is 0, by which it is divided")
    sizes = satisfying(scope, (condition.negated(),))
    if sizes is None:
        return Verdict(Truth.UNDECIDED, f"it is open whether {name} returns: it needs {condition}")
    witness = {"sizes": sizes, "kernel": name, "returns": False}
    return Verdict(Truth.REFUTED, f"{name} fails where {condition.negated()}", witness=witness)


def decide_relation(relation: Relation, scope: Scope) -> Verdict:
    """The prover's answer to a comparison of terms or of shapes."""
    left, right = relation.left, relation.right
    if of_shapes(relation):
        return _shapes(left, right, scope)
    if relation.op == "O":
        return prove_big_o(left, right, scope)
    if relation.op == "==":
        return prove_equal(left, right, scope)
    return prove_order(relation, scope)


def of_shapes(relation: Relation) -> bool:
    """Whether shapes are compared, which can only be equal.

    Raises:
        VerifierError: another comparison, or a shape against something that is none.
    """
    shapes = [isinstance(side, tuple) for side in (relation.left, relation.right)]
    if not any(shapes):
        return False
    if relation.op != "==":
        raise VerifierError(f"shapes cannot be compared by {relation.op}", remedy="compare one axis: rows, columns")
    if not all(shapes):
        raise VerifierError("a shape is compared with something that is none", remedy="write (n, m)")
    return True


def _shapes(left: Any, right: Any, scope: Scope) -> Verdict:
    """Two shapes, or tuples of shapes, agree axis by axis."""
    if _structure(left) != _structure(right):
        witness = {"left": _show(_flat(left)), "right": _show(_flat(right)), "relation": "=="}
        return Verdict(Truth.REFUTED, f"{_structure(left)} axes are not {_structure(right)}", witness=witness)
    left, right = _flat(left), _flat(right)
    parts: list[Any] = []
    steps: list[str] = []
    for axis, (a, b) in enumerate(zip(left, right, strict=True)):
        verdict = prove_equal(a, b, scope)
        if verdict.truth is not Truth.PROVED:
            if verdict.witness is None:
                return verdict
            witness = {**verdict.witness, "axis": axis, "left": _show(left), "right": _show(right)}
            return Verdict(verdict.truth, f"axis {axis}: {verdict.reason}", witness=witness)
        parts.append(verdict.certificate)
        steps.append(f"axis {axis}: {a} = {b}")
    return Verdict(Truth.PROVED, "axis by axis", certificate={"kind": "all", "parts": parts}, steps=tuple(steps))


def _structure(value: tuple[Any, ...]) -> Any:
    """How many axes each shape of a tuple of shapes has; of one shape, how many it has."""
    if any(isinstance(v, tuple) for v in value):
        return [_structure(v) if isinstance(v, tuple) else 0 for v in value]
    return len(value)


def _flat(value: Any) -> Any:
    if isinstance(value, tuple) and any(isinstance(v, tuple) for v in value):
        return tuple(a for v in value for a in (v if isinstance(v, tuple) else (v,)))
    return value


def _show(shape: tuple[Any, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def _replayed(text: str, context: Context, witness: Mapping[str, Any]) -> Mapping[str, Any]:
    """The witness with both sides as the kernels give them at its sizes.

    Raises:
        VerifierError: the relation holds there: the two evaluators disagree, which is a defect of ours.
    """
    relation = context.relation(text, {**dict.fromkeys(context.claim.sizes, 1), **witness["sizes"]})
    if holds_at(relation):
        raise VerifierError(f"the counterexample {witness['sizes']} of {text} does not replay: please report this")
    return {**witness, "left": _value(relation.left), "right": _value(relation.right)}


def _value(side: Any) -> str:
    return _show(_flat(side)) if isinstance(side, tuple) else show_value(as_term(side))


def holds_at(relation: Relation) -> bool:
    """The truth of a relation between plain values: numbers, roots, or shapes."""
    if of_shapes(relation):
        return relation.left == relation.right
    return compare_values(relation.op, as_term(relation.left), as_term(relation.right))
