"""The safe expression language of claims, premises and certificates: text -> checked syntax tree -> values.

Text is data: it is parsed by `ast`, every node must be on the whitelist, and length, depth, exponents and
numbers are bounded. Nothing of it is ever evaluated as code. Operators act on whatever values the names
stand for (ints, Fractions, Dims, terms), so one language serves exact numbers and symbols alike.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from ..errors import ExpressionError
from .dim import Dim
from .relation import HOLDS, Relation

MAX_LENGTH = 2_000
MAX_DEPTH = 40
MAX_EXPONENT = 64
MAX_DIGITS = 40

BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: Fraction(a) / b if type(a) is int and type(b) in (int, Fraction) else a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Pow: lambda a, b: a**b,
}
COMPARISON: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
ALLOWED = (
    *BINARY,
    *COMPARISON,
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.USub,
    ast.UAdd,
    ast.Compare,
    ast.Call,
    ast.keyword,
    ast.Name,
    ast.Load,
    ast.Constant,
    ast.Tuple,
)
ASK_FOR = "use numbers, names, + - * / // % **, comparisons, (a, b) and calls such as flops(kernel, h=1)"


@dataclass(frozen=True)
class Expression:
    """A checked text: `value()` gives it a meaning, `names` and `functions` say what it speaks of."""

    text: str
    tree: ast.expr

    @property
    def functions(self) -> frozenset[str]:
        return frozenset(
            n.func.id for n in ast.walk(self.tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        )

    @property
    def names(self) -> frozenset[str]:
        """Every name that is not a function's or a keyword's."""
        called = {id(n.func) for n in ast.walk(self.tree) if isinstance(n, ast.Call)}
        return frozenset(n.id for n in ast.walk(self.tree) if isinstance(n, ast.Name) and id(n) not in called)

    @property
    def is_relation(self) -> bool:
        return isinstance(self.tree, ast.Compare)

    def value(self, names: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]] | None = None) -> Any:
        """What the text says where its names stand for these values; a comparison gives a `Relation`.

        A value in `functions` with a true attribute `quotes` gets its first argument as a name, unevaluated.

        Raises:
            ExpressionError: an unknown name or function (nearest one suggested), or an operation that fails.
        """
        return _Evaluation(names, functions or {}).visit(self.tree)


def parse(text: str) -> Expression:
    """The text as a checked expression.

    Raises:
        ExpressionError: what it is not allowed to contain, with the column.

    >>> parse("2 * n**2 * d_k").value({"n": 3, "d_k": 5})
    90
    >>> parse("__import__('os')")
    Traceback (most recent call last):
    verifier.errors.ExpressionError: a string is not allowed here (column 12)
        fix  use numbers, names, + - * / // % **, comparisons, (a, b) and calls such as flops(kernel, h=1)
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"the expression has {len(text)} characters, more than {MAX_LENGTH}", remedy="split it")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ExpressionError(f"not an expression: {error.msg}", column=error.offset, remedy=ASK_FOR) from None
    except (ValueError, MemoryError, RecursionError) as error:
        raise ExpressionError(f"not an expression: {error}", remedy=ASK_FOR) from None
    offset = len(text) - len(text.lstrip()) + 1
    _check(tree, 0, offset)
    return Expression(text.strip(), tree)


def relation(text: str, names: Mapping[str, Any]) -> Relation | bool:
    """A single comparison of sizes, such as `d_model % h == 0`.

    Raises:
        ExpressionError: the text is no comparison.
    """
    expression = parse(text)
    if not expression.is_relation:
        raise ExpressionError(f"{text!r} is no relation", remedy="compare two sizes with ==, !=, <, <=, > or >=")
    return expression.value(names)


def _check(node: ast.AST, depth: int, offset: int) -> None:
    column = getattr(node, "col_offset", None)
    place = None if column is None else column + offset
    if depth > MAX_DEPTH:
        raise ExpressionError(f"nested deeper than {MAX_DEPTH}", column=place, remedy="split the expression")
    if isinstance(node, ast.Constant):
        _check_constant(node, place)
    elif not isinstance(node, ALLOWED):
        raise ExpressionError(f"{_spell(node)} is not allowed here", column=place, remedy=ASK_FOR)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        _check_exponent(node.right, place)
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name):
            raise ExpressionError("only a named function can be called", column=place, remedy=ASK_FOR)
        if any(k.arg is None for k in node.keywords):
            raise ExpressionError("** is not allowed in a call", column=place, remedy=ASK_FOR)
    for child in ast.iter_child_nodes(node):
        _check(child, depth + 1, offset)


def _check_constant(node: ast.Constant, column: int | None) -> None:
    value = node.value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        kind = "a string" if isinstance(value, str) else repr(value)
        raise ExpressionError(f"{kind} is not allowed here", column=column, remedy=ASK_FOR)
    if isinstance(value, int) and len(str(abs(value))) > MAX_DIGITS:
        raise ExpressionError(f"a number of over {MAX_DIGITS} digits", column=column, remedy="use smaller numbers")
    if isinstance(value, float) and not abs(value) < float("inf"):
        raise ExpressionError("the number is not finite", column=column, remedy="use smaller numbers")


def _check_exponent(node: ast.AST, column: int | None) -> None:
    try:
        power = _Evaluation({}, {}).visit(node)
    except ExpressionError:
        power = None
    if not isinstance(power, (int, Fraction)) or abs(power) > MAX_EXPONENT or Fraction(power).denominator > 8:
        raise ExpressionError(
            f"an exponent must be a plain number of at most {MAX_EXPONENT}",
            column=column,
            remedy="write the product out",
        )


def _spell(node: ast.AST) -> str:
    names = {"Attribute": "a dot", "Subscript": "an index [...]", "Lambda": "lambda", "BoolOp": "and/or"}
    return names.get(type(node).__name__, f"{type(node).__name__}")


class _Evaluation:
    def __init__(self, names: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> None:
        self.names = names
        self.functions = functions

    def visit(self, node: ast.AST) -> Any:
        match node:
            case ast.Constant(value=value):
                return Fraction(str(value)) if isinstance(value, float) else value
            case ast.Name(id=name):
                if name not in self.names:
                    raise _unknown("name", name, self.names, node)
                return self.names[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.visit(operand)
            case ast.UnaryOp(operand=operand):
                return self.visit(operand)
            case ast.BinOp(left=left, op=op, right=right):
                a, b = self.visit(left), self.visit(right)
                try:
                    return _whole(BINARY[type(op)](a, b))
                except ZeroDivisionError:
                    raise ExpressionError(
                        "division by zero", column=_column(node), remedy="exclude that size"
                    ) from None
                except TypeError as error:
                    raise ExpressionError(
                        f"cannot compute this: {error}", column=_column(node), remedy=ASK_FOR
                    ) from None
            case ast.Tuple(elts=elements):
                return tuple(self.visit(e) for e in elements)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return make_relation(COMPARISON[type(op)], self.visit(left), self.visit(right))
            case ast.Compare():
                raise ExpressionError("a chain of comparisons", column=_column(node), remedy="write one relation each")
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                return self.call(node, name, args, keywords)
            case _:
                raise ExpressionError(f"{_spell(node)} is not allowed here", column=_column(node), remedy=ASK_FOR)

    def call(self, node: ast.AST, name: str, args: list[ast.expr], keywords: list[ast.keyword]) -> Any:
        if name not in self.functions:
            raise _unknown("function", name, self.functions, node)
        function = self.functions[name]
        first: list[Any] = []
        if getattr(function, "quotes", False):
            if not args or not isinstance(args[0], ast.Name):
                raise ExpressionError(
                    f"{name}() wants a name first", column=_column(node), remedy=f"{name}(kernel, ...)"
                )
            first, args = [args[0].id], args[1:]
        try:
            return function(
                *first, *(self.visit(a) for a in args), **{str(k.arg): self.visit(k.value) for k in keywords}
            )
        except ExpressionError as error:
            if error.column is None:
                error.column = _column(node)
            raise
        except TypeError as error:
            raise ExpressionError(
                f"{name}(): {error}", column=_column(node), remedy="see the reference of claims"
            ) from None


def make_relation(op: str, left: Any, right: Any) -> Relation:
    """The comparison of two values as it was written, with `>` and `>=` turned round."""
    if op in (">", ">="):
        return Relation({">": "<", ">=": "<="}[op], right, left)
    return Relation(op, left, right)


def holds(relation: Relation, change: Callable[[Any], Any]) -> bool:
    """The truth of a relation where `change` turns its sides into numbers."""
    return HOLDS[relation.op](change(relation.left), change(relation.right))


def _whole(value: Any) -> Any:
    """An integral Fraction as an int: `6 / 2` is a size."""
    return value.numerator if type(value) is Fraction and value.denominator == 1 else value


def _column(node: ast.AST) -> int | None:
    column = getattr(node, "col_offset", None)
    return None if column is None else column + 1


def _unknown(kind: str, name: str, known: Mapping[str, Any], node: ast.AST) -> ExpressionError:
    near = get_close_matches(name, list(known), 1)
    remedy = f"did you mean {near[0]}?" if near else f"known: {', '.join(sorted(known)) or 'none'}"
    return ExpressionError(f"unknown {kind} {name!r}", column=_column(node), remedy=remedy)


__all__ = ["Dim", "Expression", "holds", "make_relation", "parse", "relation"]
