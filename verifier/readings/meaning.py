"""The elements of a kernel's outputs as terms of its inputs' elements."""

from __future__ import annotations

from ..dims import Size, symbol
from ..graph.node import Node, Shape
from ..graph.primitive import element_term
from ..terms import Term
from ..terms.ranges import index_name
from .trace import Trace


def indices_of(shape: Shape, letter: str = "o") -> tuple[tuple[Size, ...], dict[str, Size]]:
    """An index for each axis, named o₁, o₂, ..., and the size that each runs over; one element has place 0."""
    names = [index_name(i + 1, letter) for i in range(len(shape))]
    single = [type(size) is int and size == 1 for size in shape]
    index = tuple(0 if one else symbol(n) for n, one in zip(names, single, strict=True))
    return index, {n: size for n, size, one in zip(names, shape, single, strict=True) if not one}


def ranges_of(index: tuple[Size, ...], shape: Shape) -> dict[str, Size]:
    """What each index runs over, by name."""
    return {str(i): size for i, size in zip(index, shape, strict=False) if type(i) is not int}


def meaning_of(traced: Trace, output: int = 0) -> tuple[Term, dict[str, Size]]:
    """The term of the output's element at o₁, o₂, ..., and the ranges of these indices.

    >>> from verifier.kernels import sum_heads
    >>> from verifier.readings import trace
    >>> meaning_of(trace(sum_heads))[0]
    sum[i₁<h](heads[i₁, o₁, o₂])
    """
    return node_meaning(traced.outputs[output])


def node_meaning(node: Node) -> tuple[Term, dict[str, Size]]:
    """The same for any node of a graph."""
    index, ranges = indices_of(node.shape)
    return element_term(node, index, dict(ranges)), ranges
