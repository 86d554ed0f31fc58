"""Scores divided by a power of a size that is not the size they were summed over.

Law: a sum of d products of independent entries has a spread of sqrt(d), so scores are scaled by a power of d (1/d in
muP), never of how many queries, keys or heads there are. A temperature that is no size, a logarithm of the length, and
a size whose part in the sum is not known are passed over: in an absorbed latent projection the d_k of the scale has
been summed over before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..dims import Size, symbol
from ..dims.dim import symbols_of
from ..graph.node import Node
from ..graph.ops import Broadcast, Constant, Contraction, Elementwise, Reshape, Transpose
from ..graph.primitive import element_term
from .names import BATCH, HEADS, TOKENS
from .patterns import is_constant, is_hiding, plain, scalar
from .provenance import product, quotient, show

if TYPE_CHECKING:
    from .axes import AxesReading

DIVIDE = ("divide", "true_divide")
DEEP = 24
"""Steps from a softmax down to the product of queries and keys."""


def judge(reading: AxesReading, softmax: Node) -> None:
    """The scale of the scores under a softmax."""
    top = plain(softmax.inputs[0])
    if not (isinstance(top.op, Elementwise) and top.op.function == "exp"):
        return
    scales, scores = below(top.inputs[0])
    if scores is None:
        return
    for operand in scores.inputs:
        scales += below(operand)[0]
    for where, size in scales:
        judge_one(reading, where, size, scores)


def judge_one(reading: AxesReading, where: Node, size: Size, scores: Node) -> None:
    op, sizes = scores.op, reading.sizes
    assert isinstance(op, Contraction)
    pairs = [
        p
        for labels, array in zip(op.operands, scores.inputs, strict=True)
        for p in zip(labels, array.shape, strict=True)
    ]
    extents = dict(pairs)
    summed = [s for s in extents if s not in op.result]
    axes = dict(zip(op.operands[0], reading.of(scores.inputs[0]), strict=True))
    over = "*".join(show(axes[s]) for s in summed if s in axes)
    length: Size = 1
    for label in summed:
        length = length * extents[label]
    length, scale = sizes.of(length), sizes.of(size)
    if not summed or not symbols_of(length) or quotient(length, scale) is not None:
        return
    kept = [i for i, label in enumerate(op.result) if sizes.same(extents[label], size)]
    named = [str(f) for i in kept for f in reading.of(scores)[i] if str(f) in TOKENS | BATCH | HEADS]
    heads = quotient(scale, length)
    unrelated = not symbols_of(scale) & symbols_of(length)
    if named and unrelated:
        reason = f"{named[0]} is how many of them there are"
    elif heads is not None and symbols_of(heads) and any(sizes.same(extents[s], heads) for s in op.result):
        reason = f"which is the width of all {heads} heads together"
    elif (
        not kept
        and not symbols_of(scale) & symbols_of(length)
        and all(summed_before(reading, a, size) for a in scores.inputs)
    ):
        reason = f"{size} has been summed over before, to make queries and keys"
    else:
        return
    reading.odd(
        "ATT046",
        f"the scores are sums over {over}, and are scaled by a power of {size}: {reason}",
        where,
        f"scale by a power of {over}: / sqrt{over if over.startswith('(') else f'({over})'}",
        severity="warning",
    )


def below(node: Node, seen: set[int] | None = None) -> tuple[list[tuple[Node, Size]], Node | None]:
    """The sizes that scale a node by a power, each with the operation that does, and the product of arrays below."""
    seen = set() if seen is None else seen
    node = plain(node)
    op = node.op
    if isinstance(op, Contraction):
        return [], node if len(op.operands) == 2 else None
    if id(node) in seen or len(seen) > DEEP:
        return [], None
    seen.add(id(node))
    own: list[tuple[Node, Size]] = []
    if isinstance(op, Elementwise) and op.function in ("multiply", *DIVIDE):
        own = [(node, s) for n in node.inputs for s in (base_of(n),) if s is not None]
    for inner in inner_of(node):
        scales, scores = below(inner, seen)
        if scores is not None:
            return [*own, *scales], scores
        if len(node.inputs) == 1 or own:
            own += scales
    return own, None


def inner_of(node: Node) -> Sequence[Node]:
    """The operands that scores may come through: no constant, no mask, nothing that is taken off them."""
    if isinstance(node.op, (Transpose, Reshape, Broadcast)):
        return node.inputs
    if not isinstance(node.op, Elementwise):
        return ()
    function, inputs = node.op.function, node.inputs
    moving = [n for n in inputs if not is_constant(n) and base_of(n) is None]
    if function in ("multiply", *DIVIDE):
        return moving if len(moving) == 1 and (function == "multiply" or moving[0] is inputs[0]) else ()
    if function == "add":
        return moving
    if function == "select":
        return [n for n in inputs[1:] if not is_hiding(n)]
    return inputs[:1] if function in ("subtract", "tanh") else ()


def base_of(node: Node) -> Size | None:
    """The size that all elements are one power of, times a number."""
    inner = scalar(node)
    if inner.shape or not depends_on_sizes_alone(inner):
        return None
    term = element_term(inner, ())
    if len(term.terms) != 1:
        return None
    ((monomial, _),) = term.terms.items()
    if len(monomial) != 1:
        return None
    atom = monomial[0][0]
    return symbol(atom) if isinstance(atom, str) else None


def depends_on_sizes_alone(node: Node) -> bool:
    todo, seen = [node], set[int]()
    while todo:
        node = scalar(todo.pop())
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node.op, Elementwise):
            todo += node.inputs
        elif not isinstance(node.op, Constant):
            return False
    return True


def summed_before(reading: AxesReading, node: Node, size: Size) -> bool:
    """Whether an array was made by summing over an axis of that size."""
    for before in reading.graph.reaching((node,)):
        op = before.op
        if not isinstance(op, Contraction) or len(op.operands) < 2:
            continue
        for labels, array in zip(op.operands, before.inputs, strict=True):
            for label, axis in zip(labels, reading.of(array), strict=True):
                if label not in op.result and reading.sizes.same(product(axis), size):
                    return True
    return False


__all__ = ["judge"]
