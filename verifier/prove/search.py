"""The smallest sizes at which relations hold: models of assumptions, and counterexamples.

Exhaustive over small sizes, smallest largest size first, so ones and coincidences come early; equations that
were solved shrink the search to the free symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from ..dims import Relation, Scope
from ..dims.dim import evaluate
from ..dims.expression import holds
from .facts import Facts, solution

MAX_POINTS = 60_000
"""How many combinations of sizes are tried before the search gives up."""


def satisfying(
    scope: Scope, further: Iterable[Relation] = (), test: Callable[[dict[str, int]], bool] | None = None
) -> dict[str, int] | None:
    """The smallest sizes of the scope at which its assumptions, the further relations and the test hold.

    None where no such sizes were found among those tried: not a proof that there are none.
    """
    for sizes in models(scope, tuple(further)):
        if test is None or test(sizes):
            return sizes
    return None


def models(scope: Scope, further: tuple[Relation, ...] = (), points: int = MAX_POINTS) -> Iterator[dict[str, int]]:
    """All sizes tried that satisfy the scope's assumptions and the further relations, smallest first."""
    relations = [*(a.relation for a in scope.assumptions), *further]
    facts = Facts.of(scope, further)
    if facts.contradictory:
        return
    free = [n for n in facts.least if n not in facts.solved]
    order = {name: place for place, name in enumerate(scope.least)}
    for values in _small_points([facts.least.get(n, 0) for n in free], points):
        sizes = solution(facts, dict(zip(free, values, strict=True)))
        if sizes is None:
            continue
        found = {n: sizes[n] for n in sorted((n for n in sizes if n in order), key=order.__getitem__)}
        if all(true_at(r, found) for r in relations):
            yield found


def true_at(relation: Relation, sizes: dict[str, int]) -> bool:
    """The relation's truth at concrete sizes, in exact arithmetic; False where it divides by zero."""
    try:
        return holds(relation, lambda side: evaluate(side, sizes))
    except ZeroDivisionError:
        return False


def _small_points(least: list[int], points: int = MAX_POINTS) -> Iterator[tuple[int, ...]]:
    """Points of the box by growing largest excess over the least values, up to `MAX_POINTS` in all."""
    if not least:
        yield ()
        return
    tried = 0
    largest = 0
    while tried < points:
        for excess in sorted(product(range(largest + 1), repeat=len(least)), key=sum) if largest < 4 else product(
            range(largest + 1), repeat=len(least)
        ):
            if max(excess) != largest:
                continue
            tried += 1
            yield tuple(low + e for low, e in zip(least, excess, strict=True))
            if tried >= points:
                return
        largest += 1
