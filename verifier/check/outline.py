"""Whether one state is another's outline at some sizes: the step of induction from a call to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ..dims import Relation, Scope, Size, is_dim, symbol
from ..dims.dim import identical, substitute, symbols_of
from ..frontends.front_end import element_name, is_stand_in
from ..prove.decide import decide
from ..prove.facts import Facts
from .kept import Kept, memory_of

NEXT = "next."
"""What the sizes of the second call are named with."""


@dataclass(frozen=True)
class Misfit:
    """A name under which two states are unlike."""

    name: str
    weight: int
    sizes: tuple[Size, ...] = ()
    counts: bool = False
    """Whether it is a number that may be counted."""
    lies: bool = False
    """Whether it is an array of that shape which lies in memory in another order."""


@dataclass
class Fit:
    """Sizes of one state in terms of another's, found while the two are compared."""

    free: set[str]
    """Symbols that stand for whatever sizes the calls before had."""
    facts: Facts
    values: dict[str, Size] = field(default_factory=lambda: dict[str, Size]())

    def rows(self, one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
        if len(one) != len(other):
            return False
        return all(self.parts(a, b) for a, b in zip(one, other, strict=True))

    def parts(self, a: Any, b: Any) -> bool:
        if isinstance(a, tuple) and isinstance(b, tuple):
            return self.rows(cast("tuple[Any, ...]", a), cast("tuple[Any, ...]", b))
        if is_dim(a) or is_dim(b):
            return all(is_dim(s) or type(s) is int for s in (a, b)) and self.size(cast("Size", a), cast("Size", b))
        return a is b or (type(a) is type(b) and bool(a == b))

    def size(self, a: Size, b: Size) -> bool:
        """Whether the first size is the second, at sizes that are still to be chosen."""
        unknown = [n for n in symbols_of(a) if n in self.free and n not in self.values]
        for name in unknown[:1] if len(unknown) == 1 else ():
            rest: Any = a - symbol(name)
            if name not in symbols_of(rest):
                self.values[name] = b - substitute(rest, self.values)
        return self.holds(Relation("==", substitute(a, self.values), b))

    def holds(self, relation: Relation) -> bool:
        if relation.op == "==" and identical(relation.left, relation.right):
            return True
        return decide(relation, self.facts) is True

    def keeps(self, conditions: Sequence[Relation], scope: Scope) -> bool:
        """Whether the sizes found are sizes, and meet what was known of those that they stand for."""
        if not all(self.holds(Relation("<=", scope.least[n], v)) for n, v in self.values.items()):
            return False
        premises = [a.relation for a in scope.assumptions]
        rest = {n for c in (*conditions, *premises) for n in symbols_in(c)} & self.free - self.values.keys()
        for others in ({}, {n: symbol(NEXT + n) for n in rest if NEXT + n in scope.least}):
            values = {**self.values, **others}
            if all(self.holds(renamed(c, values)) for c in (*conditions, *premises)):
                return True
        return False


def row(name: str, state: Kept) -> tuple[Any, ...]:
    """What two states must share under a name; a real array counts as the stand-in that it may become."""
    entry = state.entries[name]
    value = entry.value
    if entry.token[0] == "same as":
        return entry.token
    if is_stand_in(value) or entry.is_real_array:
        family = value.__class__.__module__.partition(".")[0].removesuffix("lib")
        if is_stand_in(value):
            strides, weak = getattr(value, "memory", None), getattr(value, "weak", False)
        else:
            strides = "contiguous" if family == "torch" and value.is_contiguous() else getattr(value, "strides", None)
            strides, weak = None if family != "torch" else strides, getattr(value, "weak_type", False)
        flags = (bool(getattr(value, "_is_param", False)), bool(getattr(value, "_requires_grad", False)), weak)
        memory = state.roots.get(id(memory_of(value))) if is_stand_in(value) else name
        return (
            "array",
            family,
            tuple(value.shape),
            element_name(value.dtype),
            flags,
            strides,
            memory == name or memory,
        )
    if is_dim(value) or type(value) is int:
        return ("number", value)
    return entry.token


def symbols_in(relation: Relation) -> frozenset[str]:
    return frozenset(n for s in (relation.left, relation.right) if is_dim(s) for n in symbols_of(s))


def renamed(relation: Relation, names: Mapping[str, Size]) -> Relation:
    left, right = (substitute(s, names) if is_dim(s) else s for s in (relation.left, relation.right))
    return Relation(relation.op, left, right)
