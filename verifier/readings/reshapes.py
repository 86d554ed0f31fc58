"""Reshapes and cuts that do not keep what an axis is made of.

Law: a reshape keeps the row-major order of all elements, so an axis of the result is a run of neighbouring factors of
the source. An axis whose size is that of other factors, or of factors that are not neighbours, holds a mixture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..dims import Size, symbol
from ..dims.dim import symbols_of
from ..graph.node import Node
from .provenance import Axis, Factor, Sizes, is_one, origin_text, product, quotient, show

if TYPE_CHECKING:
    from .axes import AxesReading

MAX_FACTORS = 10
"""The search for what a reshape should have merged gives up above this."""


def judge(reading: AxesReading, node: Node, mine: tuple[Axis, ...], factors: list[Factor]) -> None:
    """A reshape whose axes are no runs of the source's factors."""
    if any(f.kind == "mixed" for f in factors):
        return
    sizes = reading.sizes
    todo, target = list(factors), [s for s in node.shape if not is_one(s)]
    while todo and target and sizes.same(todo[0].size, target[0]):
        todo.pop(0)
        target.pop(0)
    while todo and target and sizes.same(todo[-1].size, target[-1]):
        todo.pop()
        target.pop()
    if joined(reading, node, todo, target) or skews(sizes, todo, target):
        return
    if not misplaced(reading, node, mine, todo, target):
        mixed(reading, node, mine, todo, target)


def misplaced(reading: AxesReading, node: Node, mine: tuple[Axis, ...], todo: list[Factor], target: list[Size]) -> bool:
    """An axis of the result has the size of one factor that stands elsewhere."""
    for size in target:
        for factor in todo:
            if not symbols_of(size) or not reading.sizes.same(factor.size, size):
                continue
            merged = [a for a in mine if len(a) > 1 and factor in a]
            before, after = texts(mine, node)
            if merged:
                reading.odd(
                    "ATT031",
                    f"the axis {show(merged[0])} is split as if {factor} were elsewhere in it: [{before}] to [{after}]",
                    node,
                    f"split it in the order {show(merged[0])}",
                )
            else:
                reading.odd(
                    "ATT030",
                    f"reshaping [{before}] to [{after}] fills the axis {factor} with elements of "
                    f"{', '.join(str(f) for f in todo)}: {factor} is not next to what it is merged with",
                    node,
                    f"transpose first, so that {factor} keeps its place",
                )
            return True
    return False


def mixed(reading: AxesReading, node: Node, mine: tuple[Axis, ...], todo: list[Factor], target: list[Size]) -> None:
    """An axis of the result has the size of several factors together that are no neighbours."""
    sizes = reading.sizes
    dealt = deal(sizes, todo, target)
    if dealt is None:
        todo = [part for f in todo for part in parts_of(sizes, f)]
        dealt = deal(sizes, todo, target)
    if dealt is None:
        return
    place = 0
    for size, wanted in zip(target, dealt, strict=True):
        places = [todo.index(f) for f in wanted]
        stays = places == list(range(place, place + len(places)))
        place += len(places)
        if stays or not symbols_of(size):
            continue
        before, after = texts(mine, node)
        one_axis = next((a for a in mine if all(f in a for f in todo)), None)
        if one_axis is not None:
            reading.odd(
                "ATT031",
                f"the axis {show(one_axis)} is split as if it were "
                f"{show(tuple(f for part in dealt for f in part))}: [{before}] to [{after}]",
                node,
                f"split it in the order {show(one_axis)}",
            )
            return
        merge, gaps = show(tuple(wanted)), [todo[i] for i in range(places[0], places[-1]) if i not in places]
        text = f"fills the axis {merge} with elements of {', '.join(map(str, todo))}: {merge} is not at this place"
        if gaps:
            text = (
                f"makes an axis {merge} that is no merge of {' and '.join(map(origin_text, wanted))}, since "
                f"{', '.join(map(str, gaps))} {'stands' if len(gaps) == 1 else 'stand'} between them: "
                f"each of its places mixes all of these"
            )
        reading.odd(
            "ATT030",
            f"reshaping [{before}] to [{after}] {text}",
            node,
            transposed(mine, todo, dealt),
        )
        return


def texts(mine: tuple[Axis, ...], node: Node) -> tuple[str, str]:
    return " ".join(map(show, mine)), ", ".join(map(str, node.shape))


def transposed(mine: tuple[Axis, ...], todo: list[Factor], dealt: list[list[Factor]]) -> str:
    """What brings the factors side by side."""
    source = [f for axis in mine for f in axis]
    wanted = [f for part in dealt for f in part]
    if not all(f in source for f in todo):
        return f"split the axes and transpose to [{' '.join(map(str, wanted))}] first"
    start = source.index(todo[0])
    order = [*source[:start], *wanted, *source[start + len(todo) :]]
    call = f"transpose({', '.join(str(source.index(f)) for f in order)}) first"
    return call if all(len(axis) == 1 for axis in mine) else f"split into [{' '.join(map(str, source))}] and {call}"


def deal(sizes: Sizes, factors: Sequence[Factor], target: Sequence[Size]) -> list[list[Factor]] | None:
    """All factors dealt out so that those of each target multiply to it, in order within it; None where none does."""
    if len(factors) > MAX_FACTORS:
        return None
    if not target:
        return None if factors else []
    for chosen in subsets(sizes, factors, sizes.of(target[0])):
        rest = deal(sizes, [f for f in factors if f not in chosen], target[1:])
        if rest is not None:
            return [chosen, *rest]
    return None


def subsets(sizes: Sizes, factors: Sequence[Factor], need: Size) -> Iterator[list[Factor]]:
    if is_one(need):
        yield []
        return
    for place, factor in enumerate(factors):
        rest = quotient(need, sizes.of(factor.size))
        if rest is not None:
            for more in subsets(sizes, factors[place + 1 :], sizes.of(rest)):
                yield [factor, *more]


def parts_of(sizes: Sizes, factor: Factor) -> list[Factor]:
    """The factor as known premises take it apart: h is h//p times p where p divides it."""
    size = sizes.of(factor.size)
    parts: list[Factor] = []
    while factor.kind != "sum":
        names = sorted(symbols_of(size), key=lambda n: (not n.startswith("("), n))
        halves = next((h for n in names for h in (sizes.split(factor, symbol(n)),) if h is not None), None)
        if halves is None or is_one(halves[1].size):
            break
        parts.append(halves[0])
        factor, size = halves[1], sizes.of(halves[1].size)
    return [*parts, factor]


def skews(sizes: Sizes, todo: list[Factor], target: list[Size]) -> bool:
    """[n, m + 1] seen as [m + 1, n]: each row starts one place later, which shifts relative positions on purpose."""
    if len(todo) != 2 or len(target) != 2:
        return False
    padded = [f for f in todo if f.kind == "sum" and any(not any(g.origins for g in p) for p in f.pieces)]
    return len(padded) == 1 and sizes.same(todo[0].size, target[1]) and sizes.same(todo[1].size, target[0])


def joined(reading: AxesReading, node: Node, factors: list[Factor], target: list[Size]) -> bool:
    """Pieces that each run over one axis were joined one after the other, and are split as if side by side."""
    if not factors or not target or factors[0].kind != "sum" or len(target) < 2:
        return False
    pieces = factors[0].pieces
    if not symbols_of(target[0]) or not all(p and reading.sizes.same(p[0].size, target[0]) for p in pieces):
        return False
    axis, one_after_the_other = pieces[0][0], " then ".join(map(show, pieces))
    reading.odd(
        "ATT031",
        f"{one_after_the_other} stand one after the other, and are split as if each {axis} had its part of all",
        node,
        f"concatenate along the axis after {axis}, before they are merged",
    )
    return True


def cut(reading: AxesReading, node: Node, axis: Axis, start: Size, extent: Size) -> Axis | None:
    """One of several equal parts of a merged axis; None where it is no such part.

    `h*3*k` in three runs: its slowest factor is h, so that a run holds queries, keys and values of some heads.
    """
    if len(axis) < 2 or any(f.kind != "axis" for f in axis):
        return None
    sizes = reading.sizes
    count = quotient(sizes.of(product(axis)), sizes.of(extent))
    if count is None or quotient(sizes.of(start), sizes.of(extent)) is None:
        return None
    dealt = sizes.regroup(axis, (count, extent))
    if dealt is not None:
        return dealt[1]
    wanted = next(subsets(sizes, axis[1:], sizes.of(count)), None)
    if wanted:
        reading.odd(
            "ATT031",
            f"the axis {show(axis)} is cut into {count} runs as if {show(tuple(wanted))} were first in it: "
            f"each run mixes all {show(tuple(wanted))} of some {axis[0]}",
            node,
            f"split it in the order {show(axis)}, then take the places of {show(tuple(wanted))}",
        )
    return None


__all__ = ["cut", "judge"]
