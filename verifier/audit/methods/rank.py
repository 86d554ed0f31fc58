"""A bound of the rank of a matrix that kernels make."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...dims import Relation
from ...dims.expression import HOLDS, parse
from ...errors import ExpressionError
from ...prove.inequality import prove_order
from ...prove.rank import exact_rank
from ...readings.rank import rank_bounds
from ...verdict import Truth, Verdict
from ..arrays import Comparison
from ..claim import Reading
from ..context import Context

EXACT = 2**20
"""Denominators up to this come from exact arithmetic on the drawn quarters; others from rounding."""


def establish(reading: Reading, context: Context) -> Verdict:
    """`rank(expression) <= bound`, or a comparison of two ranks.

    A bound is PROVED by a factor or an inner axis that is no larger; it is REFUTED by real matrices whose exact rank
    exceeds it. A comparison of two ranks can only be REFUTED, or stays UNDECIDED.
    """
    comparison, ranked = comparison_of(reading.relation, context)
    exact = _exact_failure(comparison, ranked)
    if exact is not None:
        return Verdict(Truth.REFUTED, "exact ranks of real matrices", witness=exact)
    if ranked != (True, False) or comparison.op != "<=":
        return Verdict(Truth.UNDECIDED, "no real matrices were found that break it, and ranks are only bounded above")
    node, _ = comparison.nodes
    limit = comparison.right.value(comparison.scope.names)
    for bound in rank_bounds(node):
        verdict = prove_order(Relation("<=", bound, limit), comparison.scope)
        if verdict.truth is Truth.PROVED and verdict.certificate is not None:
            certificate = {
                "kind": "rank",
                **comparison.as_json,
                "bound": str(bound),
                "order": dict(verdict.certificate),
            }
            step = f"the matrix is a product over an axis of {bound}, or has that many rows or columns"
            return Verdict(Truth.PROVED, f"the rank is at most {bound}", certificate=certificate, steps=(step,))
    return Verdict(Truth.UNDECIDED, f"known bounds: {', '.join(map(str, rank_bounds(node)))}")


def comparison_of(text: str, context: Context) -> tuple[Comparison, tuple[bool, bool]]:
    """The two matrices or numbers compared, and which of them stand for their ranks."""
    tree = parse(text).tree
    if not isinstance(tree, ast.Compare) or len(tree.comparators) != 1:
        raise ExpressionError(f"{text!r} is no relation of ranks", remedy="write rank(matrix) <= bound")
    sides = [_unwrapped(t) for t in (tree.left, tree.comparators[0])]
    plain = ast.Compare(sides[0][0], tree.ops, [sides[1][0]])
    return Comparison.of(ast.unparse(plain), context), (sides[0][1], sides[1][1])


def _unwrapped(node: ast.expr) -> tuple[ast.expr, bool]:
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "rank"
        and len(node.args) == 1
    ):
        return node.args[0], True
    return node, False


def _exact_failure(comparison: Comparison, ranked: tuple[bool, bool]) -> dict[str, Any] | None:
    for sizes, inputs in comparison.drawn():
        found = fails_on(comparison, ranked, sizes, inputs)
        if found is not None:
            return found
    return None


def fails_on(
    comparison: Comparison, ranked: tuple[bool, bool], sizes: Mapping[str, int], inputs: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The exact ranks where they break the relation on these matrices."""
    op = {">": "<", ">=": "<="}.get(comparison.op, comparison.op)
    real = {n: np.asarray(v) for n, v in inputs.items()}
    values = [_value(side, is_rank) for side, is_rank in zip(comparison.at(sizes, real), ranked, strict=True)]
    if HOLDS[op](*(values[::-1] if op != comparison.op else values)):
        return None
    arrays = {n: v.tolist() for n, v in real.items()}
    return {"sizes": dict(sizes), "arrays": arrays, "left": str(values[0]), "right": str(values[1])}


def _value(side: np.ndarray, is_rank: bool) -> int:
    if not is_rank:
        return int(side)
    rows = [[Fraction(float(v)) for v in row] for row in side]
    if all(v.denominator <= EXACT for row in rows for v in row):
        return exact_rank(rows)
    return int(np.linalg.matrix_rank(side))  # rounded numbers have a rank up to rounding only
