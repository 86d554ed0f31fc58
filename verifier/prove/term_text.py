"""A term as a report prints it, evaluated: `sum[i₁<d_k](q[o₁, i₁]*k[o₂, i₁])` at a place and at arrays.

Written for the second evaluator alone: it reads the text, and knows nothing of the normal form that made it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from ..dims.expression import HOLDS
from ..errors import VerifierError
from .exact import Inexact

LONGEST = 200_000
PLACE = re.compile(r"o_(\d+)")
COMPARE: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


class TermText:
    """A printed term.

    Raises:
        VerifierError: the text is none.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        plain = text.translate({0x2080 + d: str(d) for d in range(10)})
        plain = re.sub(r"\b([io])(\d+)\b", r"\1_\2", plain)
        if len(plain) > LONGEST:
            raise VerifierError("a term that is too long to read")
        try:
            self.tree = ast.parse(plain, mode="eval").body
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise VerifierError(f"{text[:60]!r} is no term: {error}") from None
        self._free: dict[ast.AST, tuple[str, ...]] = {}

    def places(self) -> int:
        """How many free places, o₁ to oₖ, an element has by this text."""
        found = (PLACE.fullmatch(n.id) for n in ast.walk(self.tree) if isinstance(n, ast.Name))
        return max((int(m[1]) for m in found if m), default=0)

    def at(self, values: Mapping[str, Any], place: tuple[int, ...], number: Callable[[Any], Any]) -> Any:
        """The value where sizes, indices and arrays have these values, as a number that `number` makes.

        Where a truth value chooses between two arrays, each is written for all places, and what there is not cancels:
        any number may stand for it, and 0 does.

        Raises:
            Inexact: a function that the numbers do not have.
        """
        places = {f"o_{axis}": index for axis, index in enumerate(place, start=1)}
        return number(_Evaluation(self, number).value(self.tree, {**values, **places}))

    def steps(self, sizes: Mapping[str, int]) -> int:
        """How many additions its sums take at these sizes, each sum once for the indices that it depends on."""
        return self._steps(self.tree, {}, sizes)

    def _steps(self, node: ast.AST, ranges: Mapping[str, int], sizes: Mapping[str, int]) -> int:
        total, inside = 0, dict(ranges)
        match node:
            case ast.Call(func=ast.Subscript(value=ast.Name(id="sum"), slice=binders)):
                plain = _Evaluation(self, lambda value: value)
                bound = {name: plain.value(size, sizes) for name, size in _binders(binders)}
                total = prod(bound.values()) * prod(ranges.get(n, 1) for n in self.free(node))
                inside.update(bound)
            case _:
                pass
        return total + sum(self._steps(child, inside, sizes) for child in ast.iter_child_nodes(node))

    def positive(self) -> bool:
        """Whether it is made of what is never negative: exponentials, truth values, sizes, and sums of products."""
        return _never_negative(self.tree)

    def free(self, node: ast.AST) -> tuple[str, ...]:
        """The names of indices in a part of the term."""
        if node not in self._free:
            names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            self._free[node] = tuple(sorted(n for n in names if re.fullmatch(r"[io]_\d+", n)))
        return self._free[node]


class _Evaluation:
    """One evaluation; sums over the same indices are computed once."""

    def __init__(self, text: TermText, number: Callable[[Any], Any]) -> None:
        self.text = text
        self.number = number
        self.sums: dict[tuple[Any, ...], Any] = {}

    def value(self, node: ast.AST, values: Mapping[str, Any]) -> Any:
        match node:
            case ast.Constant(value=int(found)):
                return found
            case ast.Name(id=name) if name in values:
                return values[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.value(operand, values)
            case ast.List(elts=[ast.Compare(left=left, ops=[op], comparators=[right])]):
                return int(HOLDS[COMPARE[type(op)]](self.value(left, values), self.value(right, values)))
            case ast.Subscript(value=ast.Name(id=name), slice=place) if name in values:
                index = place.elts if isinstance(place, ast.Tuple) else [place]
                at = tuple(self.value(i, values) for i in index)
                if not all(0 <= i < size for i, size in zip(at, values[name].shape, strict=True)):
                    return 0
                found = values[name][at]
                return found if hasattr(found, "exp") else found.item()
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(op, self.value(left, values), self.value(right, values))
            case ast.Call(func=ast.Name(id="exp"), args=[argument]):
                return self.number(self.value(argument, values)).exp()
            case ast.Call(func=ast.Subscript(value=ast.Name(id="sum"), slice=binders), args=[body]):
                return self._sum(node, binders, body, values)
            case ast.Call():
                raise Inexact("another function than exp and sums")
            case _:
                raise VerifierError(f"{ast.unparse(node)[:60]} is no part of a term")  # pyright: ignore[reportArgumentType]

    def _operation(self, op: ast.operator, left: Any, right: Any) -> Any:
        match op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.FloorDiv():
                return left // right
            case ast.Div():
                return Fraction(left, right) if isinstance(left, int) and isinstance(right, int) else left / right
            case ast.Pow():
                return self._power(left, Fraction(right))
            case _:
                raise VerifierError(f"{type(op).__name__} is no operation of a term")

    def _power(self, base: Any, exponent: Fraction) -> Any:
        if exponent.denominator == 2:
            base, exponent = self.number(base).sqrt(), exponent * 2
        if exponent.denominator != 1:
            raise Inexact(f"the power {exponent}")
        return self.number(base) ** exponent.numerator if exponent < 0 else base**exponent.numerator

    def _sum(self, node: ast.AST, binders: ast.AST, body: ast.AST, values: Mapping[str, Any]) -> Any:
        key = (id(node), *(values.get(n) for n in self.text.free(node)))
        if key not in self.sums:
            bound = [(name, self.value(size, values)) for name, size in _binders(binders)]
            total: Any = 0
            for place in product(*(range(size) for _, size in bound)):
                inside = {**values, **{name: i for (name, _), i in zip(bound, place, strict=True)}}
                total = total + self.value(body, inside)
            self.sums[key] = total
        return self.sums[key]


def _binders(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for part in node.elts if isinstance(node, ast.Tuple) else [node]:
        match part:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt()], comparators=[size]):
                yield name, size
            case _:
                raise VerifierError(f"{ast.unparse(part)[:60]} binds no index")  # pyright: ignore[reportArgumentType]


def _never_negative(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=int(found)):
            return found >= 0
        case ast.Name() | ast.List():  # sizes, indices, indicators
            return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult() | ast.Div() | ast.FloorDiv(), right=right):
            return _never_negative(left) and _never_negative(right)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _never_negative(left) or (isinstance(right, ast.Constant) and right.value in (2, 4, 6))
        case ast.Call(func=ast.Name(id="exp")):
            return True
        case ast.Call(func=ast.Subscript(value=ast.Name(id="sum")), args=[body]):
            return _never_negative(body)
        case _:
            return False
