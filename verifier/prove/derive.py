"""What an order takes from its premises, derived from them once more: values, least values, facts.

The second evaluator's own way: premises are polynomials that are 0 or at least 0; what the certificate solves for is
put in until nothing changes. It shares the polynomials of `dims` with the prover, and none of its reasoning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import floor, gcd, lcm
from typing import Any

from ..dims import Scope, Size, identical, symbol
from ..dims.dim import floors_of, from_terms, substitute, symbols_of, terms_of
from ..dims.expression import parse
from ..errors import VerifierError


def check_premises(certificate: Mapping[str, Any], scope: Scope) -> None:
    """Every solved value, least value and fact of an order follows from the scope's premises.

    Raises:
        VerifierError: one does not.
    """
    equal, at_least = _premises(scope)
    values, least = check_solved(certificate["solved"], scope)
    for name, bound in certificate["least"].items():
        if bound > least.get(name, 0):
            raise VerifierError(f"{name} >= {bound} does not follow from the premises")
    known = [_primitive(substitute(size, values), least) for size in at_least]
    known += [_primitive(values[n] - least.get(n, 0), least) for n in values]
    for size in equal:
        known += [_primitive(substitute(s, values), least) for s in (size, -size)]
    for _, text in certificate["weights"]:
        fact = _primitive(_size(text), least)
        if not any(identical(fact, other) for other in known):
            raise VerifierError(f"{text} >= 0 does not follow from one premise")


def check_solved(solved: Mapping[str, str], scope: Scope) -> tuple[dict[str, Size], dict[str, int]]:
    """The values that the premises give these symbols, which must be as told; and all least values.

    Raises:
        VerifierError: one does not follow.
    """
    wanted = {name: _size(text) for name, text in solved.items()}
    values, least = _solved(set(wanted), *_premises(scope), dict(scope.least))
    for name, value in wanted.items():
        if name not in values or not identical(values[name], value):
            raise VerifierError(f"{name} = {value} does not follow from the premises")
    return values, least


def _size(text: str) -> Size:
    expression = parse(text)
    return expression.value({n: symbol(n) for n in expression.names})


def _premises(scope: Scope) -> tuple[list[Size], list[Size]]:
    """What is 0, and what is at least 0."""
    equal: list[Size] = []
    at_least: list[Size] = []
    for assumption in scope.assumptions:
        relation = assumption.relation
        difference = relation.right - relation.left
        if floors_of(difference):
            continue
        if relation.op == "==":
            equal.append(difference)
        elif relation.op in ("<", "<="):
            at_least.append(difference * _scale(difference) - (relation.op == "<"))
    return equal, at_least


def _solved(
    wanted: set[str], equal: list[Size], at_least: list[Size], least: dict[str, int]
) -> tuple[dict[str, Size], dict[str, int]]:
    values: dict[str, Size] = {}
    for _ in range(2 * len(wanted) + len(at_least) + 2):
        for size in (*at_least, *(v - least.get(n, 0) for n, v in values.items())):
            for name, factor, constant in _linear(_primitive(substitute(size, values), least)):
                if factor == 1:
                    least[name] = max(least.get(name, 0), -constant)
                elif factor == -1 and constant == least.get(name, 0) and name in wanted:
                    _put(values, name, constant)
        for size in equal:
            left = _primitive(substitute(size, values), least)
            for name in sorted(symbols_of(left) & wanted):
                factor = terms_of(left).get(((name, 1),))
                value = symbol(name) - left * factor if factor in (1, -1) else symbol(name)
                if name not in symbols_of(value):
                    _put(values, name, value)
                    break
    return values, least


def _put(values: dict[str, Size], name: str, value: Size) -> None:
    for other in values:
        values[other] = substitute(values[other], {name: value})
    values[name] = value


def _linear(size: Size) -> Iterator[tuple[str, int, int]]:
    """Of a·x + b the name, a and b."""
    terms = dict(terms_of(size))
    constant = int(terms.pop((), 0))
    if len(terms) == 1:
        ((monomial, factor),) = terms.items()
        if len(monomial) == 1 and monomial[0][1] == 1:
            yield str(monomial[0][0]), int(factor), constant


def _scale(size: Size) -> int:
    return lcm(*(Fraction(c).denominator for c in terms_of(size).values()))


def _primitive(size: Size, least: Mapping[str, int]) -> Size:
    """Without a common factor that is at least 1, and tightened: 2·q - 3 >= 0 says q - 2 >= 0 of whole numbers."""
    terms = {m: int(c) for m, c in terms_of(size * _scale(size)).items()}
    if not terms:
        return 0
    shared = set.intersection(*({a for a, _ in m} for m in terms))
    for atom in (a for a in shared if least.get(str(a), 0) >= 1):
        lowest = min(dict(m)[atom] for m in terms)
        lowered = {tuple((a, p - lowest * (a == atom)) for a, p in m): c for m, c in terms.items()}
        terms = {tuple((a, p) for a, p in m if p): c for m, c in lowered.items()}
    constant = terms.pop((), 0)
    if not terms:
        return constant
    number = gcd(*terms.values())
    whole = {m: c // number for m, c in terms.items()}
    below = floor(Fraction(constant, number))
    return from_terms({**whole, **({(): below} if below else {})})
