"""How a line was reached from the function under test: `GPT.forward line 80 -> self.blocks[i] -> Block.forward`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from types import CodeType, TracebackType

from ..frontends.explorer import is_machinery
from ..graph.node import SourceLine
from .finding import Step
from .locating import tree_of

At = tuple[CodeType, int]
"""A function at work, and the instruction that it is at."""
Span = tuple[int, int, int, int]
MAX_CALL = 48
"""A call's text that is longer says nothing at a glance."""


def steps_of(error: BaseException) -> list[Step]:
    """The calls under test that led to an error, outermost first; none where the function's own line raised it."""
    if getattr(error, "spot", None) is not None:  # what it returned does not fit
        return []
    step: TracebackType | None = error.__traceback__
    frames: list[At] = []
    while step is not None:
        if not is_machinery(step.tb_frame.f_code.co_filename):
            frames.append((step.tb_frame.f_code, step.tb_lasti))
        step = step.tb_next
    return _steps(frames[:-1])


def steps_to(source: SourceLine | None) -> list[Step]:
    """The calls under test that led to the line of an operation, outermost first."""
    return _steps(source.outer[::-1]) if source is not None else []


def _steps(frames: Sequence[At]) -> list[Step]:
    found: list[Step] = []
    for code, instruction in frames:
        span = next(islice(code.co_positions(), instruction // 2, None), (None,) * 4)
        line = span[0] if span[0] is not None else code.co_firstlineno
        call = _calls(code.co_filename).get(span) if None not in span else None  # pyright: ignore[reportArgumentType]
        text = _callee(call.func, code.co_filename) if call is not None else ""
        found.append(Step(function_at(code.co_filename, line), code.co_filename, line, text))
    return found


@lru_cache(maxsize=256)
def _calls(file: str) -> dict[Span, ast.Call]:
    """The calls of a file by their places: a call's instruction has the place of the whole call."""
    tree = tree_of(file)
    return {
        (n.lineno, n.end_lineno or 0, n.col_offset, n.end_col_offset or 0): n
        for n in (ast.walk(tree) if tree is not None else ())
        if isinstance(n, ast.Call)
    }


@lru_cache(maxsize=4096)
def function_at(file: str, line: int) -> str:
    """The name of the innermost function that holds a line, with its classes: `Block.forward`."""
    names: list[str] = []
    node: ast.AST | None = tree_of(file)
    while node is not None:
        inner = next((d for d in _definitions(node) if d.lineno <= line <= (d.end_lineno or d.lineno)), None)
        if inner is not None:
            names.append(inner.name)
        node = inner
    return ".".join(names) or "the module"


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(node: ast.AST) -> Iterator[Definition]:
    """The functions and classes in a node that are in no other one of it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Definition):
            yield child
        else:
            yield from _definitions(child)


def _callee(called: ast.expr, file: str) -> str:
    """What is called, by its path from `self` where a loop or an assignment gave it a short name."""
    text = ast.unparse(called)
    if isinstance(called, ast.Name):
        text = _bound(called, file) or text
    return text if len(text) <= MAX_CALL else ""


def _bound(name: ast.Name, file: str) -> str:
    """`self.blocks[i]` inside `for block in self.blocks`; `self.first`, where that was assigned to the name."""
    function = _function_around(file, name.lineno)
    if function is None:
        return ""
    for node in ast.walk(function):
        if isinstance(node, (ast.For, ast.comprehension)):
            found = _item(node.target, node.iter, name.id)
            if found:
                return found
    values = [n.value for n in ast.walk(function) if isinstance(n, ast.Assign) and _names(n.targets[0]) == [name.id]]
    return ast.unparse(values[0]) if len(values) == 1 and isinstance(values[0], (ast.Attribute, ast.Subscript)) else ""


def _item(target: ast.expr, items: ast.expr, name: str) -> str:
    """An item of what a loop runs over, where the loop gives it that name."""
    call = items.func if isinstance(items, ast.Call) else None
    kind = call.id if isinstance(call, ast.Name) else call.attr if isinstance(call, ast.Attribute) else ""
    if isinstance(target, ast.Name) and target.id == name:
        if kind == "values" and isinstance(call, ast.Attribute):
            return f"{ast.unparse(call.value)}[i]"
        if kind == "reversed" and isinstance(items, ast.Call) and items.args:
            return f"{ast.unparse(items.args[0])}[i]"
        return f"{ast.unparse(items)}[i]" if isinstance(items, (ast.Attribute, ast.Name)) else ""
    if isinstance(target, ast.Tuple) and isinstance(items, ast.Call):
        if kind == "enumerate" and len(target.elts) == 2 and items.args:
            return _item(target.elts[1], items.args[0], name)
        if kind == "zip":
            pairs = zip(target.elts, items.args, strict=False)
            return next((found for t, a in pairs if (found := _item(t, a, name))), "")
        if kind == "items" and isinstance(call, ast.Attribute) and len(target.elts) == 2:
            return _item(target.elts[1], call.value, name)
    return ""


def _names(target: ast.expr) -> list[str]:
    return [target.id] if isinstance(target, ast.Name) else []


def _function_around(file: str, line: int) -> Definition | None:
    node: ast.AST | None = tree_of(file)
    found: Definition | None = None
    while node is not None:
        node = next((d for d in _definitions(node) if d.lineno <= line <= (d.end_lineno or d.lineno)), None)
        found = node if node is not None and not isinstance(node, ast.ClassDef) else found
    return found


def chain_text(steps: Sequence[Step], inner: str) -> str:
    """The way from the function under test to the function that holds the line, as one line of text."""
    parts: list[str] = []
    names = [*(s.function for s in steps[1:]), inner]
    for step, following in zip(steps, names, strict=True):
        parts.append(f"{step.function} line {step.line}")
        if step.call and step.call != following and not following.endswith(f".{step.call}"):
            parts.append(step.call)
    return " -> ".join([*parts, inner])
