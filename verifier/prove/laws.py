"""Joint laws of random inputs: what is assumed of them by name, and for each assumption a law that breaks it alone.

A law speaks of two random vectors, a query and a key. `STANDARD` is the one that texts on attention mean: each
entry has mean 0 and variance 1 and all entries are independent. The counter-laws have finitely many outcomes
with rational probabilities, so that their moments are exact sums over real runs of the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

HALF, QUARTER, EIGHTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)

Outcome = tuple[Fraction, tuple[int, ...], tuple[int, ...]]
"""Probability, the query's entries, the key's entries."""

ASSUMPTIONS: Mapping[str, str] = {
    "zero means": "every entry of the query and the key has mean 0",
    "unit variances": "every entry of the query and the key has variance 1",
    "query and key independent": "the query is independent of the key, entry by entry",
    "coordinates independent": "different coordinates are independent of each other",
}
"""The standard law, one named assumption each."""


@dataclass(frozen=True)
class FiniteLaw:
    """A law of one coordinate of (query, key), and whether all coordinates are copies of one."""

    name: str
    pairs: tuple[tuple[Fraction, int, int], ...]
    copied: bool = False

    def outcomes(self, d_k: int) -> Iterator[Outcome]:
        """All values of a query and a key of d_k entries with their probabilities, which add up to 1."""
        if self.copied:
            yield from ((p, (q,) * d_k, (k,) * d_k) for p, q, k in self.pairs)
            return
        for chosen in product(self.pairs, repeat=d_k):
            probability = Fraction(1)
            for p, _, _ in chosen:
                probability *= p
            yield probability, tuple(q for _, q, _ in chosen), tuple(k for _, _, k in chosen)


def _independent(values: tuple[tuple[Fraction, int], ...]) -> tuple[tuple[Fraction, int, int], ...]:
    return tuple((p * r, q, k) for p, q in values for r, k in values)


SIGNS = ((HALF, 1), (HALF, -1))
SPARSE = ((EIGHTH, 2), (EIGHTH, -2), (Fraction(3, 4), 0))

STANDARD_LAWS = (
    FiniteLaw("fair signs", _independent(SIGNS)),
    FiniteLaw("0 or ±2, mostly 0", _independent(SPARSE)),
)
"""Laws that satisfy every assumption; they differ in their fourth moment."""

COUNTER_LAWS: Mapping[str, tuple[FiniteLaw, ...]] = {
    "zero means": (FiniteLaw("entries 0 or 2: mean 1", _independent(((HALF, 0), (HALF, 2)))),),
    "unit variances": (FiniteLaw("entries ±2: variance 4", _independent(((HALF, 2), (HALF, -2)))),),
    "query and key independent": (
        FiniteLaw("the key equals the query", ((HALF, 1, 1), (HALF, -1, -1))),
        FiniteLaw(
            "merely uncorrelated: one of both entries is 0",
            ((EIGHTH, 2, 0), (EIGHTH, -2, 0), (EIGHTH, 0, 2), (EIGHTH, 0, -2), (HALF, 0, 0)),
        ),
    ),
    "coordinates independent": (FiniteLaw("all coordinates are copies of one", _independent(SIGNS), copied=True),),
}
"""For each assumption, laws that satisfy all the others and break it."""
