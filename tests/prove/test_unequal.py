"""What `!=` and `==` of integers say of the sizes in them."""

from __future__ import annotations

import pytest

from verifier.dims import Relation, Scope, symbol
from verifier.prove.decide import decide
from verifier.prove.facts import Facts

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
