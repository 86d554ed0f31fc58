from __future__ import annotations

import pytest

from verifier.dims import Relation, symbol
from verifier.dims.relation import deciding
from verifier.errors import UndecidedSize
from verifier.graph.node import Graph, Obligation, ShapeMismatch, require, stating
from verifier.graph.ops import Contraction, Input, Opaque, Transpose
from verifier.graph.primitive import element_term

N, M = symbol("n"), symbol("m")


def test_a_failed_obligation_says_which_sizes():
    with pytest.raises(ShapeMismatch, match="joining: False does not hold") as caught:
        require(2 == 3, "joining")
    assert isinstance(caught.value, ValueError)
    token = deciding.set(lambda relation: False)
    try:
        with pytest.raises(ShapeMismatch, match="joining: n == m does not hold"):
            require(N == M, "joining")
    finally:
        deciding.reset(token)


def test_an_obligation_that_nobody_decides_is_an_error():
    with pytest.raises(UndecidedSize):
        require(N == M, "joining")


def test_obligations_are_kept_with_their_node():
    token = deciding.set(lambda relation: True)
    try:
        graph = Graph()
        x, y = graph.add(Input("x", (N, 3)), dtype=float), graph.add(Input("y", (M, 3)), dtype=float)
        node = graph.add(Contraction((("i", "j"), ("i", "k")), ("j", "k")), x, y, dtype=float)
        purpose = "axis 0 of [n, 3] against axis 0 of [m, 3]"
        assert node.obligations == (Obligation(Relation("==", N, M), purpose, ((N, 3), (M, 3))),)
        with stating() as stated:
            require(N < M, "inside")
            require(True, "plain")
        assert [str(o.relation) for o in stated] == ["n < m"]
    finally:
        deciding.reset(token)


def test_what_nobody_looks_into_is_equal_to_itself_alone():
    """Also once the first node is gone and its memory belongs to another."""

    def term():
        graph = Graph()
        x = graph.add(Input("x", (N,)), dtype=float)
        return element_term(graph.add(Opaque("sort", (N,), (None,)), x, dtype=float), (symbol("i₁"),))

    seen = {str(term()) for _ in range(50)}
    assert len(seen) == 50


def test_what_the_outputs_need_in_order():
    graph = Graph()
    x = graph.add(Input("x", (N,)), dtype=float)
    graph.add(Input("unused", (M,)), dtype=float)
    y = graph.add(Transpose((0,)), x, dtype=float)
    assert graph.reaching((y,)) == [x, y]
