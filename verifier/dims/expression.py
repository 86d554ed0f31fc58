"""The safe expression language of claims, premises and certificates: text -> checked syntax tree -> values.

Text is data: it is parsed by `ast`, every node must be on the whitelist, and length, depth, exponents and
numbers are bounded. Nothing of it is ever evaluated as code. Operators act on whatever values the names
stand for (ints, Fractions, Dims, terms), so one language serves exact numbers and symbols alike.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from math import comb
from typing import Any
from warnings import catch_warnings

from ..errors import ExpressionError
from .dim import Dim, is_dim
from .relation import HOLDS, Relation

MAX_LENGTH = 2_000
MAX_DEPTH = 40
MAX_EXPONENT = 64
MAX_DIGITS = 40

MAX_BITS = 4_096
MAX_TERMS = 4_000


def _reflected(name: str, operate: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The operation, by the right side's own rule where the left is a Fraction, which knows neither Dims nor terms."""

    def operation(a: Any, b: Any) -> Any:
        if type(a) is Fraction and type(b) not in (int, Fraction):
            return getattr(b, f"__r{name}__")(a)
        return operate(a, b)

    return operation


def _product(a: Any, b: Any) -> Any:
    if is_dim(a) and is_dim(b) and len(a.terms) * len(b.terms) > MAX_TERMS:
        raise ExpressionError(f"a product of more than {MAX_TERMS} terms", remedy="compare the factors")
    return a * b


_divisors: ContextVar[list[Any] | None] = ContextVar("_divisors", default=None)


@contextmanager
def dividing() -> Generator[list[Any]]:
    """Collects the symbolic values that an expression divides by: it is a number only where none of them is 0."""
    found: list[Any] = []
    token = _divisors.set(found)
    try:
        yield found
    finally:
        _divisors.reset(token)


def _noting(operate: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operation(a: Any, b: Any) -> Any:
        noted = _divisors.get()
        if noted is not None and type(b) not in (int, Fraction):
            noted.append(b)
        return operate(a, b)

    return operation


def _quotient(a: Any, b: Any) -> Any:
    return Fraction(a) / b if type(a) is int and type(b) in (int, Fraction) else a / b


def _power(base: Any, exponent: Any) -> Any:
    """base ** exponent, exact: no float, whatever the exponent."""
    number = type(base) in (int, Fraction)
    if number and _bits(base) * max(abs(exponent), 1) > MAX_BITS:
        raise ExpressionError(f"a number of more than {MAX_BITS} bits", remedy="use smaller numbers")
    if is_dim(base) and len(base.terms) > 1 and exponent > 0 and _too_wide(base, int(exponent)):
        raise ExpressionError(f"a power of more than {MAX_TERMS} terms", remedy="compare the factors")
    if number and type(exponent) is int:
        return Fraction(base) ** exponent if exponent < 0 else base**exponent
    if number and Dim.real_arithmetic is not None:
        return Dim.real_arithmetic("power", base, exponent)
    return base**exponent


def _too_wide(base: Dim, exponent: int) -> bool:
    return comb(len(base.terms) + exponent, exponent) > MAX_TERMS


def _bits(number: int | Fraction) -> int:
    fraction = Fraction(number)
    return max(fraction.numerator.bit_length(), fraction.denominator.bit_length())


BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: _reflected("add", lambda a, b: a + b),
    ast.Sub: _reflected("sub", lambda a, b: a - b),
    ast.Mult: _reflected("mul", _product),
    ast.Div: _noting(_reflected("truediv", _quotient)),
    ast.FloorDiv: _noting(_reflected("floordiv", lambda a, b: a // b)),
    ast.Mod: _noting(_reflected("mod", lambda a, b: a % b)),
    ast.Pow: _power,
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

    @property
    def is_number(self) -> bool:
        """Whether it has one value: neither a comparison nor a tuple."""
        return not isinstance(self.tree, (ast.Compare, ast.Tuple))

    def value(self, names: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]] | None = None) -> Any:
        """What the text says where its names stand for these values; a comparison gives a `Relation`.

        A function with an attribute `quotes` gets that many first arguments as names, unevaluated.

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
    for mark, name in (("#", "a comment"), ("\n", "a line break")):
        if mark in text.strip():
            column = text.index(mark, len(text) - len(text.lstrip())) + 1
            raise ExpressionError(f"{name} is not allowed here", column=column, remedy=ASK_FOR)
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"the expression has {len(text)} characters, more than {MAX_LENGTH}", remedy="split it")
    try:
        with catch_warnings(action="ignore"):
            tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ExpressionError(f"not an expression: {error.msg}", column=error.offset or 1, remedy=ASK_FOR) from None
    except (ValueError, MemoryError, RecursionError) as error:
        raise ExpressionError(f"not an expression: {error}", column=1, remedy=ASK_FOR) from None
    _check(tree, 0, len(text) - len(text.lstrip()) + 1)
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


def _check(node: ast.AST, depth: int, place: int, parent: ast.AST | None = None) -> None:
    """Refuses what is not on the whitelist; `place` is the column of the nearest node that has one."""
    if parent is not None:
        place += getattr(node, "col_offset", _start(parent)) - _start(parent)
    else:
        place += _start(node)
    if depth > MAX_DEPTH:
        raise ExpressionError(f"nested deeper than {MAX_DEPTH}", column=place, remedy="split the expression")
    if isinstance(node, ast.Constant):
        _check_constant(node, place)
    elif not isinstance(node, ALLOWED):
        raise ExpressionError(f"{_spell(node)} is not allowed here", column=place, remedy=ASK_FOR)
    if isinstance(node, ast.Compare) and parent is not None and not isinstance(parent, (ast.Call, ast.keyword)):
        raise ExpressionError("a comparison inside an expression", column=place, remedy="write one relation each")
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name):
            raise ExpressionError("only a named function can be called", column=place, remedy=ASK_FOR)
        keywords = [k.arg for k in node.keywords]
        if None in keywords or len(set(keywords)) != len(keywords):
            raise ExpressionError("** or a name given twice in a call", column=place, remedy=ASK_FOR)
    for child in ast.iter_child_nodes(node):
        _check(child, depth + 1, place, node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        _check_exponent(node.right, place)


def _start(node: ast.AST) -> int:
    return getattr(node, "col_offset", 0)


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
            case ast.UnaryOp(op=op, operand=operand):
                value = self.number(operand)
                return -value if isinstance(op, ast.USub) else value
            case ast.BinOp(left=left, op=op, right=right):
                a, b = self.number(left), self.number(right)
                try:
                    return _whole(BINARY[type(op)](a, b))
                except ExpressionError as error:
                    error.column = _column(node) if error.column is None else error.column
                    raise
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
                sides = self.visit(left), self.visit(right)
                if any(isinstance(s, Relation) for s in sides):
                    raise ExpressionError("a relation is compared", column=_column(node), remedy="compare quantities")
                return make_relation(COMPARISON[type(op)], *sides)
            case ast.Compare():
                raise ExpressionError("a chain of comparisons", column=_column(node), remedy="write one relation each")
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                return self.call(node, name, args, keywords)
            case _:
                raise ExpressionError(f"{_spell(node)} is not allowed here", column=_column(node), remedy=ASK_FOR)

    def number(self, node: ast.expr) -> Any:
        """The value of an operand, which is no tuple and no relation."""
        value = self.visit(node)
        if isinstance(value, (tuple, Relation)):
            raise ExpressionError("no number to compute with", column=_column(node), remedy=ASK_FOR)
        return value

    def call(self, node: ast.AST, name: str, args: list[ast.expr], keywords: list[ast.keyword]) -> Any:
        if name not in self.functions:
            raise _unknown("function", name, self.functions, node)
        function = self.functions[name]
        quoted: list[str] = []
        count = getattr(function, "quotes", 0)
        if count:
            names = [a.id for a in args[:count] if isinstance(a, ast.Name)]
            if len(names) < count:
                fact = f"{name}() wants {'a name' if count == 1 else f'{count} names'} first"
                wanted = ", ".join(["kernel", "argument"][:count])
                raise ExpressionError(fact, column=_column(node), remedy=f"{name}({wanted}, ...)")
            quoted, args = names, args[count:]
        values = [*quoted, *(self.visit(a) for a in args)]
        named = {str(k.arg): self.visit(k.value) for k in keywords}
        try:
            return function(*values, **named)
        except ExpressionError as error:
            if error.column is None:
                error.column = _column(node)
            raise
        except ZeroDivisionError:
            raise ExpressionError(
                f"{name}(): division by zero", column=_column(node), remedy="exclude that size"
            ) from None
        except TypeError as error:
            fact, remedy = _misuse(function, values, named) or (str(error), "see the reference of claims")
            raise ExpressionError(
                f"{name}(): {fact}", column=_column(node), remedy=remedy.replace("()", name)
            ) from None


def _misuse(function: Callable[..., Any], values: list[Any], named: Mapping[str, Any]) -> tuple[str, str] | None:
    """What is wrong with the number or names of the arguments, in words without the function's own name."""
    signature = inspect.signature(function)
    try:
        signature.bind(*values, **named)
    except TypeError as error:
        return str(error), f"write ()({', '.join(signature.parameters)})"
    return None


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
