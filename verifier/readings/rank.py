"""Upper bounds of a matrix's rank, read off how it was made."""

from __future__ import annotations

from ..dims import Size
from ..graph.node import Node
from ..graph.ops import Broadcast, Constant, Contraction, Elementwise, Transpose
from ..prove.rank import distinct

SCALING = frozenset({"multiply", "divide", "true_divide", "negative", "positive", "cast", "copy"})


def rank_bounds(node: Node) -> list[Size]:
    """Sizes that the rank of a matrix never exceeds.

    Law: a product's rank is at most each factor's and the size of the axis summed over; scaling by a number and
    transposing change nothing; any matrix's is at most its number of rows and of columns.
    """
    if len(node.shape) != 2:
        return []
    found: list[Size] = [*node.shape]
    op = node.op
    if isinstance(op, Contraction) and len(op.operands) == 2:
        summed = [s for s in op.operands[0] if s in op.operands[1] and s not in op.result]
        if len(summed) == 1 and all(len(labels) == 2 for labels in op.operands):
            found.append(node.inputs[0].shape[op.operands[0].index(summed[0])])
            for array in node.inputs:
                found += rank_bounds(array)
    elif isinstance(op, Transpose):
        found += rank_bounds(node.inputs[0])
    elif isinstance(op, Elementwise) and op.function in SCALING:
        matrices = [n for n in node.inputs if not _is_number(n)]
        divides = op.function in ("divide", "true_divide") and _is_number(node.inputs[0])
        if len(matrices) == 1 and not divides:
            found += rank_bounds(matrices[0])
    return distinct(found)


def _is_number(node: Node) -> bool:
    if isinstance(node.op, (Broadcast, Elementwise)) and node.inputs:
        return all(map(_is_number, node.inputs))
    return isinstance(node.op, Constant) and not node.op.shape()
