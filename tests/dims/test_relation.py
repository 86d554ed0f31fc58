from __future__ import annotations

import pytest

from tests.sizes import grid
from verifier.dims import Relation, symbol
from verifier.dims.relation import deciding
from verifier.errors import UndecidedSize
from verifier.prove.search import true_at

N, M = symbol("n"), symbol("m")


@pytest.mark.parametrize("op", ["==", "!=", "<", "<="])
def test_a_negation_holds_exactly_where_the_relation_does_not(op):
    relation = Relation(op, 2 * N, M + 1)
    for sizes in grid("nm", 0, 5):
        assert true_at(relation, sizes) != true_at(relation.negated(), sizes)
    assert relation.negated().negated() == relation


def test_truth_is_asked_of_whoever_decides():
    asked = []
    token = deciding.set(lambda relation: not asked.append(str(relation)))
    try:
        assert N == M
        assert bool(N < M)
        assert N
    finally:
        deciding.reset(token)
    assert asked == ["n == m", "n < m", "n != 0"]
    with pytest.raises(UndecidedSize):
        bool(N == M)


def test_relations_are_equal_as_written():
    assert Relation("==", N, M) == Relation("==", N, M)
    assert Relation("==", N, M) != Relation("==", M, N)
    assert len({Relation("<", N, M), Relation("<", N, M)}) == 1
    assert str(Relation("<", N, M).mapped(lambda side: side + 1)) == "n + 1 < m + 1"
