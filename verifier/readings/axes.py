"""The axes reading: where each axis of each array came from, and where axes met that were not meant for each other.

Shapes say that two axes have one size. This reading says whether they are the same thing: a reshape that puts heads
where tokens were, weights that were normalised along one axis and summed over another, a mask that hides the wrong
keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..dims import Size
from ..dims.dim import symbols_of
from ..graph.node import Graph, Node, SourceLine
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
from . import broadcasts
from .patterns import Patterns, is_constant, plain
from .provenance import Axis, Factor, Sizes, equal, is_one, product, show

BATCH = frozenset({"b", "B", "bs", "bsz", "batch", "batch_size", "nbatch", "n_batch", "samples", "n_samples"})
"""Names by which the field calls independent examples; positions are never counted along them."""


@dataclass(frozen=True)
class Oddity:
    """Two axes that met and should not have, or one that was used as another."""

    code: str
    message: str
    source: SourceLine | None
    node: Node
    fix: str = ""


def is_learned(node: Node) -> bool:
    """Whether an array is made of the object's own arrays alone: heads mixed by learned numbers are no weighted sum."""
    todo, seen = [node], set[int]()
    found = False
    while todo:
        here = todo.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        if isinstance(here.op, Input):
            if not here.op.name.startswith("self."):
                return False
            found = True
        todo.extend(here.inputs)
    return found


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
    oddities: list[Oddity] = field(default_factory=lambda: list[Oddity]())

    def __post_init__(self) -> None:
        self.sizes = Sizes(self.facts)
        self.patterns = Patterns()

    def read(self, outputs: tuple[Node, ...]) -> list[Oddity]:
        """Walks the graph in order; only what the outputs depend on counts."""
        for node in self.graph.reaching(outputs):
            rule = RULES.get(type(node.op))
            axes = rule(self, node) if rule is not None else tuple(map(self.plain, node.shape))
            self.axes[id(node)] = axes
            if node.inputs and type(node.op) is not Gather and id(node) not in self.counts:
                counted = frozenset(c for n in node.inputs for c in self.counts.get(id(n), ()))
                if counted and type(node.op) is not Contraction:
                    self.counts[id(node)] = counted
        return self.oddities

    def of(self, node: Node) -> tuple[Axis, ...]:
        return self.axes[id(node)]

    def plain(self, size: Size, origin: str = "") -> Axis:
        if is_one(size):
            return ()
        return (Factor(size, str(size), frozenset({origin}) if origin else frozenset()),)

    def odd(self, code: str, message: str, node: Node, fix: str = "") -> None:
        self.oddities.append(Oddity(code, message, node.source, node, fix))

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
        self.judge_reshape(node, mine, factors)
        origins = frozenset(o for f in factors for o in f.origins)
        return tuple(() if is_one(s) else (Factor(s, str(s), origins, "mixed"),) for s in node.shape)

    def judge_reshape(self, node: Node, mine: tuple[Axis, ...], factors: list[Factor]) -> None:
        if any(f.kind == "mixed" for f in factors):
            return
        todo, target = list(factors), [s for s in node.shape if not is_one(s)]
        while todo and target and self.sizes.same(todo[0].size, target[0]):
            todo.pop(0)
            target.pop(0)
        while todo and target and self.sizes.same(todo[-1].size, target[-1]):
            todo.pop()
            target.pop()
        if self.judge_joined(node, todo, target):
            return
        for size in target:
            for factor in todo:
                if symbols_of(size) and self.sizes.same(factor.size, size):
                    merged = [a for a in mine if len(a) > 1 and factor in a]
                    before, after = " ".join(map(show, mine)), ", ".join(map(str, node.shape))
                    if merged:
                        self.odd(
                            "ATT031",
                            f"the axis {show(merged[0])} is split as if {factor} "
                            f"were elsewhere in it: [{before}] to [{after}]",
                            node,
                            f"split it in the order {show(merged[0])}",
                        )
                    else:
                        self.odd(
                            "ATT030",
                            f"reshaping [{before}] to [{after}] fills the axis {factor} with elements of "
                            f"{', '.join(str(f) for f in todo)}: {factor} is not next to what it is merged with",
                            node,
                            f"transpose first, so that {factor} keeps its place",
                        )
                    return

    def judge_joined(self, node: Node, factors: list[Factor], target: list[Size]) -> bool:
        """Pieces that each run over one axis were joined one after the other, and are split as if side by side."""
        if not factors or not target or factors[0].kind != "sum" or len(target) < 2:
            return False
        pieces = factors[0].pieces
        if not symbols_of(target[0]) or not all(p and self.sizes.same(p[0].size, target[0]) for p in pieces):
            return False
        axis, joined = pieces[0][0], " then ".join(map(show, pieces))
        self.odd(
            "ATT031",
            f"{joined} stand one after the other, and are split as if each {axis} had its part of all",
            node,
            f"concatenate along the axis after {axis}, before they are merged",
        )
        return True

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
                result.append(self.part(axis, start, extent, step))
        return tuple(result)

    def part(self, axis: Axis, start: Size, extent: Size, step: int) -> Axis:
        if len(axis) == 1 and axis[0].kind == "sum" and step == 1:
            place: Size = 0
            for piece in axis[0].pieces:
                if self.sizes.same(place, start) and self.sizes.same(product(piece), extent):
                    return piece
                place = place + product(piece)
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
        return (*mine[: op.axis], *self.of(places), *mine[op.axis + 1 :])

    def concatenate(self, node: Node) -> tuple[Axis, ...]:
        op = node.op
        assert isinstance(op, Concatenate)
        all_axes = [self.of(n) for n in node.inputs]
        pieces = tuple(a[op.axis] for a in all_axes)
        first = list(all_axes[0])
        if all(not p for p in pieces):
            joined: Axis = (Factor(len(pieces), str(len(pieces))),)
        elif len({show(p) for p in pieces}) == 1 and len(pieces) > 1:
            joined = (Factor(len(pieces), str(len(pieces))), *pieces[0])
        elif len(pieces) == 1:
            joined = pieces[0]
        else:
            size = node.shape[op.axis]
            origins = frozenset(o for p in pieces for f in p for o in f.origins)
            joined = (Factor(size, str(size), origins, "sum", pieces),)
        first[op.axis] = joined
        for other in all_axes[1:]:
            for place, axis in enumerate(other):
                if place != op.axis:
                    first[place] = self.meet(node, first[place], axis, "joined side by side")
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
                inner = operand.inputs[0] if isinstance(operand.op, Broadcast) else None
                if inner is not None and any(not a for a in self.of(inner)):
                    self.judge_weights(node, self.of(operand), op.axes)
        return tuple(a for i, a in enumerate(mine) if i not in op.axes)

    def judge_weights(self, node: Node, weights: tuple[Axis, ...], summed: Sequence[int]) -> None:
        """Weights that sum to one along one axis are summed over another."""
        normal = [i for i, a in enumerate(weights) if any(f.normalised for f in a)]
        if normal and summed and not set(normal) & set(summed) and any(weights[i] for i in summed):
            along = ", ".join(show(weights[i]) for i in normal)
            over = ", ".join(show(weights[i]) for i in summed)
            self.odd(
                "ATT033",
                f"the weights sum to one along {along}, and are summed over {over}",
                node,
                f"normalise along {over}, the axis that is summed over",
            )

    def judge_alone(self, node: Node, weights: tuple[Axis, ...], alone: Sequence[int]) -> None:
        """Weights summed over the axis along which they sum to one, and nothing with them: each sum is 1."""
        for place in alone:
            if any(f.normalised for f in weights[place]):
                along = show(weights[place])
                self.odd(
                    "ATT033",
                    f"the weights sum to one along {along} and are summed over it alone: every such sum is 1, "
                    f"and nothing is weighted",
                    node,
                    f"let what is weighted vary along {along} too",
                )
                return

    def contraction(self, node: Node) -> tuple[Axis, ...]:
        op = node.op
        assert isinstance(op, Contraction)
        met: dict[str, Axis] = {}
        owner: dict[str, int] = {}
        for number, (labels, array) in enumerate(zip(op.operands, node.inputs, strict=True)):
            axes = self.of(array)
            summed = [i for i, label in enumerate(labels) if label not in op.result and len(op.operands) > 1]
            if not all(map(is_learned, (a for a in node.inputs if a is not array))):
                self.judge_weights(node, axes, summed)
            alone = [i for i in summed if sum(labels[i] in other for other in op.operands) == 1]
            self.judge_alone(node, axes, alone)
            for label, axis in zip(labels, axes, strict=True):
                if label in met:
                    how = "kept in step" if label in op.result else "summed over together"
                    met[label] = self.meet(node, met[label], axis, how)
                else:
                    met[label], owner[label] = axis, number
        result: list[Axis] = []
        seen: dict[tuple[object, ...], int] = {}
        for label in op.result:
            axis = tuple(replace(f, normalised=f.normalised and label in op.result) for f in met[label])
            key = tuple(f.key for f in axis)
            if axis and key in seen:
                axis = tuple(replace(f, turn=f"{f.turn}{owner[label]}") for f in axis)
            seen[key] = owner[label]
            result.append(axis)
        return tuple(result)

    def meet(self, node: Node, left: Axis, right: Axis, how: str) -> Axis:
        """The axis of two that run in step; an oddity where they are in different order."""
        if not left or not right:
            return left or right
        why = self.sizes.conflict(left, right)
        if why == "order":
            self.odd(
                "ATT031",
                f"{show(left)} and {show(right)} are {how}: one size, but the factors are in another order",
                node,
                f"bring both into the order {show(left)}",
            )
        elif why == "pieces":
            pieces = [" then ".join(map(show, f.pieces)) for f in (left[0], right[0])]
            self.odd(
                "ATT034",
                f"{pieces[0]} and {pieces[1]} are {how}: one size, but the pieces are in another order",
                node,
                "concatenate both in one order",
            )
        elif why == "tiled":
            axis, tiled = (left, right) if len(left) == 1 else (right, left)
            if not any(f.origins for f in tiled):
                return self.better(left, right)  # a table made of counted places, such as rotary angles, has its order
            self.odd(
                "ATT032",
                f"{show(axis)} meets {show(tiled)}, whose copies come "
                f"first: neighbours in {show(axis)} get different "
                f"{tiled[1]}, not "
                f"one in common",
                node,
                "repeat each one in place (np.repeat), not the whole (np.tile)",
            )
        return self.better(left, right)

    def better(self, left: Axis, right: Axis) -> Axis:
        """Of two axes in step the one that says more."""

        def worth(axis: Axis) -> tuple[bool, bool, int]:
            flagged = any(f.normalised or f.standardised for f in axis)
            return (all(f.kind not in ("repeat", "mixed") for f in axis), flagged, sum(bool(f.origins) for f in axis))

        return right if worth(right) > worth(left) else left

    def elementwise(self, node: Node) -> tuple[Axis, ...]:
        op = node.op
        assert isinstance(op, Elementwise)
        arrays = [self.of(n) for n in node.inputs]
        axes: list[Axis] = list(arrays[0])
        for other in arrays[1:]:
            for place, axis in enumerate(other):
                axes[place] = self.meet(node, axes[place], axis, "combined element by element")
        broadcasts.judge(self, node)
        if op.function in ("true_divide", "divide", "multiply"):
            self.divided(node, axes)
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
        if op.function in ("multiply", "add"):
            self.judge_gain(node, axes)
        if op.function == "add":
            self.judge_places(node)
        self.judge_triangle(node)
        return tuple(axes)

    def divided(self, node: Node, axes: list[Axis]) -> None:
        assert isinstance(node.op, Elementwise)
        over = self.patterns.normalised_over(node) if node.op.function != "multiply" else None
        if over is not None:
            for place in over:
                axes[place] = tuple(replace(f, normalised=True) for f in axes[place])
            self.judge_mask(node, over)
            return
        spread = self.patterns.standardised_over(node)
        if spread is not None:
            for place in spread:
                axes[place] = tuple(replace(f, standardised=True) for f in axes[place])

    def judge_gain(self, node: Node, axes: list[Axis]) -> None:
        """A learned vector for one axis after a normalisation along another."""
        places = {i for i, a in enumerate(axes) if any(f.standardised for f in a)}
        exempt = any(word in self.name.lower() for word in ("batch", "instance", "group", "channel"))
        for operand in node.inputs:
            vector = operand.inputs[0] if isinstance(operand.op, Broadcast) else operand
            source = self.patterns.vector_input(vector)
            if source is None or not places or exempt:
                continue
            last = len(axes) - 1
            standardised_first = 0 in places and "layer" not in self.name.lower()
            if last not in places and axes[last] and not standardised_first:
                along = ", ".join(show(axes[i]) for i in sorted(places))
                self.odd(
                    "ATT033",
                    f"the values were normalised along {along}, and {source} "
                    f"scales or shifts them along {show(axes[last])}",
                    node,
                    f"normalise along {show(axes[last])}",
                )
                return

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

    def judge_mask(self, node: Node, over: tuple[int, ...]) -> None:
        """A mask that is the same all along the normalised axis hides nothing: softmax ignores a shift."""
        for use, operand in self.patterns.shifts(node.inputs[0]):
            rest = [n for n in use.inputs if n is not operand]
            if any(plain(n) in self.graph.reaching((operand,)) for n in rest if not is_constant(n)):
                continue  # a row is shifted by something of its own, as softmax itself does
            own = self.patterns.varying(operand)
            if own and not own & set(over):
                along = ", ".join(show(self.of(use)[i]) for i in over)
                rows = ", ".join(show(self.of(use)[i]) for i in sorted(own))
                self.odd(
                    "ATT037",
                    f"the mask varies along {rows} and not along {along}, "
                    f"over which the softmax runs: it hides nothing",
                    use,
                    f"let the mask vary along {along}: those are the keys",
                )

    def judge_triangle(self, node: Node) -> None:
        found = self.patterns.kept_triangle(node)
        if found is None:
            return
        kept, scores = found
        axes = self.of(scores)
        if not (len(axes[kept.row]) == len(axes[kept.column]) == 1):
            return
        row, column = axes[kept.row][0], axes[kept.column][0]
        offset: Size = 0
        if column.kind == "sum":
            for piece in column.pieces:
                if len(piece) == 1 and piece[0].label == row.label:
                    break
                offset = offset + product(piece)
            else:
                return
        elif column.label != row.label:
            return
        if not kept.lower:
            beyond = kept.offset - offset
            if type(beyond) is not int or beyond < 0:  # the far end of a window: keys before the row's own stay
                return
            self.odd(
                "ATT037",
                f"each {row} keeps the positions after it and hides those before: the mask's rows are keys",
                node,
                "swap the mask's axes, or np.tril instead of np.triu",
            )
        elif not self.sizes.same(kept.offset, offset):
            self.odd(
                "ATT038",
                f"row i of {row} keeps keys up to {_place(kept.offset)}, "
                f"but its own key is at {_place(offset)} of {column}",
                node,
                f"shift the diagonal by {offset}: k={offset}",
            )


def _place(offset: Size) -> str:
    text = str(offset)
    if text == "0":
        return "i"
    return f"i - {text[1:]}" if text.startswith("-") and " " not in text else f"i + {text}"


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
