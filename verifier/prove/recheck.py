"""The second evaluator: certificates and witnesses checked again from their text, without SymPy.

It shares nothing with the prover but the expression grammar. A polynomial that vanishes on a grid with more
points along each variable than its degree there is zero: that is a proof, and all it needs is exact integers.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import product
from typing import Any

from ..dims import Size, is_dim, symbol
from ..dims.dim import floordiv, terms_of
from ..dims.dim import substitute as substitute_size
from ..dims.expression import HOLDS, Expression, parse
from ..errors import VerifierError

MAX_GRID = 2_000_000


def recheck(certificate: Mapping[str, Any]) -> None:
    """Checks a certificate as it stands in the JSON report.

    Raises:
        VerifierError: it does not show what it claims, or is of no known kind.
    """
    kind = certificate.get("kind")
    check = CHECKS.get(str(kind))
    if check is None:
        raise VerifierError(f"a certificate of the unknown kind {kind!r}")
    try:
        check(certificate)
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        raise VerifierError(f"a malformed certificate of the kind {kind!r}: {error!r}") from None


def degree(node: ast.AST, name: str) -> tuple[int, int]:
    """Upper bounds of the degrees of numerator and denominator in one symbol, read off the text."""
    match node:
        case ast.Constant():
            return 0, 0
        case ast.Name(id=found):
            return (1, 0) if found == name else (0, 0)
        case ast.UnaryOp(operand=operand):
            return degree(operand, name)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            (a, b), (c, d) = degree(left, name), degree(right, name)
            return max(a + d, c + b), b + d
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            (a, b), (c, d) = degree(left, name), degree(right, name)
            return a + c, b + d
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            (a, b), (c, d) = degree(left, name), degree(right, name)
            return a + d, b + c
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            power = Expression("", right).value({})
            if not isinstance(power, int):
                raise VerifierError("a power that is no whole number: roots must be named first")
            a, b = degree(left, name)
            return (a * power, b * power) if power >= 0 else (-b * power, -a * power)
        case _:
            raise VerifierError(f"{ast.dump(node)[:40]} is not rational")


def vanishes(text: str) -> bool:
    """Whether a rational expression is 0 identically, by exact evaluation on a large enough grid."""
    expression = parse_long(text)
    names = sorted(expression.names)
    points = [degree(expression.tree, n)[0] + 1 for n in names]
    size = 1
    for count in points:
        size *= count
    if size > MAX_GRID:
        raise VerifierError(f"the grid for {text[:60]}... has {size} points, more than {MAX_GRID}")
    return all(
        expression.value(dict(zip(names, (1 + p for p in place), strict=True))) == 0
        for place in product(*map(range, points))
    )


def parse_long(text: str) -> Expression:
    """Certificates are as long as their proofs; the nodes are whitelisted all the same."""
    return parse(text)


def _identity(certificate: Mapping[str, Any]) -> None:
    left, right = certificate["left"], certificate["right"]
    for part in ("multiplier", "denominator"):
        _never_zero(certificate[part])
        if any("//" in str(certificate["defined"].get(n, "")) for n in parse(certificate[part]).names):
            raise VerifierError(f"{certificate[part]} holds a floor quotient, which may be 0")
    pieces = [f"({certificate['multiplier']})*({certificate['denominator']})*(({left}) - ({right}))"]
    for relation, cofactor in zip(certificate["relations"], certificate["cofactors"], strict=True):
        pieces.append(f"({cofactor})*(({relation['left']}) - ({relation['right']}))")
    if not vanishes(" - ".join(pieces)):
        raise VerifierError(
            "the identity does not hold: multiplier·(left - right) is not the sum of the cofactors' products"
        )


def _never_zero(text: str) -> None:
    """A polynomial in sizes of at least 1 without negative coefficients, and not 0."""
    expression = parse(text)
    value: Size = expression.value({n: symbol(n) for n in expression.names})
    if not terms_of(value) or any(c < 0 for c in terms_of(value).values()):
        raise VerifierError(f"{text} might be 0")


def _order(certificate: Mapping[str, Any]) -> None:
    least = certificate["least"]
    rest = _polynomial(certificate["difference"])
    for weight, fact in certificate["weights"]:
        factor = _polynomial(weight)
        _not_negative(factor, least, f"the weight {weight} is not shown to be at least 0")
        rest = rest - _polynomial(fact) * factor
    _not_negative(rest, least, f"{rest} is not shown to be at least 0")


def _not_negative(size: Size, least: Mapping[str, int], doubt: str) -> None:
    """No coefficient is negative where every size is its least value plus something that is at least 0."""
    shifted = substitute_size(size, {n: symbol(n) + least.get(n, 0) for n in _names(size)}) if is_dim(size) else size
    if any(c < 0 for c in terms_of(shifted).values()):
        raise VerifierError(doubt)


def _polynomial(text: str) -> Size:
    expression = parse(text)
    return expression.value({n: symbol(n) for n in expression.names})


def _names(size: Size) -> frozenset[str]:
    from ..dims.dim import symbols_of

    return symbols_of(size)


def witness_refutes(relation_op: str, left: str, right: str, sizes: Mapping[str, int]) -> bool:
    """Whether the relation is false at the sizes, both sides evaluated exactly from their text."""
    values = dict(sizes)
    return not HOLDS[relation_op](parse(left).value(values), parse(right).value(values))


def _remainder(certificate: Mapping[str, Any]) -> None:
    modulus = certificate["modulus"]
    terms = dict(terms_of(_polynomial(certificate["difference"])))
    constant = terms.pop((), 0)
    if modulus < 2 or constant % modulus == 0 or any(c % modulus for c in terms.values()):
        raise VerifierError(f"{certificate['difference']} may be divisible by {modulus}")


def _instance(certificate: Mapping[str, Any]) -> None:
    if witness_refutes(certificate["op"], certificate["left"], certificate["right"], certificate["sizes"]):
        raise VerifierError(
            f"{certificate['left']} {certificate['op']} {certificate['right']} is false at {certificate['sizes']}"
        )


def _premise(certificate: Mapping[str, Any]) -> None:
    difference, never = _polynomial(certificate["difference"]), _polynomial(certificate["never 0"])
    factor = floordiv(difference, never)
    if terms_of(factor * never) != terms_of(difference) or not terms_of(factor):
        raise VerifierError(f"{difference} is no multiple of {never}")
    if any(c < 0 for c in terms_of(factor).values()) and any(c > 0 for c in terms_of(factor).values()):
        raise VerifierError(f"{factor} might be 0")


def _contradiction(certificate: Mapping[str, Any]) -> None:
    name, text = certificate["where"]
    difference, value = _polynomial(certificate["difference"]), _polynomial(text)
    if name in _names(value) or terms_of((symbol(name) - value) * terms_of(difference)[((name, 1),)]) != terms_of(
        difference
    ):
        raise VerifierError(f"{difference} is not 0 exactly where {name} = {value}")
    never = substitute_size(_polynomial(certificate["never 0"]), {name: value})
    if is_dim(never) or never != 0:
        raise VerifierError(f"{certificate['never 0']} is {never}, and not 0, where {name} = {value}")


def _all(certificate: Mapping[str, Any]) -> None:
    for part in certificate["parts"]:
        recheck(part)


CHECKS = {
    "identity": _identity,
    "order": _order,
    "remainder": _remainder,
    "instance": _instance,
    "premise": _premise,
    "contradiction": _contradiction,
    "all": _all,
}
