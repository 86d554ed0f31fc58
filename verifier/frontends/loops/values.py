"""Loops whose values are followed: one iteration, written with a symbol for its number, says what all of them make.

That is so where the iterations do not depend on one another: each makes an item of a list, fills a part of an array
that no other one fills, or adds a term to a sum.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dims import Relation, Size, is_dim
from ...dims.dim import symbols_of
from ...errors import NeedsConcreteSize
from ...graph.node import Node, upstream
from ...graph.ops import Constant, Each, Elementwise, Opaque, Reduction, Update
from ...terms.ranges import is_index
from ..explorer import Path
from ..front_end import is_stand_in
from .running import GrownList, Loop, Session
from .syntax import NotForAllCounts, span_of

if TYPE_CHECKING:
    from ..numpy.array import SymbolicArray


@dataclass
class ValueLoop(Loop):
    """A loop of which one iteration is run, with a symbol for its number."""

    before: dict[str, tuple[Node, Node]] = field(default_factory=lambda: dict[str, tuple[Node, Node]]())
    """For each carried array its node before the loop, and the one that stands for it in the iteration."""

    def advance(self) -> bool:
        self.iteration += 1
        if self.iteration == 0 and self.count == 0:
            return False
        self.lists(self.iteration)
        if self.iteration == 0:
            self.session.drop_lists(self)
            self.begin()
            return True
        self.end()
        self.session.keep_lists(self)
        return False

    @property
    def number(self) -> str:
        return str(self.index)

    def begin(self) -> None:
        from ..numpy.lower import record

        _refuse_later_reads(self)
        here = self.frame.f_locals
        for name in self.carried(here):
            array = here[name]
            if not is_stand_in(array) or not array.is_ordinary or array.owner is not None:
                raise NotForAllCounts(f"{name} is carried from iteration to iteration")
            node = array.node
            stand = record(Opaque("so far", node.shape, (None,) * len(node.shape)), dtype=node.dtype).node
            self.before[name] = (node, stand)
            array.replace(stand)
        self.names, self.held = self.look(here)
        self.first = record(Constant(0), dtype=np.int64).node.serial
        self.index = self.session.index(f"loop_{self.text.target}", 0, self.count)

    def end(self) -> None:
        here = self.frame.f_locals
        carried = self.carried(here)
        self.look_again(here)
        if carried != list(self.before):
            raise NotForAllCounts("an iteration changes what the next one may look at")
        stands = [stand for _, stand in self.before.values()]
        for name in carried:
            array, (start, stand) = here[name], self.before[name]
            if not is_stand_in(array) or not array.is_ordinary or array.owner is not None:
                raise NotForAllCounts(f"{name} is carried from iteration to iteration")
            array.replace(start if array.node is stand else self.all_of(name, array.node, start, stand, stands))

    def all_of(self, name: str, node: Node, start: Node, stand: Node, stands: list[Node]) -> Node:
        """What all iterations together make of a carried array."""
        node = _uncopied(node)
        if isinstance(node.op, Update) and node.inputs[0] is stand and not _reaches(node.inputs[1], stands):
            return self.filled(name, node.op, node.inputs[1], start)
        if isinstance(node.op, Elementwise) and node.op.function == "add":
            for mine, term in (node.inputs, node.inputs[::-1]):
                if _uncopied(mine) is stand and not _reaches(term, stands):
                    return self.summed(node, term, start)
        raise NotForAllCounts(f"{name} is carried from iteration to iteration")

    def summed(self, node: Node, term: Node, start: Node) -> Node:
        from ..numpy.lower import record

        terms = self.each(term, 0)
        total = record(Reduction("sum", (0,)), terms, dtype=term.dtype)
        return record(Elementwise("add"), start, total.node, dtype=node.dtype).node

    def filled(self, name: str, op: Update, part: Node, start: Node) -> Node:
        """The array whose parts the iterations fill, one after the other, along one axis."""
        from ..numpy.lower import record, reshape

        moving = [axis for axis, place in enumerate(op.start) if self.mentions(place)]
        whole = all(
            _zero(place) and _equal(size, full)
            for axis, (place, size, full) in enumerate(zip(op.start, op.extent, start.shape, strict=True))
            if axis not in moving
        )
        if len(moving) != 1 or not whole or any(step != 1 for step in op.step):
            raise NotForAllCounts(f"the parts of {name} that the iterations fill are not its slices along one axis")
        (axis,) = moving
        size = op.extent[axis]
        if not _equal(op.start[axis], self.index * size) or not _equal(self.count * size, start.shape[axis]):
            raise NotForAllCounts(f"the iterations do not fill {name} from its start to its end")
        parts = record(Elementwise("copy"), self.each(part, axis), dtype=start.dtype)
        return reshape(parts, start.shape).node

    def each(self, node: Node, axis: int) -> Node:
        from ..numpy.lower import record

        if any(map(self.mentions, node.shape)):
            raise NotForAllCounts("what the iterations make is not of one shape")
        refuse_opaque(node, self.first)
        return record(Each(str(self.index), self.count, axis), node, dtype=node.dtype).node

    def mentions(self, size: Size) -> bool:
        return is_dim(size) and str(self.index) in symbols_of(size)


class ValueSession(Session):
    """Loops whose values are followed."""

    loop_kind = ValueLoop


def side_by_side(part: SymbolicArray, grown: GrownList, axis: int) -> SymbolicArray:
    """What all iterations make, each as this part with its own number, one after the other along an axis."""
    from ..numpy.lower import record, reshape

    if not grown.index:  # two parts are joined here, and nothing is known of the others but their shape
        shape = (*part.shape[:axis], part.shape[axis] // 2 * grown.count, *part.shape[axis + 1 :])
        return record(Opaque("joined", shape, (None,) * part.ndim), part.node, dtype=part.dtype)
    refuse_opaque(part.node, grown.first)
    each = record(Each(grown.index, grown.count, axis), part.node, dtype=part.dtype)
    return reshape(each, (*part.shape[:axis], grown.count * part.shape[axis], *part.shape[axis + 1 :]))


def all_terms(total: Node, grown: GrownList) -> Node:
    """The sum of what all iterations make, where this is what one adds."""
    from ..numpy.lower import record

    if not grown.index:
        return record(Opaque("joined", total.shape, (None,) * len(total.shape)), total, dtype=total.dtype).node
    refuse_opaque(total, grown.first)
    each = record(Each(grown.index, grown.count, 0), total, dtype=total.dtype)
    return record(Reduction("sum", (0,)), each.node, dtype=total.dtype).node


def refuse_opaque(node: Node, first: int) -> None:
    """Refuses what goes back to something of the iteration that is not known element by element.

    Raises:
        NeedsConcreteSize: it does.
    """
    for at in upstream(node):
        if at.serial >= first and isinstance(at.op, (Opaque, Update)):
            raise NeedsConcreteSize(0) from NotForAllCounts(f"what {at.name} gives in other iterations is not known")


def _uncopied(node: Node) -> Node:
    while isinstance(node.op, Elementwise) and node.op.function == "copy":
        (node,) = node.inputs
    return node


def _reaches(node: Node, stands: list[Node]) -> bool:
    return any(at is stand for at in upstream(node) for stand in stands)


def _zero(size: Size) -> bool:
    return type(size) is int and size == 0


def _equal(left: Size, right: Size) -> bool:
    equal: Any = left == right
    return equal.known is True if isinstance(equal, Relation) else equal is True


def _refuse_later_reads(loop: Loop) -> None:
    """What only the last iteration leaves in a name is known by the symbol of no iteration."""
    text = loop.text
    if not isinstance(text.node, ast.For):
        return
    _, end, _, _ = span_of(text.node)
    own = set(ast.walk(text.node))
    later = [
        n for n in ast.walk(text.scope)
        if isinstance(n, ast.Name) and n.id in text.definite and n not in own and n.lineno >= end
    ]  # fmt: skip
    first: dict[str, ast.Name] = {}
    for name in sorted(later, key=lambda n: (n.lineno, n.col_offset)):
        first.setdefault(name.id, name)
    if any(isinstance(n.ctx, ast.Load) for n in first.values()):
        raise NotForAllCounts("what the last iteration leaves is read after the loop")


def depends_on_number(path: Path) -> bool:
    """Whether the path took a branch that other iterations do not take."""
    sides = [s for d in path.decisions for s in (d.relation.left, d.relation.right) if is_dim(s)]
    return any(is_index(n) for s in sides for n in symbols_of(s))
