"""Random integer expressions as trees, so that ints and Dims go through the same Python operators."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

from verifier.dims import Relation, Scope
from verifier.dims.expression import make_relation

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def trees(names: str, operators: str = "+ + - * * // %", leaves: int = 5) -> st.SearchStrategy[Any]:
    """Expressions over the names (a string of letters) and small numbers."""
    leaf = st.one_of(st.sampled_from(names), st.sampled_from(names), st.integers(-3, 6))
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.tuples(st.sampled_from(operators.split()), inner, inner),
            st.tuples(st.just("**"), inner, st.integers(0, 3)),
        ),
        max_leaves=leaves,
    )


def build(tree: Any, names: Mapping[str, Any]) -> Any:
    """The value of a tree: a number where the names are numbers, a Dim where they are symbols."""
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return names[tree]
    op, left, right = tree
    if op == "**":
        return build(left, names) ** right
    return OPERATORS[op](build(left, names), build(right, names))


def grid(names: str, low: int, high: int) -> Iterator[dict[str, int]]:
    for values in itertools.product(range(low, high + 1), repeat=len(names)):
        yield dict(zip(names, values, strict=True))


def true_of_numbers(comparison: tuple[str, Any, Any], sizes: Mapping[str, int]) -> bool | None:
    """The comparison's truth in Python's own arithmetic; None where Python divides by zero."""
    op, left, right = comparison
    try:
        return COMPARISONS[op](build(left, sizes), build(right, sizes))
    except ZeroDivisionError:
        return None


def relation_of(comparison: tuple[str, Any, Any], scope: Scope) -> Relation:
    op, left, right = comparison
    return make_relation(op, build(left, scope.names), build(right, scope.names))
