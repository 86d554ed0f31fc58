"""Two array expressions are equal at every size and for every input, by the normal form of their elements."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...dims import Scope
from ...dims.expression import Expression, parse
from ...errors import ExpressionError, VerifierError
from ...frontends.explorer import explore
from ...frontends.numpy.lower import lift
from ...graph.node import Node
from ...graph.primitive import element_term
from ...prove.identity import prove_equal
from ...prove.same import same_term
from ...prove.search import models
from ...readings.meaning import indices_of
from ...verdict import Truth, Verdict
from ..arrays import Declared, evaluate_side, symbols_of
from ..claim import Reading
from ..context import Context

SEED = 20170612
REPLAYS = 24
"""Sizes at which both sides are run on real arrays, whatever the terms say."""
TOLERANCE = 1e-9


def establish(reading: Reading, context: Context) -> Verdict:
    """`left == right` of array expressions over the arrays that the claim declares.

    PROVED where both elements have one normal form, and both sides agree on real arrays at small sizes besides;
    REFUTED where they differ on real arrays; UNDECIDED where neither.
    """
    left, right = sides(reading.relation)
    arrays = {name: Declared.of(name, text) for name, text in context.claim.arrays.items()}
    used = {n: a for n, a in arrays.items() if n in left.names | right.names}
    if not used:
        raise VerifierError(
            f"{reading.relation!r} speaks of no array", remedy='declare it: arrays = { x = "n d_model" }'
        )
    scope = _scope(context, used)
    witness = difference(left, right, used, scope)
    if witness is not None:
        return Verdict(Truth.REFUTED, "the two sides differ on real arrays", witness=witness)
    nodes = record_sides((left, right), used, scope)
    for axis, (a, b) in enumerate(zip(nodes[0].shape, nodes[1].shape, strict=True)):
        verdict = prove_equal(a, b, scope)
        if verdict.truth is not Truth.PROVED:
            return Verdict(
                verdict.truth, f"axis {axis} is {a} on one side and {b} on the other", witness=verdict.witness
            )
    index, ranges = indices_of(nodes[0].shape)
    terms = [element_term(node, index, dict(ranges)) for node in nodes]
    if not same_term(terms[0], terms[1], scope):
        return Verdict(Truth.UNDECIDED, f"the normal forms differ, the values do not: {terms[0]} and {terms[1]}")
    certificate = {
        "kind": "same",
        "left": left.text,
        "right": right.text,
        "arrays": {n: context.claim.arrays[n] for n in used},
        "sizes": list(scope.least),
        "assumptions": [a.text for a in scope.assumptions],
        "term": str(terms[0]),
        "replayed": REPLAYS,
    }
    steps = (
        f"element [{', '.join(map(str, index))}] of {left.text}",
        f"  = {terms[0]}",
        f"is the same element of {right.text}",
    )
    return Verdict(Truth.PROVED, "one normal form", certificate=certificate, steps=steps)


def sides(text: str) -> tuple[Expression, Expression]:
    """The two sides of `left == right`.

    Raises:
        ExpressionError: the text is no equation.
    """
    expression = parse(text)
    tree = expression.tree
    if not (isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq)):
        raise ExpressionError(f"{text!r} is no equation of arrays", remedy="write left == right")
    return tuple(Expression(ast.unparse(t), t) for t in (tree.left, tree.comparators[0]))  # pyright: ignore[reportReturnType]


def _scope(context: Context, used: Mapping[str, Declared]) -> Scope:
    scope = symbols_of((), {n: context.claim.arrays[n] for n in used})
    texts = [p.relation for p in context.premises if p.relation]
    extra = [n for n in context.claim.sizes if any(n in parse(t).names for t in (*texts, *_relations(context)))]
    scope = scope.declaring(extra)
    for premise in context.premises:
        if premise.relation:
            scope = scope.assuming(premise.relation, premise.name)
    return scope


def _relations(context: Context) -> tuple[str, ...]:
    return tuple(r.relation for r in context.claim.readings)


def record_sides(expressions: tuple[Expression, ...], arrays: Mapping[str, Declared], scope: Scope) -> tuple[Node, ...]:
    """The nodes of the expressions on symbolic arrays, on the one path that returns.

    Raises:
        VerifierError: it fails, or takes different ways at different sizes.
    """

    def run() -> tuple[Node, ...]:
        inputs = {name: array.symbolic(scope.names) for name, array in arrays.items()}
        return tuple(lift(evaluate_side(e, {**scope.names, **inputs})).node for e in expressions)

    returning = [p for p in explore(run, scope) if p.error is None]
    if len(returning) != 1:
        failed = next((p.error for p in explore(run, scope) if p.error is not None), None)
        raise VerifierError(
            f"{expressions[0].text} does not take one way at all sizes{f': {failed}' if failed else ''}"
        )
    return returning[0].value


def difference(
    left: Expression, right: Expression, arrays: Mapping[str, Declared], scope: Scope
) -> dict[str, Any] | None:
    """The smallest sizes at which the two sides differ on real arrays, with the values; None where none was found."""
    random = np.random.default_rng(SEED)
    for count, sizes in enumerate(models(scope)):
        if count >= REPLAYS:
            return None
        inputs = {name: array.real(sizes, random) for name, array in arrays.items()}
        values: dict[str, Any] = {**sizes, **inputs}
        try:
            a, b = (np.asarray(evaluate_side(side, values), float) for side in (left, right))
        except (ValueError, IndexError) as error:
            return {"sizes": sizes, "error": str(error).splitlines()[0]}
        if a.shape != b.shape:
            return {"sizes": sizes, "left": f"shape {list(a.shape)}", "right": f"shape {list(b.shape)}"}
        gap = float(np.max(np.abs(a - b))) if a.size else 0.0
        if gap > TOLERANCE:
            place = np.unravel_index(int(np.argmax(np.abs(a - b))), a.shape)
            return {
                "sizes": sizes,
                "arrays": {n: v.tolist() for n, v in inputs.items()},
                "at": [int(i) for i in place],
                "left": repr(float(a[place])),
                "right": repr(float(b[place])),
            }
    return None
