"""What `!=` and `==` of integers say of the sizes in them."""

from __future__ import annotations

import pytest

from verifier.dims import Relation, Scope, symbol
from verifier.errors import VerifierError
from verifier.prove.decide import decide
from verifier.prove.facts import Facts
from verifier.prove.inequality import prove_order
from verifier.prove.recheck import recheck

h, k = symbol("h"), symbol("k")


def facts(*relations: Relation) -> Facts:
    return Facts.of(Scope.of("h k"), relations)


def test_a_size_that_is_not_its_least_value_is_above_it() -> None:
    known = facts(Relation("!=", h, 1), Relation("!=", k, 1))
    assert decide(Relation("==", h * k, 1), known) is False
    assert decide(Relation("<=", 2, h), known) is True
    assert decide(Relation("==", h, 2), known) is None


def test_values_left_out_one_after_the_other_are_joined_in_any_order() -> None:
    for order in ((1, 2, 3), (3, 1, 2), (3, 2, 1)):
        known = facts(*(Relation("!=", h, n) for n in order))
        assert known.least["h"] == 4
        assert not known.unequal


def test_a_value_in_between_stays_a_hole() -> None:
    known = facts(Relation("!=", h, 3))
    assert known.least["h"] == 1
    assert decide(Relation("==", h, 3), known) is False


@pytest.mark.parametrize(("left", "right", "never"), [(2 * k, 1, True), (2 * k, 4, False), (3 * h + 6 * k, 7, True)])
def test_an_equation_without_integer_solutions_contradicts(left: object, right: object, never: bool) -> None:
    assert facts(Relation("==", left, right)).contradictory is never  # type: ignore[arg-type]


def test_what_would_make_a_premise_false_is_never_so() -> None:
    """h heads of one width never make a width that h does not divide; one more channel may make it."""
    scope = Scope.of("h d w").assuming("d % h != 0")
    d, w = symbol("d"), symbol("w")
    verdict = prove_order(Relation("!=", h * w, d), scope)
    assert verdict.truth == "PROVED"
    assert verdict.certificate is not None
    recheck(verdict.certificate)
    with pytest.raises(VerifierError, match="not 0 exactly where"):
        recheck({**verdict.certificate, "where": ["d", "h*w + 1"]})
    with pytest.raises(VerifierError, match="where d = h"):
        recheck({**verdict.certificate, "never 0": "d - 2*h*(d//h) + 1"})
    assert prove_order(Relation("!=", h * w + 1, d), scope).truth == "REFUTED"
    assert prove_order(Relation("!=", h * w, d), Scope.of("h d w").assuming("w % h != 0")).truth == "REFUTED"
