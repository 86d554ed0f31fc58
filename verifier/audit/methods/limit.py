"""What an expression tends to as one size grows."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...dims import Scope
from ...dims.expression import parse
from ...errors import VerifierError
from ...graph.node import upstream
from ...graph.ops import Constant
from ...prove.facts import Facts
from ...prove.limits import Growing, limit
from ...prove.refute import decimal_value, value_at
from ...prove.same import same_term, without_known_indicators
from ...prove.search import models
from ...readings.meaning import ranges_of
from ...terms import Term, as_term
from ...terms.evaluate import evaluate
from ...terms.fold import substitute, term_symbols
from ...terms.ranges import is_index
from ...terms.term import power
from ...verdict import Truth, Verdict
from ..arrays import Comparison, undefined
from ..claim import Reading
from ..context import Context
from ..quantities import Quantities
from .same import elements_of

GROWING = (8, 512, 10**6)
"""Values of the growing size at which the expression is evaluated."""
LARGE = 10**6 + 3
"""A value that a size which grows without bound must be able to take."""
CLOSE = 1e-2
"""How near the limit the last of them must be, relative to 1 + |limit|."""
DRAWN = 4


def establish(reading: Reading, context: Context) -> Verdict:
    """`expression == limit` as the size named by `options.variable` grows; the mode is pointwise in all else.

    The limit is found by the calculus of `prove.limits` for all sizes and inputs. It is confirmed by SymPy's own limit
    where the expression is one of sizes, and by evaluating the expression at growing values; where the two routes
    disagree there is no verdict. `options.mode = "in probability"` reads a mean square tending to 0 as convergence in
    probability, by Chebyshev's inequality.
    """
    variable = str(reading.options.get("variable", ""))
    if not variable:
        raise VerifierError(
            "a limit needs options.variable, the size that grows", remedy='options = { variable = "d_k" }'
        )
    _check_form(reading, context, variable)
    if not parse(reading.relation).functions <= Quantities({}).functions.keys():
        return _of_arrays(Comparison.of(reading.relation, context), variable)
    relation = context.relation(reading.relation)
    return _of_sizes(as_term(relation.left), as_term(relation.right), variable, context.scope, reading.options)


def _check_form(reading: Reading, context: Context, variable: str) -> None:
    """A limit is an equation, its variable can grow, and a mode of convergence has what it needs.

    Raises:
        VerifierError: one of these is not so.
    """
    expression = parse(reading.relation)
    if not (isinstance(expression.tree, ast.Compare) and isinstance(expression.tree.ops[0], ast.Eq)):
        raise VerifierError(f"{reading.relation!r} is no limit", remedy="write expression == limit")
    mode = reading.options.get("mode", "pointwise")
    if mode not in ("pointwise", "in probability"):
        raise VerifierError(f"there is no mode {mode!r}", remedy='mode = "pointwise" or "in probability"')
    if mode == "in probability" and "rms" not in expression.functions:
        raise VerifierError(
            "convergence in probability is shown by a mean square", remedy="write rms(kernel, ...) == 0"
        )
    if variable not in context.scope.least:
        raise VerifierError(f"the variable {variable} is no size of the claim", remedy="declare it in sizes")
    if next(models(context.scope.assuming(f"{variable} == {LARGE}"), varying=()), None) is None:
        raise VerifierError(f"the premises do not let {variable} grow", remedy=f"drop what bounds {variable}")


def _of_sizes(left: Term, right: Term, variable: str, scope: Scope, options: Mapping[str, Any]) -> Verdict:
    found = limit(left, Growing(variable, facts=Facts.of(scope)), {})
    values = [value_at(left, {n: t if n == variable else 2 for n in term_symbols(left)}) for t in GROWING]
    shown = [f"{float(decimal_value(v)):.6g}" for v in values]
    if found is None:
        return _by_growth(left, variable, scope, shown)
    if not _sympy_agrees(left, found, variable):
        return Verdict(Truth.UNDECIDED, f"SymPy does not confirm the limit {found}")
    if not same_term(found, right, scope):
        witness = {"limit": str(found), "left": str(found), "right": str(right), "sizes": {}}
        return Verdict(Truth.REFUTED, f"the limit is {found}", witness=witness)
    certificate = {"kind": "limit", "expression": str(left), "variable": variable, "limit": str(right), "values": shown}
    steps = [f"{left} tends to {found} as {variable} grows", f"at {variable} = {GROWING}: {', '.join(shown)}"]
    if options.get("mode") == "in probability":
        steps.append("a mean square that tends to 0: convergence in probability, by Chebyshev's inequality")
    return Verdict(Truth.PROVED, f"limit as {variable} grows", certificate=certificate, steps=tuple(steps))


def _by_growth(left: Term, variable: str, scope: Scope, shown: list[str]) -> Verdict:
    """What has no finite limit is refuted where 1 over it tends to 0."""
    size_only = left.is_positive and left.number is None
    inverse = limit(power(left, -1), Growing(variable, facts=Facts.of(scope)), {}) if size_only else None
    if inverse is not None and not inverse.terms:
        text = f"it grows without bound: {', '.join(shown)} at {variable} = {', '.join(map(str, GROWING))}"
        return Verdict(Truth.REFUTED, text, witness={"text": text})
    return Verdict(Truth.UNDECIDED, "no rule gives the limit")


def _sympy_agrees(term: Term, found: Term, variable: str) -> bool:
    """The second route: SymPy's limit, with symbols that carry no assumption but the one that grows."""
    if variable not in term_symbols(term):
        return found.same(term)
    import sympy

    from ...prove.identity import as_sympy

    symbols = {n: sympy.Symbol(n, positive=True) for n in term_symbols(term) | term_symbols(found)}
    expression, expected = (as_sympy(t).subs({sympy.Symbol(n): s for n, s in symbols.items()}) for t in (term, found))
    return sympy.simplify(sympy.limit(expression, symbols[variable], sympy.oo) - expected) == 0


def calculated(comparison: Comparison, variable: str) -> tuple[list[Term], Term | None]:
    """The elements of both sides, and the limit of the first by the calculus, if a rule gives one."""
    terms, index = elements_of(comparison)
    positive = frozenset(n for n, a in comparison.arrays.items() if a.kind == "positive")
    ranges = {**ranges_of(index, comparison.nodes[0].shape), **comparison.ranges}
    facts = Facts.of(comparison.scope)
    growing = Growing(variable, positive, facts, ranges)
    return terms, limit(without_known_indicators(terms[0], facts), growing, ranges)


def _of_arrays(comparison: Comparison, variable: str) -> Verdict:
    terms, found = calculated(comparison, variable)
    drawn = numbers(comparison, variable)
    if found is not None and same_term(found, terms[1], comparison.scope):
        unconfirmed = next((n for n in drawn if not n["close"]), None)
        if unconfirmed is not None:
            return Verdict(Truth.UNDECIDED, f"the numbers do not confirm it: {unconfirmed['left']} at {GROWING}")
    else:
        return _other_limit(comparison, terms, variable, drawn)
    open_division = undefined(comparison)
    if open_division is not None:
        return Verdict(Truth.UNDECIDED, open_division)
    certificate = {
        "kind": "limit of arrays",
        **comparison.as_json,
        "variable": variable,
        "term": str(terms[0]),
        "limit": str(found),
    }
    steps = (f"element: {terms[0]}", f"tends to {found} as {variable} grows, for all other sizes and inputs")
    return Verdict(Truth.PROVED, f"limit as {variable} grows", certificate=certificate, steps=steps)


def _other_limit(comparison: Comparison, terms: list[Term], variable: str, tried: list[dict[str, Any]]) -> Verdict:
    """Refuted at sizes and inputs where the calculus gives another limit; distance alone refutes no limit."""
    written = {n.op.name: n.op.value for n in upstream(*comparison.nodes) if isinstance(n.op, Constant)}
    for drawn in tried:
        fixed = {n: v for n, v in drawn["sizes"].items() if n != variable}
        here = Growing(variable, facts=Facts({variable: 1}))
        found = limit(substitute(terms[0], fixed, {}), here, {})
        if found is None or drawn["close"]:
            continue
        arrays = {n: np.asarray(v) for n, v in drawn["arrays"].items()} | written
        index = dict.fromkeys((n for n in term_symbols(terms[0]) | term_symbols(terms[1]) if is_index(n)), 0)
        values = [evaluate(t, fixed, arrays, index) for t in (found, substitute(terms[1], fixed, {}))]
        if not np.isclose(*values, rtol=1e-6, atol=1e-6):
            witness = {k: v for k, v in drawn.items() if k != "close"}
            return Verdict(Truth.REFUTED, f"there the limit is {values[0]:.6g}, not {values[1]:.6g}", witness=witness)
    return Verdict(Truth.UNDECIDED, f"no rule gives the limit of {terms[0]}")


def numbers(comparison: Comparison, variable: str) -> list[dict[str, Any]]:
    """The second route: real arrays at growing values of the variable."""
    found: list[dict[str, Any]] = []
    for sizes, inputs in comparison.drawn():
        if len(found) >= DRAWN or sizes.get(variable) != comparison.scope.least.get(variable):
            continue
        shown: list[str] = []
        gap = 0.0
        right = np.zeros(())
        for t in GROWING:
            with np.errstate(all="ignore"):
                left, right = comparison.at({**sizes, variable: t}, inputs)
            gap = float(np.max(np.abs(left - right)))
            shown.append(f"{float(np.ravel(left)[0]):.6g}")
        scale = 1 + float(np.max(np.abs(right)))
        found.append(
            {
                "sizes": sizes,
                "arrays": {n: np.asarray(v).tolist() for n, v in inputs.items()},
                "left": ", ".join(shown),
                "right": f"{float(np.ravel(right)[0]):.6g}",
                "close": gap <= CLOSE * scale,
            }
        )
    return found
