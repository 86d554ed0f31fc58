"""Whether two array expressions are different functions at every size, or one function at some.

The method `same` asks it about `left != right`. The difference is shown by inputs written as expressions
of the sizes, at which one element of both sides is a number of sizes: those two are compared at all sizes at once.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any

from ..dims import Relation, Scope
from ..dims.expression import Expression, parse
from ..errors import VerifierError
from ..graph.primitive import element_term
from ..prove.facts import Facts
from ..prove.inequality import prove_order
from ..prove.recheck import recheck as recheck_certificate
from ..prove.same import without_known_indicators
from ..prove.search import models
from ..terms import Group, Term
from ..verdict import Truth, Verdict
from .arrays import Comparison, compare_on_arrays, failure, undefined
from .claim import Reading

CANDIDATES = 6
"""Sizes tried at which both sides may be one function."""
FIXED = 2
"""Sizes put in as numbers together, to see whether both sides are one function there."""
REPLAYED = 8


@dataclass(frozen=True)
class Family:
    """Inputs at every size: an expression for each array, at which both sides have known elements."""

    inputs: Mapping[str, str]
    comparison: Comparison
    """The relation with the inputs put in; what is left are sizes and places."""

    @classmethod
    def of(cls, comparison: Comparison, given: Mapping[str, Any]) -> Family:
        """The inputs that the claim gives; where it gives none, ones, the reversed order, or the identity.

        Raises:
            VerifierError: an input for something that is no array of the relation.
        """
        arrays = {n: a for n, a in comparison.arrays.items() if a.kind != "index"}
        unknown = next((n for n in given if n not in arrays), None)
        if unknown is not None:
            raise VerifierError(f"inputs has {unknown}, which is no array of the relation", remedy="name an array")
        inputs = {n: str(given.get(n, _usual(a.kind, a.shape(comparison.scope.names)))) for n, a in arrays.items()}
        trees = {n: parse(text).tree for n, text in inputs.items()}
        return cls(
            inputs,
            replace(
                comparison,
                left=_put_in(comparison.left, trees),
                right=_put_in(comparison.right, trees),
                arrays={n: a for n, a in comparison.arrays.items() if a.kind == "index"},
            ),
        )

    def elements(self) -> tuple[Term, Term]:
        """The first element of both sides.

        Raises:
            VerifierError: at some size there is none.
        """
        nodes = self.comparison.nodes
        shape = max((n.shape for n in nodes), key=len)
        for extent in shape:
            if prove_order(Relation("<=", 1, extent), self.comparison.scope).truth is not Truth.PROVED:
                raise VerifierError(f"an axis of {extent} may have no element", remedy="assume that it has one")
        ranges = self.comparison.ranges
        facts = Facts.of(self.comparison.scope)
        terms = (element_term(n, (0,) * len(n.shape), dict(ranges)) for n in nodes)
        first, second = (without_known_indicators(t, facts) for t in terms)
        return first, second


ByNormalForm = Callable[[Comparison], Verdict]


def establish(
    reading: Reading, comparison: Comparison, witness: Mapping[str, Any], by_normal_form: ByNormalForm
) -> Verdict:
    """`left != right` where both differ at the witness: refuted at sizes where they never do, proved by a family."""
    found = one_function(comparison, by_normal_form)
    if found is not None:
        where, identity = found
        text = f"where {' and '.join(where)} the two sides have one normal form"
        return Verdict(Truth.REFUTED, text, witness={"text": text, "where": where, "identity": identity})
    family = Family.of(comparison, dict(reading.options.get("inputs", {})))
    first, second = family.elements()
    verdict = _never_equal(first, second, comparison.scope)
    if verdict.truth is not Truth.PROVED or undefined(family.comparison) is not None:
        at = ", ".join(f"{n} = {v}" for n, v in witness["sizes"].items())
        shown = f"they differ at {at}; at {_show(family.inputs)} their first elements are {first} and {second}"
        return Verdict(Truth.UNDECIDED, f"{shown}, which is not shown to differ at every size")
    certificate = {
        "kind": "different",
        **comparison.as_json,
        "inputs": dict(family.inputs),
        "elements": [str(first), str(second)],
        "order": dict(verdict.certificate or {}),
    }
    _differ_on_arrays(family)
    steps = (f"at {_show(family.inputs)}", f"the first elements are {first} and {second}, which are never equal")
    return Verdict(Truth.PROVED, "they differ at every size", certificate=certificate, steps=steps)


def _never_equal(first: Term, second: Term, scope: Scope) -> Verdict:
    if not all(_of_sizes(t) for t in (first, second)):
        return Verdict(Truth.UNDECIDED, "they are no numbers of sizes alone")
    return prove_order(Relation("!=", first, second), scope)


def _of_sizes(term: Term) -> bool:
    """Whether a term is made of sizes by arithmetic, so that it has a value and an order."""
    return all(isinstance(a, str) or (isinstance(a, Group) and _of_sizes(a.term)) for m in term.terms for a, _ in m)


def recheck(certificate: Mapping[str, Any], comparison: Comparison) -> None:
    """The family once more: its elements, the order between them, and real arrays.

    Raises:
        VerifierError: one of them is not what the certificate says.
    """
    family = Family.of(comparison, certificate["inputs"])
    elements = [str(t) for t in family.elements()]
    if elements != list(certificate["elements"]):
        raise VerifierError(f"the first elements are {' and '.join(elements)}")
    recheck_certificate(certificate["order"])
    again = _never_equal(*family.elements(), comparison.scope)
    if dict(again.certificate or {}) != dict(certificate["order"]) or undefined(family.comparison) is not None:
        raise VerifierError("the order is one of other elements")
    _differ_on_arrays(family)


def one_function(comparison: Comparison, by_normal_form: ByNormalForm) -> tuple[list[str], dict[str, Any]] | None:
    """Sizes and places at which both sides are one function of the arrays, and the normal form that shows it."""
    for where in _candidates(comparison):
        narrow = replace(comparison, scope=assuming(comparison.scope, where))
        if compare_on_arrays(narrow) is not None:
            continue
        verdict = by_normal_form(narrow)
        if verdict.truth is Truth.REFUTED and verdict.witness is not None:
            return where, dict(verdict.witness["identity"])
    return None


def assuming(scope: Scope, where: list[str]) -> Scope:
    for text in where:
        scope = scope.assuming(text)
    return scope


def _candidates(comparison: Comparison) -> Iterator[list[str]]:
    """One or two sizes as numbers, small ones first, that the premises admit."""
    tried: dict[tuple[str, ...], None] = {}
    for sizes in islice(models(comparison.scope), CANDIDATES):
        for count in range(1, FIXED + 1):
            for names in combinations(sizes, count):
                tried[tuple(f"{n} == {sizes[n]}" for n in names)] = None
    yield from (list(where) for where in sorted(tried, key=len))


def _differ_on_arrays(family: Family) -> None:
    for sizes in islice(models(family.comparison.scope), REPLAYED):
        if failure(family.comparison, sizes, {}, None) is None:
            raise VerifierError(f"the two sides agree at {sizes} and {_show(family.inputs)}: please report this")


def _usual(kind: str, shape: tuple[Any, ...]) -> str:
    extents = ", ".join(map(str, shape))
    return {
        "permutation": f"reversed_order({extents})",
        "invertible": f"identity({shape[0] if shape else 1})",
        "mask": f"everything({extents})",
        "bool": f"everything({extents})",
    }.get(kind, f"ones({extents})")


def _put_in(expression: Expression, trees: Mapping[str, ast.expr]) -> Expression:
    class PutIn(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            arguments = [self.visit(a) for a in node.args]
            return ast.Call(node.func, arguments, node.keywords)

        def visit_Name(self, node: ast.Name) -> ast.AST:
            return trees.get(node.id, node)

    tree = PutIn().visit(expression.tree)
    return Expression(ast.unparse(tree), tree)


def _show(inputs: Mapping[str, str]) -> str:
    return ", ".join(f"{n} = {text}" for n, text in inputs.items())
