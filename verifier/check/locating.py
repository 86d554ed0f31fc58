"""Where in the user's source something happened: the statement, the columns, the arrays on the line."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FrameType, TracebackType
from typing import Any

from ..errors import Unsupported, VerifierError
from ..frontends.explorer import is_machinery
from . import conversions
from .annotated import hints_of, holds_array
from .rewriting import RETURN_NAME


@dataclass(frozen=True)
class Spot:
    """A place in a source file, with the arrays that stand on it."""

    file: str
    line: int
    column: int | None = None
    end_column: int | None = None
    arrays: tuple[str, ...] = ()
    direct: bool = False
    """Whether the error was raised by this line itself, not by something that it called."""


@lru_cache(maxsize=256)
def tree_of(file: str) -> ast.Module | None:
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None


@lru_cache(maxsize=4096)
def statement_at(file: str, line: int) -> ast.stmt | None:
    """The innermost statement that covers a line."""
    tree = tree_of(file)
    found: ast.stmt | None = None
    for node in ast.walk(tree) if tree is not None else ():
        covers = isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
        if covers and isinstance(node, ast.stmt) and (found is None or node.lineno >= found.lineno):
            found = node
    return found


def spot_of(error: BaseException) -> Spot | None:
    """The innermost line of the code under test that an exception passed."""
    step: TracebackType | None = error.__traceback__
    last: TracebackType | None = None
    end: TracebackType | None = None
    while step is not None:
        end = step
        if not is_machinery(step.tb_frame.f_code.co_filename):
            last = step
        step = step.tb_next
    if last is None:
        return None
    code = last.tb_frame.f_code
    column, end_column = _columns(code, last.tb_lasti, last.tb_lineno)
    arrays = arrays_on(code.co_filename, last.tb_lineno, last.tb_frame)
    return Spot(code.co_filename, last.tb_lineno, column, end_column, arrays, last is end)


def _columns(code: CodeType, instruction: int, line: int) -> tuple[int | None, int | None]:
    for place, (first, last, column, end) in enumerate(code.co_positions()):
        if place == instruction // 2 and column is not None:
            if first == line == last and end is not None:
                return column + 1, end + 1
            return None, None
    return None, None


def arrays_on(file: str, line: int, frame: FrameType) -> tuple[str, ...]:
    """`name: [shape]` of every array that is named in the statement."""
    statement = statement_at(file, line)
    if statement is None:
        return ()
    read = [n for n in ast.walk(statement) if isinstance(n, (ast.Name, ast.Attribute))]
    found: dict[str, None] = {}
    for node in sorted(read, key=lambda n: (n.lineno, n.col_offset)):
        value = _value_of(node, frame)
        if _has_shape(value):
            found[f"{ast.unparse(node)}: [{', '.join(map(str, value.shape))}]"] = None  # pyright: ignore[reportOptionalMemberAccess]
    return tuple(found)


def _value_of(node: ast.expr, frame: FrameType) -> Any:
    """What a name, or `self.weight`, holds; no property is run for it."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
        return None
    try:
        held = vars(_value_of(node.value, frame))
    except TypeError:
        return None
    tables = [held, *(t for t in (held.get("_parameters"), held.get("_buffers")) if isinstance(t, dict))]
    return next((t[node.attr] for t in tables if node.attr in t), None)


def _has_shape(value: Any) -> bool:
    try:
        return hasattr(value, "dtype") and isinstance(getattr(value, "shape", None), tuple)
    except Exception:  # a property of somebody's class
        return False


class LastReturn:
    """Remembers the line at which a function returned last."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.codes = [f.__code__ for f in _layers(function)]
        self.code = self.codes[0]
        self.line: int | None = None
        self.arrays: tuple[str, ...] = ()

    def watch(self, call: Callable[[], Any]) -> Any:
        """The call's value; a module that was rewritten tells the line by itself, another one is watched."""
        if RETURN_NAME in self.code.co_names:
            conversions.returns.clear()
            value = call()
            known = conversions.returns.get(self.code)
            for code in self.codes:  # a wrapper that hands on what the function returned
                other = conversions.returns.get(code)
                if other is not None and (known is None or other[1] is known[1]):
                    self.code = code
                    self._see(other[0])
            conversions.returns.clear()
            return value

        def see(frame: FrameType, event: str, _value: Any) -> None:
            if event == "return" and frame.f_code is self.code:
                self._see(frame)

        before = sys.getprofile()
        sys.setprofile(see)
        try:
            return call()
        finally:
            sys.setprofile(before)

    def _see(self, frame: FrameType) -> None:
        self.line = frame.f_lineno
        self.arrays = arrays_on(self.code.co_filename, frame.f_lineno, frame)

    def spot(self) -> Spot:
        """The expression returned."""
        file = self.code.co_filename
        line = self.line or self.code.co_firstlineno
        statement = statement_at(file, line)
        if isinstance(statement, ast.Return) and statement.value is not None:
            value = statement.value
            one_line = value.lineno == value.end_lineno
            columns = (value.col_offset + 1, (value.end_col_offset or 0) + 1) if one_line else (None, None)
            return Spot(file, value.lineno if one_line else statement.lineno, *columns, self.arrays)
        return Spot(file, line, None, None, self.arrays)


def _layers(function: Any) -> Iterator[Callable[..., Any]]:
    """A function and what it wraps, outermost first."""
    while function is not None:
        if hasattr(function, "__code__"):
            yield function
        function = getattr(function, "__wrapped__", None)


@contextmanager
def making_arguments() -> Generator[None]:
    """What is raised while arguments are made is no failure of the function, unless a line under test raised it.

    Raises:
        Unsupported: a library's class, of which an argument is to be, refuses what it is made of.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, VerifierError) or (spot_of(error) is not None and not lacks_keywords(error)):
            error.making_arguments = True  # type: ignore[attr-defined]
            raise
        text = " ".join(str(error).split())
        raise Unsupported(
            f"its arguments cannot be made: {type(error).__name__}: {text}",
            remedy="check what is called with arrays and sizes",
        ) from error


def is_unmade(error: BaseException, owner: type | None) -> bool:
    """Whether an object that is passed, or one made of arrays, cannot be made at such sizes: no call has it.

    A constructor that takes sizes alone is not excused: what it refuses without saying so is its mistake.
    """
    if not getattr(error, "making_arguments", False):
        return False
    return (
        owner is None or owner.__init__ is object.__init__ or any(map(holds_array, hints_of(owner.__init__).values()))
    )


def lacks_keywords(error: BaseException) -> bool:
    """Whether a call lacks arguments that a `**kwargs` on the way could have brought, of which no annotation speaks."""
    if not isinstance(error, TypeError) or not LACKS.search(str(error)):
        return False
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_flags & inspect.CO_VARKEYWORDS and not is_machinery(code.co_filename):
            return True
        step = step.tb_next
    return False


LACKS = re.compile(r"missing \d+ required|missing a required argument")


def is_guard(spot: Spot) -> bool:
    """Whether the line itself refused to go on: an `assert` or a `raise`."""
    return spot.direct and isinstance(statement_at(spot.file, spot.line), (ast.Assert, ast.Raise))


def line_of(function: Callable[..., Any]) -> int:
    """The line of `def`."""
    code = inspect.unwrap(function).__code__
    node = definition_at(code.co_filename, code.co_firstlineno)
    return node.lineno if node is not None else code.co_firstlineno


def definition_at(file: str, first: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function whose first line, that of a decorator if it has one, is this line."""
    tree = tree_of(file)
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if min([node.lineno, *(d.lineno for d in node.decorator_list)]) == first:
            return node
    return None
