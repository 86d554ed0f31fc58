"""The smallest sizes at which relations hold: models of assumptions, and counterexamples.

Exhaustive over small sizes, smallest largest size first, so ones and coincidences come early; equations that
were solved shrink the search to the free symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import count, islice

from ..dims import Relation, Scope
from ..dims.dim import evaluate, symbols_of
from ..dims.expression import holds as relation_holds
from .facts import Facts, solution

MAX_POINTS = 60_000
"""How many combinations of sizes are tried before the search gives up."""


def satisfying(
    scope: Scope, further: Iterable[Relation] = (), test: Callable[[dict[str, int]], bool] | None = None
) -> dict[str, int] | None:
    """The smallest sizes of the scope at which its assumptions, the further relations and the test hold.

    Smallest: no other sizes tried have a smaller largest size, then a smaller sum. None where no such sizes were found
    among those tried: not a proof that there are none.
    """
    relations = tuple(further)
    facts = Facts.of(scope, relations)
    best: dict[str, int] | None = None
    # Without a test, a size that no relation speaks of may stay at its least value.
    varying = None if test is not None else ()
    for excess, sizes in _points(scope, relations, facts, varying):
        # Each free size is at most the largest size, so beyond this excess nothing smaller can come.
        if best is not None and excess > max(best.values(), default=0) - min(facts.least.values(), default=0):
            break
        if sizes is not None and (best is None or _rank(sizes) < _rank(best)) and (test is None or test(sizes)):
            best = sizes
    return best


def _rank(sizes: Mapping[str, int]) -> tuple[int, int, tuple[int, ...]]:
    return (max(sizes.values(), default=0), sum(sizes.values()), tuple(sizes.values()))


def models(
    scope: Scope,
    further: tuple[Relation, ...] = (),
    varying: Collection[str] | None = None,
    points: int = MAX_POINTS,
) -> Iterator[dict[str, int]]:
    """All sizes among the first `points` that satisfy the assumptions and the further relations, small ones first.

    Where `varying` is given, sizes that neither occur there nor in a relation stay at their least values.
    """
    seen: set[tuple[int, ...]] = set()
    for _, sizes in islice(_points(scope, further, Facts.of(scope, further), varying), points):
        if sizes is not None and (key := tuple(sizes.values())) not in seen:
            seen.add(key)
            yield sizes


def _points(
    scope: Scope, further: tuple[Relation, ...], facts: Facts, varying: Collection[str] | None = None
) -> Iterator[tuple[int, dict[str, int] | None]]:
    """For each point tried: its largest excess over the least values, and the sizes if they are a model."""
    relations = [*(a.relation for a in scope.assumptions), *further]
    if facts.contradictory:
        return
    # A quotient named by the facts is free too, though it is no size of the scope.
    free = [n for n in facts.least if n not in facts.solved]
    if varying is not None:
        touched = {n for r in relations for side in (r.left, r.right) for n in symbols_of(side)} | set(varying)
        free = [n for n in free if n in touched or n not in scope.least]
    for excess in _small_points(len(free)):
        values = {**scope.least, **{n: facts.least[n] + e for n, e in zip(free, excess, strict=True)}}
        sizes = solution(facts, values)
        found = None if sizes is None else {n: sizes[n] for n in scope.least}
        holds = found is not None and all(true_at(r, found) for r in relations)
        yield max(excess, default=0), found if holds else None


def true_at(relation: Relation, sizes: dict[str, int]) -> bool:
    """The relation's truth at concrete sizes, in exact arithmetic; False where it divides by zero."""
    try:
        return relation_holds(relation, lambda side: evaluate(side, sizes))
    except ZeroDivisionError:
        return False


def _small_points(length: int) -> Iterator[tuple[int, ...]]:
    """Tuples of naturals by growing largest entry, then growing sum, up to `MAX_POINTS`."""
    points = (
        point
        for largest in (count() if length else (0,))
        for total in range(largest, largest * length + 1)
        for point in _with_sum(length, total, largest)
        if not point or max(point) == largest
    )
    return islice(points, MAX_POINTS)


def _with_sum(length: int, total: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Tuples of naturals of that sum, none above `largest`."""
    if not length:
        yield ()
        return
    for first in range(max(0, total - largest * (length - 1)), min(largest, total) + 1):
        for rest in _with_sum(length - 1, total - first, largest):
            yield (first, *rest)
