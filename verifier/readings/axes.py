"""The axes reading: where each axis of each array came from, and where axes met that were not meant for each other.

Shapes say that two axes have one size. This reading says whether they are the same thing: a reshape that puts heads
where tokens were, weights that were normalised along one axis and summed over another, a mask that hides the wrong
keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..dims import Size
from ..graph.node import Graph, Node, SourceLine, upstream
from ..graph.ops import (
    Broadcast,
    Concatenate,
    Constant,
    Contraction,
    Elementwise,
    Gather,
    Input,
    Iota,
    Opaque,
    Reduction,
    Reshape,
    Slice,
    Transpose,
    Update,
)
from ..prove.facts import Facts
from . import broadcasts, copies, masks, normalising, parts, reshapes, weights
from .meetings import IN_STEP, meet
from .names import BATCH
from .oddity import Oddity
from .patterns import Patterns, plain
from .provenance import Axis, Factor, Sizes, equal, is_one, product, show


def is_learned(node: Node) -> bool:
    """Whether an array is made of the object's own arrays alone: heads mixed by learned numbers are no weighted sum."""
    inputs = [n.op.name for n in upstream(node) if isinstance(n.op, Input)]
    return bool(inputs) and all(name.startswith("self.") for name in inputs)


@dataclass
class AxesReading:
    """The axes of every node of a graph, and the oddities found on the way."""

    graph: Graph
    facts: Facts
    declared: Mapping[str, Sequence[Axis]]
    """Axes of the inputs where an annotation says more than sizes: `h*d_v` is h first."""
    name: str = ""
    axes: dict[int, tuple[Axis, ...]] = field(default_factory=lambda: dict[int, tuple[Axis, ...]]())
    counts: dict[int, frozenset[str]] = field(default_factory=lambda: dict[int, frozenset[str]]())
    """For values that count places along an axis: its size."""
    weighed: set[int] = field(default_factory=lambda: set[int]())
    """Softmaxes whose weights are summed over somewhere along the axis along which they sum to one."""
    doubtful: dict[int, Oddity] = field(default_factory=lambda: dict[int, Oddity]())
    """For softmaxes the first sum over another axis: meant, where their weights are summed over their own as well."""
    unhidden: dict[int, list[Oddity]] = field(default_factory=lambda: dict[int, list[Oddity]]())
    """For softmaxes the masks that hide nothing from them: of one that runs over the wrong axis that is no wonder."""
    normalised_at: dict[int, SourceLine | None] = field(default_factory=lambda: dict[int, SourceLine | None]())
    oddities: list[Oddity] = field(default_factory=lambda: list[Oddity]())
    masked: list[masks.Masked] = field(default_factory=lambda: list[masks.Masked]())
    keys: dict[int, tuple[int, ...]] = field(default_factory=lambda: dict[int, tuple[int, ...]]())
    """For nodes that mask or shift scores: the axes over which the softmax above them runs."""

    def __post_init__(self) -> None:
        self.sizes = Sizes(self.facts)
        self.patterns = Patterns()

    def read(self, outputs: tuple[Node, ...]) -> list[Oddity]:
        """Walks the graph in order; only what the outputs depend on counts."""
        nodes = self.graph.reaching(outputs)
        for node in nodes:
            rule = RULES.get(type(node.op))
            axes = rule(self, node) if rule is not None else tuple(map(self.plain, node.shape))
            self.axes[id(node)] = axes
            if node.inputs and type(node.op) is not Gather and id(node) not in self.counts:
                counted = frozenset(c for n in node.inputs for c in self.counts.get(id(n), ()))
                if counted and type(node.op) is not Contraction:
                    self.counts[id(node)] = counted
        parts.judge(self, nodes)
        masks.judge(self)
        weights.settle(self)
        return self.oddities

    def of(self, node: Node) -> tuple[Axis, ...]:
        return self.axes[id(node)]

    def plain(self, size: Size, origin: str = "") -> Axis:
        if is_one(size):
            return ()
        return (Factor(size, str(size), frozenset({origin}) if origin else frozenset()),)

    def odd(self, code: str, message: str, node: Node, fix: str = "", severity: str = "error") -> None:
        self.oddities.append(Oddity(code, message, node.source, node, fix, severity))

    # -- rules --------------------------------------------------------------------------------

    def input(self, node: Node) -> tuple[Axis, ...]:
        op = node.op
        assert isinstance(op, Input)
        known = self.declared.get(op.name)
        if known is not None and len(known) == len(node.shape):
            return tuple(known)
        return tuple(self.plain(s, f"{op.name}.{i}") for i, s in enumerate(node.shape))

    def iota(self, node: Node) -> tuple[Axis, ...]:
        self.counts[id(node)] = frozenset({str(node.shape[0])})
        return (self.plain(node.shape[0]),)

    def transpose(self, node: Node) -> tuple[Axis, ...]:
        mine = self.of(node.inputs[0])
        assert isinstance(node.op, Transpose)
        return tuple(mine[i] for i in node.op.order)

    def reshape(self, node: Node) -> tuple[Axis, ...]:
        mine = self.of(node.inputs[0])
        factors = [f for axis in mine for f in axis]
        dealt = self.sizes.regroup(factors, node.shape)
        if dealt is not None:
            return tuple(dealt)
        reshapes.judge(self, node, mine, factors)
        origins = frozenset(o for f in factors for o in f.origins)
        return tuple(() if is_one(s) else (Factor(s, str(s), origins, "mixed"),) for s in node.shape)

    def broadcast(self, node: Node) -> tuple[Axis, ...]:
        op, mine = node.op, self.of(node.inputs[0])
        assert isinstance(op, Broadcast)
        lead = len(node.shape) - len(mine)
        result: list[Axis] = [self.repeated(s) for s in node.shape[:lead]]
        for axis, stretched, size in zip(mine, op.stretched, node.shape[lead:], strict=True):
            result.append(self.repeated(size) if stretched else axis)
        return tuple(result)

    def repeated(self, size: Size) -> Axis:
        return () if is_one(size) else (Factor(size, str(size), kind="repeat"),)

    def slice(self, node: Node) -> tuple[Axis, ...]:
        op, source = node.op, node.inputs[0]
        assert isinstance(op, Slice)
        result: list[Axis] = []
        for axis, start, extent, step, size in zip(
            self.of(source), op.start, op.extent, op.step, source.shape, strict=True
        ):
            if equal(extent, size):
                result.append(axis)
            elif is_one(extent):
                result.append(())
            else:
                result.append(self.part(node, axis, start, extent, step))
        return tuple(result)

    def part(self, node: Node, axis: Axis, start: Size, extent: Size, step: int) -> Axis:
        if len(axis) == 1 and axis[0].kind == "sum" and step == 1:
            place: Size = 0
            for piece in axis[0].pieces:
                if self.sizes.same(place, start) and self.sizes.same(product(piece), extent):
                    return piece
                place = place + product(piece)
        run = reshapes.cut(self, node, axis, start, extent) if step == 1 else None
        if run is not None:
            return run
        origins = frozenset(o for f in axis for o in f.origins)
        normal = any(f.normalised for f in axis)
        return (Factor(extent, str(extent), origins, normalised=normal),)

    def gather(self, node: Node) -> tuple[Axis, ...]:
        op = node.op
        assert isinstance(op, Gather)
        array, places = node.inputs
        mine = self.of(array)
        counted = ", ".join(sorted(self.counts.get(id(places), ())))
        table = mine[op.axis]
        if counted in BATCH and not any(f.label == counted for f in table):
            self.odd(
                "ATT036",
                f"positions are counted along {counted}: every token of one example gets the same row of {show(table)}",
                node,
                f"count along the axis of tokens, not along {counted}",
            )
        picked = copies.picked(self, places, table)
        return (*mine[: op.axis], *(self.of(places) if picked is None else (picked,)), *mine[op.axis + 1 :])

    def concatenate(self, node: Node) -> tuple[Axis, ...]:
        op = node.op
        assert isinstance(op, Concatenate)
        all_axes = [self.of(n) for n in node.inputs]
        pieces = tuple(a[op.axis] for a in all_axes)
        first = list(all_axes[0])
        if all(not p for p in pieces):
            joined: Axis = (Factor(len(pieces), str(len(pieces))),)
        elif len({show(p) for p in pieces}) == 1 and len(pieces) > 1:
            again = all(self.patterns.same(plain(n), plain(node.inputs[0])) for n in node.inputs)
            joined = (Factor(len(pieces), str(len(pieces)), kind="repeat" if again else "axis"), *pieces[0])
        elif len(pieces) == 1:
            joined = pieces[0]
        else:
            size = node.shape[op.axis]
            origins = [frozenset(o for axis in axes for f in axis for o in f.origins) for axes in all_axes]
            named = tuple(p or (Factor(1, "1", o),) for p, o in zip(pieces, origins, strict=True))
            joined = (
                Factor(size, str(size), frozenset(o for p in pieces for f in p for o in f.origins), "sum", named),
            )
        first[op.axis] = joined
        for other in all_axes[1:]:
            for place, axis in enumerate(other):
                if place != op.axis:
                    first[place] = meet(self, node, first[place], axis, "joined side by side")
        return tuple(first)

    def update(self, node: Node) -> tuple[Axis, ...]:
        array, part = node.inputs
        mine, new = self.of(array), self.of(part)
        return tuple(
            b if equal(s, e) and b and (not a or a[0].kind == "repeat") else a
            for a, b, s, e in zip(mine, new, array.shape, part.shape, strict=True)
        )

    def opaque(self, node: Node) -> tuple[Axis, ...]:
        op = node.op
        assert isinstance(op, Opaque)
        mine = self.of(node.inputs[0]) if node.inputs else ()
        return tuple(
            mine[o] if o is not None and o < len(mine) and equal(s, node.inputs[0].shape[o]) else self.plain(s)
            for s, o in zip(node.shape, op.origin, strict=True)
        )

    def constant(self, node: Node) -> tuple[Axis, ...]:
        return tuple(map(self.plain, node.shape))

    def reduction(self, node: Node) -> tuple[Axis, ...]:
        op, source = node.op, node.inputs[0]
        assert isinstance(op, Reduction)
        mine = self.of(source)
        if op.kind == "sum" and isinstance(source.op, Elementwise) and source.op.function == "multiply":
            for operand in source.inputs:
                weights.weigh(self, self.of(operand), op.axes)
                inner = operand.inputs[0] if isinstance(operand.op, Broadcast) else None
                if inner is not None and any(not a for a in self.of(inner)):
                    others = [self.of(n)[i] for n in source.inputs if n is not operand for i in op.axes]
                    weights.summed(self, node, self.of(operand), op.axes, others)
        used = weights.used_up(mine, op.axes)
        return tuple(weights.unmarked(a) if used else a for i, a in enumerate(mine) if i not in op.axes)

    def contraction(self, node: Node) -> tuple[Axis, ...]:
        op = node.op
        assert isinstance(op, Contraction)
        met: dict[str, Axis] = {}
        owner: dict[str, int] = {}
        used = False
        for number, (labels, array) in enumerate(zip(op.operands, node.inputs, strict=True)):
            axes = self.of(array)
            summed = [i for i, label in enumerate(labels) if label not in op.result and len(op.operands) > 1]
            partners = [
                self.of(other)[theirs.index(labels[i])]
                for place, (theirs, other) in enumerate(zip(op.operands, node.inputs, strict=True))
                for i in summed
                if place != number and labels[i] in theirs
            ]
            if not all(map(is_learned, (a for a in node.inputs if a is not array))):
                weights.summed(self, node, axes, summed, partners)
            alone = [i for i in summed if sum(labels[i] in other for other in op.operands) == 1]
            weights.alone(self, node, axes, alone)
            used |= weights.used_up(axes, summed)
            for label, axis in zip(labels, axes, strict=True):
                if label in met:
                    how = IN_STEP if label in op.result else "summed over together"
                    met[label] = meet(self, node, met[label], axis, how)
                else:
                    met[label], owner[label] = axis, number
        result: list[Axis] = []
        seen: dict[tuple[object, ...], int] = {}
        for label in op.result:
            axis = weights.unmarked(met[label]) if used else met[label]
            key = tuple(f.key for f in axis)
            if axis and key in seen:
                axis = tuple(replace(f, turn=f"{f.turn}{owner[label]}") for f in axis)
            seen[key] = owner[label]
            result.append(axis)
        return tuple(result)

    def elementwise(self, node: Node) -> tuple[Axis, ...]:
        op = node.op
        assert isinstance(op, Elementwise)
        arrays = [self.of(n) for n in node.inputs]
        axes: list[Axis] = list(arrays[0])
        for other in arrays[1:]:
            for place, axis in enumerate(other):
                axes[place] = meet(self, node, axes[place], axis, "combined element by element")
        broadcasts.judge(self, node)
        if op.function in ("multiply", "add", "subtract"):
            weights.changed(self, node, axes)
        if op.function in ("true_divide", "divide", "multiply"):
            normalising.divided(self, node, axes)
        along = (
            sorted(BATCH & self.counts.get(id(node.inputs[0]), frozenset())) if op.function in ("sin", "cos") else []
        )
        if along:
            self.odd(
                "ATT036",
                f"positions are counted along {along[0]}, which is the batch",
                node,
                "count along the axis of tokens",
            )
        if op.function == "log":
            normalising.logarithm(self, node)
        if op.function in ("multiply", "add"):
            normalising.gain(self, node, axes)
        if op.function == "add":
            self.judge_places(node)
        masks.note(self, node)
        return tuple(axes)

    def judge_places(self, node: Node) -> None:
        """Places along the batch added to values that are no places: integers may be offsets into flat rows."""
        for places, values in (node.inputs, node.inputs[::-1]):
            along = sorted(BATCH & self.counts.get(id(places), frozenset()))
            real = [plain(n).dtype.kind == "f" and not isinstance(n.op, Broadcast) for n in (values,)]
            if along and all(real) and not self.counts.get(id(values)) and sum(map(bool, self.of(values))) >= 3:
                self.odd(
                    "ATT036",
                    f"positions are counted along {along[0]}, which is the batch, and added to every token",
                    node,
                    "count along the axis of tokens",
                )
                return


RULES: Mapping[type, Callable[[AxesReading, Node], tuple[Axis, ...]]] = {
    Input: AxesReading.input,
    Iota: AxesReading.iota,
    Transpose: AxesReading.transpose,
    Reshape: AxesReading.reshape,
    Broadcast: AxesReading.broadcast,
    Slice: AxesReading.slice,
    Gather: AxesReading.gather,
    Concatenate: AxesReading.concatenate,
    Update: AxesReading.update,
    Opaque: AxesReading.opaque,
    Constant: AxesReading.constant,
    Reduction: AxesReading.reduction,
    Contraction: AxesReading.contraction,
    Elementwise: AxesReading.elementwise,
}

__all__ = ["AxesReading", "Oddity"]
