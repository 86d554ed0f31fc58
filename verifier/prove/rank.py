"""Bounds of the rank of a matrix from how it is made, and exact ranks of real matrices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..dims import Size


def exact_rank(rows: Sequence[Sequence[Fraction | int]]) -> int:
    """The rank over the rational numbers, by elimination.

    >>> exact_rank([[1, 2], [2, 4]])
    1
    """
    matrix = [[Fraction(v) for v in row] for row in rows]
    rank = 0
    for column in range(len(matrix[0]) if matrix else 0):
        pivot = next((i for i in range(rank, len(matrix)) if matrix[i][column]), None)
        if pivot is None:
            continue
        matrix[rank], matrix[pivot] = matrix[pivot], matrix[rank]
        for i in range(rank + 1, len(matrix)):
            factor = matrix[i][column] / matrix[rank][column]
            matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[rank], strict=True)]
        rank += 1
    return rank


def distinct(sizes: Sequence[Size]) -> list[Size]:
    """Sizes without repetition, in order."""
    return list({str(s): s for s in sizes}.values())
