"""Every path of one call over symbolic sizes; sizes that the code wants as numbers are tried up to a bound."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..dims import Relation, Scope, is_dim
from ..dims.dim import substitute, symbols_of
from ..errors import NeedsConcreteSize, Unsupported
from ..frontends.explorer import Path, explore
from ..frontends.loops.iterators import for_all_counts
from ..frontends.summary import exactly, is_exact, is_summary, rests_on_summaries
from ..prove.facts import Facts
from ..terms import Term
from .loading import loaded

BOUNDS = (4, 3, 2)
"""How many values are tried of the first, second and third size that the code wants as a number."""


@dataclass(frozen=True)
class World:
    """Sizes and premises of a run: those in `fixed` are numbers."""

    scope: Scope
    fixed: Mapping[str, int] = field(default_factory=lambda: dict[str, int]())

    def fixing(self, name: str, value: int) -> World | None:
        """The world in which a size is a number; None where a premise says that it is not."""
        chosen = {name: value}
        scope = Scope({n: low for n, low in self.scope.least.items() if n != name})
        for premise in self.scope.assumptions:
            relation = change(premise.relation, chosen)
            if relation is False:
                return None
            if isinstance(relation, Relation):
                scope = scope.given(relation, premise.name)
        return World(scope, {**self.fixed, name: value})

    def given(self, relation: Relation) -> World | None:
        """The world with one more premise; None where it cannot hold."""
        here = change(relation, self.fixed)
        if here is False:
            return None
        return World(self.scope.given(here), self.fixed) if isinstance(here, Relation) else self

    @property
    def premises(self) -> list[Relation]:
        return [a.relation for a in self.scope.assumptions]

    def facts(self, conditions: tuple[Relation, ...] = ()) -> Facts:
        return Facts.of(self.scope, conditions)


def change(relation: Relation, values: Mapping[str, int]) -> Relation | bool:
    """The relation where some symbols are numbers."""
    left, right = (substitute(s, values) if is_dim(s) else s for s in (relation.left, relation.right))
    if relation.op == "==":
        return left == right
    if relation.op == "!=":
        return left != right
    return left < right if relation.op == "<" else left <= right


@dataclass
class Runs:
    """The paths of a call, each with its world, and the bounds that they were run up to."""

    paths: list[tuple[World, Path]] = field(default_factory=lambda: list[tuple[World, Path]]())
    bounds: dict[str, int] = field(default_factory=lambda: dict[str, int]())
    why: str = ""
    """What kept the loops from being run for all counts."""

    def __add__(self, other: Runs) -> Runs:
        bounds = dict(self.bounds)
        for name, bound in other.bounds.items():
            bounds[name] = min(bound, bounds.get(name, bound))
        return Runs(self.paths + other.paths, bounds)


def run_everywhere(run: Callable[[Mapping[str, int]], Any], world: World) -> Runs:
    """Explores the call; where it wants a size as a number, once for each small value of that size alone.

    Raises:
        Unsupported: too many paths, or a number is wanted of a size that no argument has.
    """
    try:
        return _explored(run, world)
    except NeedsConcreteSize as error:
        wanted = sorted(_symbols(error.size))
    known = [n for n in wanted if n in world.scope.least]
    if not known or len(world.fixed) >= len(BOUNDS):
        raise Unsupported(
            f"Python wants a number for {', '.join(wanted) or 'a value'}",
            remedy="loop over fewer sizes, or use an array operation",
        ) from None
    name, count = known[0], BOUNDS[len(world.fixed)]
    least = world.scope.least[name]
    total = Runs(bounds={name: least + count - 1})
    for value in range(least, least + count):
        narrower = world.fixing(name, value)
        if narrower is not None:
            total = total + run_everywhere(run, narrower)
    return total


def _explored(run: Callable[[Mapping[str, int]], Any], world: World) -> Runs:
    """The paths; where a number is wanted of what stands for several cases, or one may fail alone, each is a path."""
    if not is_exact():
        try:
            paths = explore(lambda: run(world.fixed), world.scope)
        except NeedsConcreteSize as error:
            if not any(map(is_summary, _symbols(error.size))):
                raise
        else:
            if not any(map(rests_on_summaries, paths)):
                return Runs([(world, path) for path in paths])
    with exactly():
        return Runs([(world, path) for path in explore(lambda: run(world.fixed), world.scope)])


def run_for_all_counts(
    run: Callable[[Mapping[str, int]], Any], world: World, functions: Iterable[Any], values: bool = False
) -> Runs:
    """Explores the call with its loops run for all counts; a path with a loop that is not of that kind is Unsupported.

    With `values`, what the loops compute is followed too. `functions` are those whose modules have the loops, besides
    the modules under test.

    Raises:
        Unsupported: too many paths.
    """
    spaces = {id(space): space for space in (vars(sys.modules[name]) for name in loaded if name in sys.modules)}
    spaces |= {id(space): space for space in (getattr(f, "__globals__", None) for f in functions) if space is not None}

    def once() -> Any:
        try:
            with for_all_counts(spaces.values(), values):
                return run(world.fixed)
        except NeedsConcreteSize as error:
            fact = str(error.__cause__ or f"a number is wanted of {error.size}")
            raise Unsupported(fact, remedy="loop over fewer sizes, or use an array operation") from None

    return Runs([(world, path) for path in explore(once, world.scope)])


def _symbols(size: Any) -> frozenset[str]:
    if is_dim(size):
        return symbols_of(size)
    if type(size) is Term:
        return frozenset(a for a in size.atoms if isinstance(a, str)) | frozenset(
            n for a in size.atoms if not isinstance(a, str) for n in _names_in(str(a))
        )
    return frozenset()


def _names_in(text: str) -> list[str]:
    import re

    return re.findall(r"[A-Za-z_]\w*", text)
