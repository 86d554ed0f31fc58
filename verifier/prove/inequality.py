"""Order of two terms of sizes: a sum of facts and of products that cannot be negative, or a counterexample.

Law: right - left = Σ weight_i · fact_i + rest, where every fact is at least 0 under the assumptions, weights
are not negative, and rest has no negative coefficient once every size is its least value plus something that is
at least 0. For `!=` one of the two orders is shown to be strict.
"""

from __future__ import annotations

from math import gcd
from typing import Any

from ..dims import Relation, Scope, Size, identical, symbol
from ..dims.dim import substitute, symbols_of, terms_of
from ..terms import Group, Term, as_term, zero
from ..terms.term import positive, power
from ..verdict import Truth, Verdict
from .facts import Facts
from .identity import equality_certificate, instance_certificate
from .order import weights
from .refute import counterexample

MAX_CLEARED = 8
"""Denominators multiplied away before an order is given up."""
MAX_SQUARED = 3


def prove_order(relation: Relation, scope: Scope) -> Verdict:
    """Whether `left <= right`, `left < right` or `left != right` holds at all sizes of the scope.

    PROVED with a certificate, REFUTED with the smallest sizes at which it fails, or UNDECIDED.
    """
    verdict = _proved(relation, scope)
    if verdict is not None:
        return verdict
    refutation = counterexample(relation, scope)
    if refutation is not None:
        shown = f"{refutation['left']} {relation.op} {refutation['right']} is false"
        return Verdict(Truth.REFUTED, shown, witness=refutation)
    return Verdict(Truth.UNDECIDED, f"no counterexample was found, and no sum of facts shows {relation}")


def _proved(relation: Relation, scope: Scope) -> Verdict | None:
    left, right = as_term(relation.left), as_term(relation.right)
    instance = instance_certificate(relation, scope)
    if instance is not None:
        return Verdict(Truth.PROVED, "at the sizes given", certificate=instance)
    if relation.op == "<=":
        certificate = equality_certificate(left, right, scope)
        if certificate is not None:
            return Verdict(Truth.PROVED, "the two sides are equal", certificate=certificate)
    difference = _cleared(_without_roots(left, right))
    if difference is None:
        return None
    if relation.op == "!=":
        for attempt in (_indivisible, _premised, _contradicted):
            certificate = attempt(difference, scope)
            if certificate is not None:
                return Verdict(Truth.PROVED, REASONS[certificate["kind"]], certificate=certificate)
    for sign in (1, -1) if relation.op == "!=" else (1,):
        strict = 0 if relation.op == "<=" else 1
        certificate = _certificate(difference * sign - strict, scope)
        if certificate is not None:
            certificate["relation"] = {"op": relation.op, "left": str(relation.left), "right": str(relation.right)}
            step = f"{certificate['difference']} is a sum of products that cannot be negative"
            return Verdict(Truth.PROVED, "an order of polynomials", certificate=certificate, steps=(step,))
    return None


REASONS = {
    "remainder": "all other coefficients have a common divisor that the constant does not have",
    "premise": "it is a premise, times something that is never 0",
    "contradiction": "where it is 0, what a premise says is not 0 would be",
}


def _cleared(difference: Term) -> Size | None:
    """The difference times a positive product of sizes that makes it a polynomial; its sign is the same."""
    for _ in range(MAX_CLEARED):
        below = next(((a, p) for m in difference.terms for a, p in m if p < 0), None)
        if below is None:
            return difference.size
        atom, exponent = below
        if not positive(atom) or type(exponent) is not int:
            return None
        factor = power(atom.term if isinstance(atom, Group) else Term({((atom, 1),): 1}), -exponent)
        difference = _multiplied(difference, atom, exponent, factor)
    return None


def _multiplied(difference: Term, atom: Any, exponent: int, factor: Term) -> Term:
    """difference * atom**-exponent, the atom's power taken out where it stands."""
    total = zero
    for monomial, coefficient in difference.terms.items():
        powers = dict(monomial)
        if powers.get(atom) == exponent:
            rest = tuple((a, p) for a, p in monomial if a != atom)
            total = total + Term({rest: coefficient})
        else:
            total = total + Term({monomial: coefficient}) * factor
    return total


def _without_roots(left: Term, right: Term) -> Term:
    """right - left; of two positive products of roots the squares are compared, which have the same order."""
    for _ in range(MAX_SQUARED):
        if not any(type(p) is not int for t in (left, right) for m in t.terms for _, p in m):
            break
        if not all(len(t.terms) == 1 and t.is_positive for t in (left, right)):
            break
        left, right = left * left, right * right
    return right - left


def _indivisible(size: Size, scope: Scope) -> dict[str, Any] | None:
    """6·d - 512 is never 0: every other coefficient is a multiple of 6, and 512 is not."""
    facts = Facts.of(scope)
    reduced = facts.reduce(size)
    terms = dict(terms_of(reduced))
    constant = terms.pop((), 0)
    modulus = gcd(*(int(c) for c in terms.values())) if terms and all(type(c) is int for c in terms.values()) else 0
    if modulus < 2 or type(constant) is not int or constant % modulus == 0:
        return None
    solved = {name: str(value) for name, value in facts.solved.items()}
    return {"kind": "remainder", "difference": str(reduced), "modulus": modulus, "solved": solved}


def _premised(size: Size, scope: Scope) -> dict[str, Any] | None:
    """The difference is a positive product of sizes times one that a premise says is not 0."""
    facts = Facts.of(scope)
    reduced = facts.reduce(size)
    primitive = facts.primitive(reduced)
    for other in facts.unequal:
        for sign in (1, -1):
            if identical(primitive, other * sign):
                return {
                    "kind": "premise",
                    "difference": str(reduced),
                    "premise": f"{other} != 0",
                    "never 0": str(other),
                }
    return None


def _contradicted(size: Size, scope: Scope) -> dict[str, Any] | None:
    """d - h*w is never 0 where h does not divide d: with d = h*w, d - h*(d // h) is 0, and a premise says it is not."""
    facts = Facts.of(scope)
    reduced = facts.reduce(size)
    for name in sorted(symbols_of(reduced)):
        coefficient = terms_of(reduced).get(((name, 1),))
        value = symbol(name) - reduced * coefficient if coefficient in (1, -1) else reduced
        if name in symbols_of(value):
            continue
        for other in facts.unequal:
            if name in symbols_of(other) and identical(substitute(other, {name: value}), 0):
                return {
                    "kind": "contradiction",
                    "difference": str(reduced),
                    "where": [name, str(value)],
                    "never 0": str(other),
                }
    return None


def _certificate(size: Size, scope: Scope) -> dict[str, Any] | None:
    facts = Facts.of(scope)
    reduced = facts.reduce(size)
    found = weights(reduced, facts)
    if found is None:
        return None
    return {
        "kind": "order",
        "difference": str(reduced),
        "solved": {name: str(value) for name, value in facts.solved.items()},
        "weights": [[str(factor), str(fact)] for factor, fact in found],
        "least": {n: facts.least.get(n, 0) for n in facts.free([size])},
    }
