"""What the text of a loop says: which names an iteration binds, which lists it appends to, which arrays it writes."""

from __future__ import annotations

import ast
import dis
import linecache
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from types import FrameType

Span = tuple[int, int, int, int]
"""First line, last line, first column, last column, as a code object's positions have them."""

STATEMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.Pass, ast.Assert, ast.Raise)
HIDDEN_STATE = frozenset(
    {
        "next",
        "iter",
        "setattr",
        "delattr",
        "exec",
        "eval",
        "locals",
        "globals",
        "vars",
        "map",
        "filter",
        "input",
        "open",
    }
)
"""Builtins by which an iteration could reach the next one unseen."""
REFUSED = (ast.Lambda, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await, ast.Starred)
COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)


class NotForAllCounts(Exception):
    """The text of a loop has something that one iteration cannot stand for."""


@dataclass(frozen=True)
class LoopText:
    """A `for` statement or a comprehension that an iterator was asked from."""

    node: ast.For | ast.ListComp | ast.GeneratorExp
    scope: ast.AST
    """The function that it stands in."""
    target: str
    """A name for the index, after the target's."""
    bound: frozenset[str] = frozenset()
    """Names that an iteration may bind."""
    definite: frozenset[str] = frozenset()
    """Names that every iteration binds before it reads them."""
    appended: tuple[str, ...] = ()
    """Lists that get one item in each iteration."""
    written: frozenset[str] = frozenset()
    """Arrays into which an iteration writes."""
    consumer: ast.Call | None = None
    """The call that takes a comprehension as its first argument."""
    stored: str = ""
    """The name that a comprehension's list is bound to."""
    managers: tuple[ast.expr, ...] = ()
    """The context managers that the loop stands in; some go on after an error."""


@dataclass
class _File:
    loops: dict[Span, ast.AST] = field(default_factory=lambda: dict[Span, ast.AST]())
    calls: dict[Span, ast.AST] = field(default_factory=lambda: dict[Span, ast.AST]())
    parents: dict[ast.AST, ast.AST] = field(default_factory=lambda: dict[ast.AST, ast.AST]())
    texts: dict[ast.AST, LoopText | NotForAllCounts] = field(
        default_factory=lambda: dict[ast.AST, "LoopText | NotForAllCounts"]()
    )


@cache
def _file(name: str, lines: int) -> _File:
    found = _File()
    try:
        tree = ast.parse("".join(linecache.getlines(name)))
    except SyntaxError:
        return found
    for parent in ast.walk(tree):
        for node in ast.iter_child_nodes(parent):
            found.parents[node] = parent
        if isinstance(parent, ast.Call):
            found.calls[span_of(parent)] = parent
        elif isinstance(parent, (ast.For, *COMPREHENSIONS)):
            source = parent.iter if isinstance(parent, ast.For) else parent.generators[0].iter
            found.loops[span_of(parent)] = found.loops[span_of(source)] = parent  # the latter from Python 3.13 on
    return found


def span_of(node: ast.stmt | ast.expr) -> Span:
    return (node.lineno, node.end_lineno or 0, node.col_offset, node.end_col_offset or 0)


def position(frame: FrameType) -> Span | None:
    """Where the instruction at work in a frame stands in its file."""
    found = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), (None, None, None, None))
    return None if None in found else found  # pyright: ignore[reportReturnType]


def _text_of(frame: FrameType) -> _File:
    name = frame.f_code.co_filename
    return _file(name, len(linecache.getlines(name)))


def call_at(frame: FrameType) -> ast.AST | None:
    """The call at work in a frame."""
    span = position(frame)
    return None if span is None else _text_of(frame).calls.get(span)


def loop_at(frame: FrameType, instruction: str) -> LoopText:
    """The text of the loop whose own instruction is at work: `GET_ITER` begins it, `FOR_ITER` asks for an item.

    What `islice`, `map` or an unpacking asks for comes from another instruction, and they keep a count of their own.

    Raises:
        NotForAllCounts: it is no loop's, or the loop has something that one iteration cannot stand for.
    """
    span, file = position(frame), _text_of(frame)
    node = None if span is None else file.loops.get(span)
    if node is None or dis.opname[frame.f_code.co_code[frame.f_lasti]] != instruction:
        raise NotForAllCounts("something else than a loop takes its items one by one")
    assert isinstance(node, (ast.For, *COMPREHENSIONS))
    if node not in file.texts:
        try:
            file.texts[node] = _read(node, file)
        except NotForAllCounts as error:
            file.texts[node] = error
    found = file.texts[node]
    if isinstance(found, NotForAllCounts):
        raise found
    return found


def _read(node: ast.For | ast.ListComp | ast.GeneratorExp, file: _File) -> LoopText:
    scope = file.parents[node]
    while not isinstance(scope, SCOPES):
        if isinstance(scope, (ast.ClassDef, *COMPREHENSIONS)):
            raise NotForAllCounts("the loop stands in a comprehension or a class")
        scope = file.parents[scope]
    if isinstance(node, ast.For):
        return replace(_read_for(node, scope, file), managers=tuple(_around(node, scope, file)))
    return _read_comprehension(node, scope, file)


def _around(node: ast.For, scope: ast.AST, file: _File) -> Iterator[ast.expr]:
    """The context managers around a loop; after an error that is caught, names of the iteration before it are read."""
    at: ast.AST = node
    while at is not scope:
        parent = file.parents[at]
        if isinstance(parent, (ast.Try, ast.TryStar)) and at in parent.body:
            raise NotForAllCounts("the loop stands in a try")
        if isinstance(parent, (ast.With, ast.AsyncWith)):
            yield from (item.context_expr for item in parent.items)
        at = parent


def _read_comprehension(node: ast.ListComp | ast.GeneratorExp, scope: ast.AST, file: _File) -> LoopText:
    if len(node.generators) != 1 or node.generators[0].ifs or node.generators[0].is_async:
        raise NotForAllCounts("a comprehension with a condition or of several loops")
    _refuse_hidden_state(node.elt)
    names = frozenset(_names(node.generators[0].target))
    target = next(_names(node.generators[0].target))
    parent = file.parents[node]
    spread = isinstance(parent, ast.Starred)
    parent = file.parents[parent] if spread else parent
    first = parent.args[0] if isinstance(parent, ast.Call) and parent.args else None
    first = first.value if isinstance(first, ast.Starred) and spread else first
    if isinstance(parent, ast.Call) and first is node and not (spread and len(parent.args) > 1):
        return LoopText(node, scope, target, names, names, consumer=parent)
    if isinstance(parent, ast.Assign) and isinstance(node, ast.ListComp) and len(parent.targets) == 1:
        (place,) = parent.targets
        if isinstance(place, ast.Name):
            if sum(1 for n in _occurrences(scope, place.id) if not isinstance(n.ctx, ast.Load)) != 1:
                raise NotForAllCounts(f"{place.id} is bound more than once")
            return LoopText(node, scope, target, names, names, stored=place.id)
    raise NotForAllCounts("a list of as many items as a size says, which more than a call takes")


def _read_for(node: ast.For, scope: ast.AST, file: _File) -> LoopText:
    if node.orelse:
        raise NotForAllCounts("a loop with an else")
    appended: list[str] = []
    written: set[str] = set()
    bound = set(_names(node.target))
    for statement in node.body:
        name = _append(statement)
        if name is not None:
            appended.append(name)
        else:
            _check(statement, bound, written)
    if len(set(appended)) != len(appended) or set(appended) & bound:
        raise NotForAllCounts("a list that gets more than one item in an iteration, or is bound anew")
    for name in appended:
        inside = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name]
        if len(inside) != 1:
            raise NotForAllCounts(f"{name} is read while it grows")
        if not _made_beside(name, node, file):
            raise NotForAllCounts(f"{name} is not made empty right before the loop")
    _refuse_shared(scope, bound)
    definite = frozenset(_names(node.target)) | _definite(node.body)
    definite |= {n for n in bound - definite if _inner(n, node, scope)}
    target = next(_names(node.target))
    return LoopText(node, scope, target, frozenset(bound), definite, tuple(appended), frozenset(written))


def _refuse_shared(scope: ast.AST, bound: set[str]) -> None:
    """A name that another function reads or rebinds may carry something past the loop's own text."""
    for inner in ast.walk(scope):
        if isinstance(inner, (ast.Global, ast.Nonlocal)) and bound & set(inner.names):
            raise NotForAllCounts(f"{inner.names[0]} belongs to another scope")
        if inner is not scope and isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            shared = bound & {n.id for n in ast.walk(inner) if isinstance(n, ast.Name)}
            if shared:
                raise NotForAllCounts(f"{min(shared)} is used by a function inside")


def _check(statement: ast.stmt, bound: set[str], written: set[str]) -> None:
    """Refuses what one iteration cannot stand for, and collects what it binds and writes."""
    if not isinstance(statement, STATEMENTS):
        raise NotForAllCounts(f"{type(statement).__name__.lower()} in a loop")
    if isinstance(statement, (ast.If, ast.For)):
        head = statement.test if isinstance(statement, ast.If) else statement.iter
        _refuse_hidden_state(head)
        if isinstance(statement, ast.For):
            bound.update(_names(statement.target))
            if statement.orelse:
                raise NotForAllCounts("a loop with an else")
        appended = {name for s in statement.body if (name := _append(s))} if isinstance(statement, ast.For) else set()
        for inner in (*statement.body, *statement.orelse):
            if isinstance(statement, ast.For) and _append(inner) in appended:
                continue
            _check(inner, bound, written)
        return
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    for target in targets:
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            written.add(target.value.id)
            _refuse_hidden_state(target.slice)
        else:
            bound.update(_names(target))
    for value in ast.iter_child_nodes(statement):
        if value not in targets:
            _refuse_hidden_state(value)


def _refuse_hidden_state(node: ast.AST) -> None:
    for inner in ast.walk(node):
        if isinstance(inner, REFUSED):
            raise NotForAllCounts(f"{type(inner).__name__.lower()} in a loop")
        if isinstance(inner, ast.Name) and inner.id in HIDDEN_STATE:
            raise NotForAllCounts(f"{inner.id} in a loop")


def _append(statement: ast.stmt) -> str | None:
    """The list of `list.append(item)`."""
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        return None
    call = statement.value
    if isinstance(call.func, ast.Attribute) and call.func.attr == "append" and isinstance(call.func.value, ast.Name):
        for argument in call.args:
            _refuse_hidden_state(argument)
        return call.func.value.id
    return None


def _names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _names(part)
    else:
        raise NotForAllCounts("an iteration binds something else than names")


def _definite(body: list[ast.stmt]) -> frozenset[str]:
    """Names that these statements bind on every way through, before any of them reads them."""
    read: set[str] = set()
    bound: set[str] = set()
    for statement in body:
        if isinstance(statement, ast.AnnAssign) and statement.value is None:
            continue  # `k: int` binds nothing
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            if statement.value is not None:
                read |= _read_names(statement.value)
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                if isinstance(target, ast.Subscript):
                    read |= _read_names(target)
                else:
                    bound.update(n for n in _names(target) if n not in read)
        elif isinstance(statement, ast.If):
            read |= _read_names(statement.test)
            both = _definite(statement.body) & _definite(statement.orelse)
            bound |= {n for n in both if n not in read}
            read |= _read_names(statement)
        else:
            read |= _read_names(statement)
    return frozenset(bound)


def _read_names(node: ast.AST) -> set[str]:
    found = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    augmented = [n.target for n in ast.walk(node) if isinstance(n, ast.AugAssign)]
    return found | {n.id for n in augmented if isinstance(n, ast.Name)}


def _inner(name: str, loop: ast.For, scope: ast.AST) -> bool:
    """Whether a name lives in one loop inside this one alone, and is bound there before it is read."""
    for inner in ast.walk(loop):
        if inner is loop or not isinstance(inner, ast.For):
            continue
        here = [n for n in ast.walk(inner) if isinstance(n, ast.Name) and n.id == name]
        if len(here) == len(list(_occurrences(scope, name))):
            own = frozenset(_names(inner.target)) | _definite(inner.body)
            return name in own and not any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(inner.iter))
    return False


def _occurrences(scope: ast.AST, name: str) -> Iterator[ast.Name]:
    return (n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == name)


def _made_beside(name: str, loop: ast.For, file: _File) -> bool:
    """Whether `name = []` stands in the loop's block, before it, with nothing between that reads the name."""
    parent = file.parents[loop]
    for block in (getattr(parent, "body", None), getattr(parent, "orelse", None)):
        if isinstance(block, list) and loop in block:
            before: list[ast.stmt] = block[: block.index(loop)]
            for statement in reversed(before):
                mentions = any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(statement))
                if not mentions:
                    continue
                value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement]
                if len(targets) == 1 and isinstance(targets[0], ast.Tuple) and isinstance(value, ast.Tuple):
                    places = [i for i, t in enumerate(targets[0].elts) if isinstance(t, ast.Name) and t.id == name]
                    alone = len(places) == 1 and len(targets[0].elts) == len(value.elts)
                    value = value.elts[places[0]] if alone else None
                else:
                    alone = len(targets) == 1 and isinstance(targets[0], (ast.Name, ast.AnnAssign))
                return alone and isinstance(value, ast.List) and not value.elts
    return False


def uses_after(text: LoopText, name: str) -> list[ast.Call | None]:
    """The calls that take a list as their first argument; None for every other use of its name."""
    own = set(ast.walk(text.node))
    inner = {n for s in ast.walk(text.scope) if isinstance(s, SCOPES) and s is not text.scope for n in ast.walk(s)}
    calls = {id(n.args[0]): n for n in ast.walk(text.scope) if isinstance(n, ast.Call) and n.args}
    loads = [n for n in _occurrences(text.scope, name) if isinstance(n.ctx, ast.Load) and n not in own]
    return [None if n in inner else calls.get(id(n)) for n in loads]


def binds(scope: ast.AST, name: str) -> bool:
    """Whether a function assigns to a name, other than by an import or as an argument."""
    return any(not isinstance(n.ctx, ast.Load) for n in _occurrences(scope, name))
