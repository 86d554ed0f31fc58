"""The primitives of writing and of values that are not followed."""

from __future__ import annotations

import numpy as np
import pytest

from verifier.dims import symbol
from verifier.dims.relation import deciding
from verifier.graph.node import Graph, ShapeMismatch
from verifier.graph.ops import Input, Opaque, Update
from verifier.graph.primitive import element_term

N = symbol("n")


def node(name, shape):
    return Graph().add(Input(name, shape), dtype=float)


@pytest.mark.parametrize(
    ("start", "extent", "step"),
    [((1, 0), (2, 3), (1, 1)), ((0, 2), (4, 1), (1, 1)), ((3, 0), (2, 2), (-2, 2)), ((0, 0), (0, 3), (1, 1))],
)
def test_an_update_replaces_the_part_and_nothing_else(start, extent, step):
    whole, part = np.arange(12.0).reshape(4, 3), -np.ones(extent)
    op = Update(start, extent, step)
    assert op.shape(whole.shape, part.shape) == whole.shape
    result = op.run(whole, part)
    places = [[s + i * k for i in range(e)] for s, e, k in zip(start, extent, step, strict=True)]
    for index in np.ndindex(4, 3):
        inside = all(i in p for i, p in zip(index, places, strict=True))
        assert result[index] == (-1 if inside else whole[index])


def test_a_part_of_another_shape_is_refused():
    with pytest.raises(ShapeMismatch):
        Update((0,), (2,), (1,)).shape((4,), (3,))
    token = deciding.set(lambda relation: False)
    try:
        with pytest.raises(ShapeMismatch):
            Update((0,), (N,), (1,)).shape((4,), (3,))
    finally:
        deciding.reset(token)


def test_a_whole_update_means_the_new_contents():
    old, new = node("old", (N, 2)), node("new", (N, 2))
    updated = Graph().add(Update((0, 0), (N, 2), (1, 1)), old, new, dtype=float)
    index = (symbol("i"), symbol("j"))
    assert element_term(updated, index).same(element_term(new, index))


def test_two_draws_of_random_numbers_are_not_the_same_numbers():
    graph = Graph()
    one, two = (graph.add(Opaque("random", (N,), (None,)), dtype=float) for _ in range(2))
    assert not element_term(one, (symbol("i"),)).same(element_term(two, (symbol("i"),)))
    assert one.op.shape() == (N,)
    with pytest.raises(TypeError):
        one.op.run()
