"""The elements of a kernel's outputs as terms of its inputs' elements."""

from __future__ import annotations

from ..dims import Size, symbol
from ..graph.node import Node, Shape
from ..graph.primitive import element_term
from ..terms import Term
from ..terms.ranges import index_name
from .trace import Trace


def indices_of(shape: Shape, letter: str = "o") -> tuple[tuple[Size, ...], dict[str, Size]]:
    """An index for each axis, named o₁, o₂, ..., and the size that each runs over."""
    names = [index_name(i + 1, letter) for i in range(len(shape))]
    return tuple(symbol(n) for n in names), dict(zip(names, shape, strict=True))


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
