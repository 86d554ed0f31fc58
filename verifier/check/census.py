"""Annotated functions that are not checked by themselves, each with the reason: none is left out silently."""

from __future__ import annotations

import ast
import typing
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

from .annotated import holds_array
from .locating import tree_of

Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Unchecked:
    """An annotated function in a file that no check of its own reaches."""

    name: str
    line: int
    reason: str
    lost: bool
    """Whether nothing runs it at all although the module offers it: then it is not known to be right."""


def unchecked_in(module: ModuleType, file: str, reached: Collection[int]) -> Iterator[Unchecked]:
    """The annotated functions of a file whose `def` is on none of these lines."""
    tree = tree_of(file)
    if tree is None:
        return
    unseen = set(_for_type_checkers(tree))
    for outer, node in _definitions(tree):
        if node.lineno in reached or not any(_is_array(a, module) for a in _annotations(node)):
            continue
        name = ".".join([*(o.name for o in outer), node.name])
        reason, lost = (TYPE_CHECKING, False) if node in unseen else _reason(outer, node, module)
        yield Unchecked(name, node.lineno, reason, lost)


TYPE_CHECKING = "stands under TYPE_CHECKING: type checkers read it, and nothing runs it"


def _for_type_checkers(tree: ast.AST) -> Iterator[ast.AST]:
    """What stands in a branch that is not taken when the code runs."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING":
            for statement in node.body:
                yield from ast.walk(statement)


def _definitions(
    tree: ast.AST, outer: tuple[Definition | ast.ClassDef, ...] = ()
) -> Iterator[tuple[tuple[Definition | ast.ClassDef, ...], Definition]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield outer, node
        named = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        yield from _definitions(node, (*outer, node) if named else outer)


def _annotations(node: Definition) -> Iterator[ast.expr]:
    args = node.args
    for argument in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
        if argument is not None and argument.annotation is not None:
            yield argument.annotation
    if node.returns is not None:
        yield node.returns


def _is_array(annotation: ast.expr, module: ModuleType) -> bool:
    """Whether an annotation names an array; where its names are not the module's, whether it looks like one."""
    try:
        text = annotation.value if isinstance(annotation, ast.Constant) else ast.unparse(annotation)
        holder = SimpleNamespace(__annotations__={"it": text})
        return holds_array(typing.get_type_hints(holder, vars(module), include_extras=True)["it"])
    except Exception:
        return any(
            isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Tuple) and _is_text(n.slice.elts[-1])
            for n in ast.walk(annotation)
        )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _reason(outer: tuple[Definition | ast.ClassDef, ...], node: Definition, module: ModuleType) -> tuple[str, bool]:
    inside = [o for o in outer if not isinstance(o, ast.ClassDef)]
    decorators = [ast.unparse(d) for d in node.decorator_list]
    if inside:
        return (
            f"is made anew by each call of {inside[-1].name}: run as a part of it, its own annotations not checked",
            False,
        )
    if any(d.split(".")[-1] == "overload" for d in decorators):
        return "an overload has no body", False
    if any(d.split(".")[-1].startswith("abstract") for d in decorators) and promises_only(node):
        return "abstract, and without a body: the methods of the classes below it are checked", False
    if node.name == "__init__":
        return "runs where an object is made for its methods; its own annotations are not checked", False
    setter = [d for d in decorators if d.endswith((".setter", ".deleter"))]
    if setter:
        return f"a {setter[0].rpartition('.')[2]} returns nothing", False
    value = _value(outer, node.name, module)
    if decorators and value is not None:
        return (
            f"@{decorators[0]} puts something else in its place that does not show these annotations: "
            f"functools.wraps in the decorator does"
        ), True
    if value is None:
        return "is not there after the import: not defined on this machine, or deleted", False
    return "its name is bound to something else after the import", False


def promises_only(node: Definition) -> bool:
    """Whether a function does nothing: a docstring, `pass`, `...`, or the error that it is not implemented."""
    return all(
        isinstance(s, ast.Pass)
        or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        or (isinstance(s, ast.Raise) and s.exc is not None and "NotImplementedError" in ast.unparse(s.exc))
        for s in node.body
    )


def _value(outer: tuple[Definition | ast.ClassDef, ...], name: str, module: ModuleType) -> Any:
    place: Any = module
    for holder in (*(o.name for o in outer), name):
        place = vars(place).get(holder) if hasattr(place, "__dict__") else None
    return place
