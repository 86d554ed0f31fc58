"""What an axis is made of: factors in order, each with the input axes that it came from.

Law: an axis is the ordered product of its factors, the first varies slowest. A reshape keeps the order of all
factors; where it cannot, elements of one factor end up under another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..dims import Size, is_dim
from ..dims.dim import from_terms, terms_of
from ..dims.polynomial import divide
from ..prove.facts import Facts

Axis = tuple["Factor", ...]
"""Factors, slowest first; an axis of one element has none."""


@dataclass(frozen=True, eq=False)
class Factor:
    """One ordered part of an axis. Compared by identity: whether two are alike is a question about sizes."""

    size: Size
    label: str
    """How a person would name it: the size symbol, or the text of the size."""
    origins: frozenset[str] = frozenset()
    """`x.0`: the input axes whose elements it runs over."""
    kind: str = "axis"
    """"axis", "repeat" (the same elements again), "sum" (one piece after the other), "cycle" (one piece again and
    again, however often it fits) or "mixed"."""
    pieces: tuple[Axis, ...] = ()
    turn: str = ""
    """Tells apart two axes of one array that come from the same input axis."""
    normalised: bool = False
    """Values along it were divided by their sum."""
    across: bool = False
    """Of two axes, rows and columns, the one over which those values were not summed."""
    place: int = -1
    """Where it was then, counted from the last axis: 0 for columns, 1 for rows."""
    by: int = 0
    """Which division that was."""
    standardised: bool = False
    """Values along it were divided by their own spread."""

    @property
    def key(self) -> tuple[str, frozenset[str], str]:
        return (self.label, self.origins, self.turn)

    def __str__(self) -> str:
        return self.label or str(self.size)


def show(axis: Axis) -> str:
    """An axis as text: `h*d_v`, slowest first."""
    return "*".join(map(str, axis)) or "1"


def origin_text(factor: Factor) -> str:
    """`h (axis 1 of x)`."""
    places = [o.rpartition(".") for o in sorted(factor.origins)]
    return f"{factor} ({', '.join(f'axis {axis} of {name}' for name, _, axis in places)})" if places else str(factor)


def quotient(size: Size, divisor: Size) -> Size | None:
    """size / divisor where it is a size."""
    if type(size) is int and type(divisor) is int:
        return size // divisor if divisor and size % divisor == 0 else None
    if type(divisor) is int and divisor == 0:
        return None
    whole, rest = divide(terms_of(size), terms_of(divisor))
    return None if rest else from_terms(whole)


def equal(left: Size, right: Size) -> bool:
    return str(left) == str(right)


def is_one(size: Size) -> bool:
    return type(size) is int and size == 1


@dataclass
class Sizes:
    """Sizes under the premises of a path."""

    facts: Facts

    def of(self, size: Size) -> Size:
        return self.facts.reduce(size) if is_dim(size) else size

    def same(self, left: Size, right: Size) -> bool:
        return equal(self.of(left), self.of(right))

    def split(self, factor: Factor, size: Size) -> tuple[Factor, Factor] | None:
        """The factor as a slow part of that size and the rest."""
        if factor.kind == "sum":
            return None
        rest = quotient(self.of(factor.size), self.of(size))
        if rest is None:
            return None
        return replace(factor, size=size, label=str(size)), replace(factor, size=rest, label=str(rest))

    def regroup(self, source: Sequence[Factor], target: Sequence[Size]) -> list[Axis] | None:
        """The source's factors dealt out to axes of the target's sizes, in order; None where that cannot be done."""
        todo = list(source)
        result: list[Axis] = []
        for size in target:
            axis: list[Factor] = []
            need = self.of(size)
            while not is_one(need):
                if not todo:
                    return None
                factor = todo[0]
                if self.same(factor.size, need):
                    axis.append(todo.pop(0))
                    break
                rest = quotient(need, self.of(factor.size))
                if rest is not None:
                    axis.append(todo.pop(0))
                    need = self.of(rest)
                    continue
                halves = self.split(factor, need)
                if halves is None:
                    return None
                axis.append(halves[0])
                todo[0] = halves[1]
                break
            result.append(tuple(axis))
        return result if not todo else None

    def conflict(self, left: Axis, right: Axis) -> str | None:
        """Why two axes of one size do not run over the same things in the same order; None where they may."""
        mine, other = list(left), list(right)
        cycles = [any(f.kind == "cycle" for f in axis) for axis in (left, right)]
        if any(cycles):
            plain = right if cycles[0] else left
            return "tiled" if not all(cycles) and all(f.kind == "axis" for f in plain) else None
        names = {f.label for f in left if f.kind != "repeat"} & {f.label for f in right if f.kind != "repeat"}
        while mine and other:
            a, b = mine[0], other[0]
            if "mixed" in (a.kind, b.kind):
                return None
            if self.same(a.size, b.size):
                if a.kind == b.kind == "sum" and self._pieces_differ(a, b):
                    return "pieces"
                mine.pop(0)
                other.pop(0)
                continue
            if len(other) > 1 and b.kind == "repeat" and a.kind == "axis" and len(left) == 1:
                return "tiled" if quotient(self.of(a.size), self.of(b.size)) is not None else None
            if len(mine) > 1 and a.kind == "repeat" and b.kind == "axis" and len(right) == 1:
                return "tiled" if quotient(self.of(b.size), self.of(a.size)) is not None else None
            halves = self.split(a, b.size)
            if halves is not None:
                mine[0] = halves[1]
                other.pop(0)
                continue
            halves = self.split(b, a.size)
            if halves is None:
                if not names:
                    return None
                copies = (len(mine) > 1 and a.kind == "repeat") or (len(other) > 1 and b.kind == "repeat")
                return "tiled" if copies and {a.kind, b.kind} == {"axis", "repeat"} else "order"
            other[0] = halves[1]
            mine.pop(0)
        return None

    def _pieces_differ(self, left: Factor, right: Factor) -> bool:
        """Whether the same pieces stand in another order; padding, and what is left of a shift, may stand anywhere."""
        if any(not any(f.origins for f in piece) for factor in (left, right) for piece in factor.pieces):
            return False
        mine, other = ([self.of(product(p)) for p in f.pieces] for f in (left, right))
        if any(len(terms_of(size)) > 1 for size in (*mine, *other)):
            return False
        return (
            len(mine) == len(other)
            and sorted(map(str, mine)) == sorted(map(str, other))
            and list(map(str, mine)) != list(map(str, other))
        )


def product(axis: Axis) -> Size:
    total: Size = 1
    for factor in axis:
        total = total * factor.size
    return total
