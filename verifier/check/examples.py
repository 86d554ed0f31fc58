"""Example sizes of paths, smallest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..dims import is_dim
from ..dims.dim import symbols_of
from ..frontends.explorer import Path
from ..prove.search import models
from .requirement import text_of
from .world import World

SEARCH = 6_000
"""How many sizes are tried for a path's smallest example."""

MANY = 7
"""More sizes than this are not all varied in the search."""


def conditions_of(path: Path) -> str:
    return " and ".join(map(text_of, path.conditions)) or "no condition"


def examples(world: World, path: Path, points: int = SEARCH) -> Iterator[dict[str, int]]:
    """Sizes at which a path is taken, smallest first; sizes that only data decide are left out."""
    conditions = tuple(c for c in path.conditions if all(_known(s, world) for s in (c.left, c.right)))
    # Of many sizes only those vary that a condition speaks of: the others do not decide whether the path is taken.
    varying = () if len(world.scope.least) > MANY else None
    for sizes in models(world.scope, conditions, varying, points=points):
        yield {**world.fixed, **sizes}


def _known(side: Any, world: World) -> bool:
    return type(side) is int or (is_dim(side) and symbols_of(side) <= set(world.scope.least))


def example(world: World, path: Path) -> dict[str, int] | None:
    return next(iter(examples(world, path)), None)


def weight(sizes: Mapping[str, int]) -> tuple[int, int]:
    return (max(sizes.values(), default=0), sum(sizes.values()))


def distance(sizes: Mapping[str, int], other: Mapping[str, int]) -> tuple[int, int]:
    return (sum(sizes[n] != other.get(n) for n in sizes), sum(sizes.values()))
