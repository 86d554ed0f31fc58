"""Whether a comparison of sizes is true, false or open under the facts: the explorer's question, without SymPy."""

from __future__ import annotations

from ..dims import Relation, Size, is_dim
from ..dims.dim import terms_of
from ..terms.term import Term, as_term, positive
from .facts import Facts
from .order import is_nonnegative
from .residues import by_residues


def decide(relation: Relation, facts: Facts) -> bool | None:
    """True or False where it is proved for all sizes that the facts allow, None where neither is.

    >>> from verifier.dims import Scope, symbol
    >>> facts = Facts.of(Scope.of("d h k n m").assuming("d == h*k"))
    >>> decide(Relation("==", symbol("d") % symbol("h"), 0), facts)
    True
    >>> decide(symbol("n") == symbol("m"), facts)  # open: None
    """
    if not all(is_dim(s) or type(s) is int for s in (relation.left, relation.right)):
        return _by_sign(relation, facts)
    try:
        left, right = facts.reduce(relation.left), facts.reduce(relation.right)
    except ZeroDivisionError:  # the facts make a denominator 0: the relation has no truth
        return None
    answer = _at_once(Relation(relation.op, left, right), facts)
    return by_residues(Relation(relation.op, left, right), facts, decide) if answer is None else answer


def _by_sign(relation: Relation, facts: Facts) -> bool | None:
    """Of real numbers made of sizes, such as 1/sqrt(d), where all parts of the difference have one sign.

    >>> from verifier.dims import Scope, symbol
    >>> from verifier.terms.term import as_term, power
    >>> decide(power(as_term(symbol("d")), -1) < 0, Facts.of(Scope.of("d")))
    False
    """
    try:
        difference = as_term(relation.right) - as_term(relation.left)
    except TypeError:
        return None
    above, below = _is_above_zero(difference, facts), _is_above_zero(-difference, facts)
    if not above and not below:
        return None
    return {"==": False, "!=": True}.get(relation.op, above)


def _is_above_zero(value: Term, facts: Facts) -> bool:
    """Whether it is a sum of products of sizes, and of what is never negative, of which one is made of sizes alone."""
    alone = False
    for monomial, coefficient in value.terms.items():
        sizes = all(isinstance(a, str) and facts.least.get(a, 0) > 0 for a, _ in monomial)
        if coefficient < 0 or not (sizes or all(positive(a) for a, _ in monomial)):
            return False
        alone = alone or sizes
    return alone


def _at_once(relation: Relation, facts: Facts) -> bool | None:
    left, right = relation.left, relation.right
    if relation.op == "==":
        return _equal(left, right, facts)
    if relation.op == "!=":
        answer = _equal(left, right, facts)
        return None if answer is None else not answer
    strict = 1 if relation.op == "<" else 0
    if is_nonnegative(right - left - strict, facts):
        return True
    if is_nonnegative(left - right - (1 - strict), facts):
        return False
    return None


def _equal(left: Size, right: Size, facts: Facts) -> bool | None:
    difference = left - right
    if type(difference) is int:
        return difference == 0
    difference = primitive = facts.primitive(difference)
    if type(difference) is int:
        return difference == 0
    if any(terms_of(e) in (terms_of(primitive), terms_of(-primitive)) for e in facts.equations):
        return True
    for other in facts.unequal:
        if terms_of(other) == terms_of(primitive) or terms_of(-other) == terms_of(primitive):
            return False
    if is_nonnegative(difference - 1, facts) or is_nonnegative(-difference - 1, facts):
        return False
    if is_nonnegative(difference, facts) and is_nonnegative(-difference, facts):
        return True
    return None
