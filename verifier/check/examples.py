"""Example sizes of paths, smallest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..dims import Relation, Scope, is_dim
from ..dims.dim import symbols_of
from ..dims.wording import condition_text, exact_of
from ..frontends.explorer import Path
from ..frontends.summary import tells_of_summary
from ..prove.search import models
from .world import World

SEARCH = 6_000
"""How many sizes are tried for a path's smallest example."""

MANY = 7
"""More sizes than this are not all varied in the search."""


def conditions_of(world: World, path: Path) -> str:
    """When a path is taken, in words, under the world's premises."""
    exact = exact_of(world.premises)
    made = {r.key for r in path.assumed if tells_of_summary(r)}
    told = [c for c in path.conditions if c.key not in made]
    return " and ".join(dict.fromkeys(condition_text(c, exact) for c in told)) or "no condition"


def examples(world: World, path: Path, points: int = SEARCH) -> Iterator[dict[str, int]]:
    """Sizes at which a path is taken, smallest first; sizes that only data decide are left out."""
    scope, conditions = standing(world.scope, path)
    before: dict[str, int] | None = None
    # An index may have to be large, and of many sizes those that no condition names would take up the points.
    varying = () if path.assumed or len(scope.least) > MANY else None
    for found in models(scope, conditions, varying, points=points):
        sizes = {**world.fixed, **{n: found[n] for n in world.scope.least}}
        if sizes != before:
            yield sizes
        before = sizes


def standing(scope: Scope, path: Path) -> tuple[Scope, tuple[Relation, ...]]:
    """The sizes with those that a path made on its way (the index of a loop), and its conditions about them."""
    made = {n for c in path.assumed for s in (c.left, c.right) if is_dim(s) for n in symbols_of(s)}
    scope = scope.declaring(sorted(made - set(scope.least)))
    return scope, tuple(c for c in path.conditions if all(_known(s, scope) for s in (c.left, c.right)))


def _known(side: Any, scope: Scope) -> bool:
    return type(side) is int or (is_dim(side) and symbols_of(side) <= set(scope.least))


def example(world: World, path: Path) -> dict[str, int] | None:
    return next(iter(examples(world, path)), None)


def weight(sizes: Mapping[str, int]) -> tuple[int, int]:
    return (max(sizes.values(), default=0), sum(sizes.values()))


def distance(sizes: Mapping[str, int], other: Mapping[str, int]) -> tuple[int, int]:
    return (sum(sizes[n] != other.get(n) for n in sizes), sum(sizes.values()))
