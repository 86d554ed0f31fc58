"""Failures that only follow from another one: sizes of 1 let a wrong line pass, and what it made fails further down."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from types import TracebackType

from ..dims import Relation
from ..frontends.explorer import is_machinery
from ..frontends.front_end import is_stand_in
from ..graph.node import upstream
from .failure import Failure
from .locating import statement_at

Group = list[Failure]
Line = tuple[str, int]


def by_cause(groups: Sequence[Group]) -> list[tuple[Group, set[Line]]]:
    """The groups of failures, each with the lines whose failing it may follow from; what follows from none comes first.

    A misfit of the result comes after what fails on the way to it.
    """
    found: list[tuple[Group, set[Line]]] = []
    for group in groups:
        lines = {other[0].place[:2] for other in groups if other is not group and follows(group, other[0].place[:2])}
        found.append((group, lines))
    return sorted(found, key=lambda item: (bool(item[1]), item[0][0].code == "ATT001"))


def follows(group: Group, line: Line) -> bool:
    """Whether a size of 1 let every failing path pass that line, which made the arrays that then fail."""
    return all(passes(f, line) and line in set(lines_behind(f.path.error)) for f in group)


def passes(failure: Failure, line: Line) -> bool:
    """Whether a size was found to be 1 on that line."""
    return any(
        d.source is not None and (d.source.file, d.source.line) == line and is_one(d.condition)
        for d in failure.path.decisions
    )


def is_one(condition: Relation) -> bool:
    """Whether a condition says that a size happens to be 1."""
    return condition.op == "==" and any(type(s) is int and s == 1 for s in (condition.left, condition.right))


def lines_behind(error: BaseException | None) -> Iterator[Line]:
    """The lines that made the arrays which are named where an error was raised."""
    step = error.__traceback__ if error is not None else None
    last: TracebackType | None = None
    while step is not None:
        last = last if is_machinery(step.tb_frame.f_code.co_filename) else step
        step = step.tb_next
    if last is None:
        return
    frame = last.tb_frame
    statement = statement_at(frame.f_code.co_filename, last.tb_lineno)
    if statement is None:
        return
    names = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
    for name in names & frame.f_locals.keys():
        value = frame.f_locals[name]
        if not is_stand_in(value):
            continue
        try:
            node = value.node
        except RuntimeError:  # a view of what was written to since is read in a run only
            continue
        for made in upstream(node):
            if made.source is not None:
                yield made.source.file, made.source.line
