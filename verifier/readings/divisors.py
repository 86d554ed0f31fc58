"""What a graph divides by: a result is a number only where none of it is 0."""

from __future__ import annotations

from collections.abc import Iterator

from ..dims import Relation, Size
from ..graph.node import Node
from ..graph.ops import Broadcast, Elementwise, Reduction, Reshape, Transpose
from ..graph.primitive import element_term
from ..prove.decide import decide
from ..prove.nonzero import Known
from ..prove.same import without_known_indicators
from ..terms import Entry, Indicator, Term, as_term, one
from ..terms.fold import decided, rebuild
from ..terms.term import atom_term
from .meaning import indices_of

DIVISIONS = frozenset({"true_divide", "divide", "floor_divide", "remainder"})


def divisors(outputs: tuple[Node, ...]) -> Iterator[tuple[Node, Node]]:
    """Each array that the outputs are divided by, and the node that divides."""
    seen: set[int] = set()
    todo = list(outputs)
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        todo.extend(node.inputs)
        if not isinstance(node.op, Elementwise):
            continue
        if node.op.function in DIVISIONS:
            below = node.inputs[1]
        elif node.op.function == "reciprocal":
            below = node.inputs[0]
        elif node.op.function in ("power", "float_power"):
            power = _constant(node.inputs[1])
            if power is None or power >= 0:
                continue
            below = node.inputs[0]
        else:
            continue
        yield below, node


def above_zero_by_construction(node: Node, known: Known) -> bool:
    """Whether every element is above 0 because of how it is made: exponentials, and sums of them that are not empty.

    exp(-inf) is 0: where scores are masked so, every row of the mask must show a key. That a maximum was subtracted
    first does not matter here, while in the element's term it would be a factor of its own.
    """
    op = node.op
    if isinstance(op, (Reshape, Broadcast, Transpose)) or (isinstance(op, Elementwise) and op.function == "cast"):
        return above_zero_by_construction(node.inputs[0], known)
    if isinstance(op, Elementwise) and op.function == "exp":
        return not _masks(node.inputs[0])
    if not isinstance(op, Reduction) or op.kind != "sum":
        return False
    (summed,) = node.inputs
    for axis in op.axes:
        enough = summed.shape[axis] >= 1
        if not (enough if isinstance(enough, bool) else decide(enough, known.facts) is True):
            return False
    if above_zero_by_construction(summed, known):
        return True
    last = len(summed.shape) - 1
    exponential = isinstance(summed.op, Elementwise) and summed.op.function == "exp"
    return exponential and op.axes == (last,) and all(_shows_a_key(m, known) for m in _masks(summed.inputs[0]))


def _masks(node: Node) -> list[Node]:
    """The conditions under which -inf takes the place of a score, above a node."""
    found: list[Node] = []
    todo, seen = [node], set[int]()
    while todo:
        here = todo.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        if isinstance(here.op, Elementwise) and here.op.function == "select":
            values = [n for n in here.inputs[1:] if not _is_minus_infinity(n)]
            if len(values) < 2:
                found.append(here.inputs[0])
            todo.extend(values)
        else:
            todo.extend(here.inputs)
    return found


def _is_minus_infinity(node: Node) -> bool:
    index, ranges = indices_of(node.shape)
    return element_term(node, index, dict(ranges)).same(as_term(float("-inf")))


def _shows_a_key(condition: Node, known: Known) -> bool:
    """Whether a mask is True somewhere in every row: declared so, or True at the first place."""
    index, ranges = indices_of(condition.shape)
    inside = {**known.ranges, **ranges}
    term = element_term(condition, index, dict(inside))
    entries = [a for a in term.atoms if isinstance(a, Entry)]
    if len(entries) == 1 and term.same(atom_term(entries[0])):
        return entries[0].array in known.seeing and str(entries[0].index[-1]) == str(index[-1])
    first = element_term(condition, (*index[:-1], 0), dict(inside))
    return without_known_indicators(_decided(first, inside), known.facts).same(one)


def _decided(term: Term, ranges: dict[str, Size]) -> Term:
    def atom_value(atom: object) -> Term:
        if isinstance(atom, Indicator):
            return decided(Relation(atom.op, atom.left, atom.right), ranges)
        return atom_term(atom)

    return rebuild(term, atom_value)


def _constant(node: Node) -> float | None:
    index, ranges = indices_of(node.shape)
    number = element_term(node, index, dict(ranges)).number
    return None if number is None else float(number)
