"""Every path of a function over symbolic sizes: each comparison that the facts leave open is taken both ways."""

from __future__ import annotations

import sys
import sysconfig
import time
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path as FilePath
from types import CodeType
from typing import Any

from ..dims import Relation, Scope
from ..dims.looked_at import watching
from ..dims.relation import assuming, deciding, knowing
from ..errors import NeedsConcreteSize, TooManyPaths, Unsupported
from ..graph.node import Graph, SourceLine
from ..prove.decide import decide
from ..prove.facts import Facts
from .recording import recording
from .watching import asked_by_code_under_test

MAX_PATHS = 64
"""More open comparisons than this many paths' worth, and the exploration stops and says so."""

MAX_DECISIONS = 48
"""More open comparisons in a row than this, and the path does not seem to end: `while i < n`."""

FOREIGN = (
    "/numpy/",
    "/jaxtyping/",
    "/beartype/",
    "<@beartype",
    "<string>",
    "/site-packages/",
    sysconfig.get_paths()["stdlib"] + "/",
)


@dataclass(frozen=True)
class Decision:
    """A comparison that the facts left open, which way this path took it, and where it was asked."""

    relation: Relation
    held: bool
    source: SourceLine | None

    @property
    def condition(self) -> Relation:
        return self.relation if self.held else self.relation.negated()


@dataclass(frozen=True)
class Path:
    """One way through the code: its conditions, and its value or the exception that ended it."""

    decisions: tuple[Decision, ...]
    value: Any
    error: BaseException | None
    graph: Graph
    source: SourceLine | None = None
    """Where the error was raised in the code under test."""
    assumed: tuple[Relation, ...] = ()
    """The ranges of the indices of loops that are run for all counts."""

    @property
    def conditions(self) -> tuple[Relation, ...]:
        return (*(d.condition for d in self.decisions), *self.assumed)


class OutOfTime(Unsupported):
    """The time that an exploration has is over: what was seen of its paths says nothing."""


_until: ContextVar[float | None] = ContextVar("_until", default=None)


@contextmanager
def limited(until: float | None) -> Generator[None]:
    """Explorations within stop at that time by `time.process_time()`, and say so: a busy machine is no reason."""
    token = _until.set(until)
    try:
        yield
    finally:
        _until.reset(token)


def in_time() -> None:
    """Raises OutOfTime where the time is over."""
    until = _until.get()
    if until is not None and time.process_time() > until:
        raise OutOfTime(
            "the paths take too long: the code compares many sizes", remedy="a longer --timeout, or premises on sizes"
        )


def explore(run: Callable[[], Any], scope: Scope, most: int = MAX_PATHS) -> list[Path]:
    """Runs the code once for every path over the sizes of the scope.

    Raises:
        TooManyPaths: more than `most`.
        NeedsConcreteSize: the code demands a size as a number; bind its symbols and explore again.
        OutOfTime: it takes longer than `limited` allows.
    """
    paths: list[Path] = []
    pending: list[tuple[bool, ...]] = [()]
    while pending:
        in_time()
        if len(paths) >= most:
            raise TooManyPaths(
                f"more than {most} paths: the code compares too many sizes that nothing relates",
                remedy="state what is known of the sizes as assumptions",
            )
        script = pending.pop()
        path, alternatives = _run(run, scope, script)
        paths.append(path)
        pending.extend(alternatives)
    return paths


_taken: ContextVar[list[Decision] | None] = ContextVar("_taken", default=None)


def decisions_taken() -> int:
    """How many comparisons the path at work has decided so far."""
    return len(_taken.get() or ())


def one_path(run: Callable[[], Any], scope: Scope, prefer: Callable[[Relation], bool]) -> Path:
    """The path on which every comparison that the facts leave open goes as preferred; it says nothing of the others.

    Raises:
        NeedsConcreteSize: the code demands a size as a number.
        OutOfTime: it takes longer than `limited` allows.
    """
    in_time()
    return _run(run, scope, (), prefer)[0]


def _held(_: Relation) -> bool:
    return True


def _run(
    run: Callable[[], Any],
    scope: Scope,
    script: tuple[bool, ...],
    prefer: Callable[[Relation], bool] = _held,
) -> tuple[Path, list[tuple[bool, ...]]]:
    taken: list[Decision] = []
    assumed: list[Relation] = []
    alternatives: list[tuple[bool, ...]] = []
    facts = [Facts.of(scope)]

    def know(relation: Relation) -> bool | None:
        key, answers = relation.key, facts[0].answers
        if key not in answers:
            answers[key] = decide(relation, facts[0])
        return answers[key]

    def answer(relation: Relation) -> bool:
        known = know(relation)
        if known is not None:
            return known
        in_time()
        if len(taken) >= MAX_DECISIONS:
            raise Unsupported(
                f"more than {MAX_DECISIONS} open comparisons on one path: a loop that ends at a size",
                remedy="loop with `for`, or use an array operation",
            )
        held = script[len(taken)] if len(taken) < len(script) else prefer(relation)
        if len(taken) >= len(script):
            alternatives.append((*(d.held for d in taken), not held))
        taken.append(Decision(relation, held, caller()))
        facts[0] = Facts.of(scope, [*(d.condition for d in taken), *assumed])
        return held

    def assume(relation: Relation) -> None:
        if any(relation.key == known.key for known in assumed):
            return
        assumed.append(relation)
        facts[0] = Facts.of(scope, [*(d.condition for d in taken), *assumed])

    graph = Graph()
    value: Any = None
    error: BaseException | None = None
    source: SourceLine | None = None
    token, other, third = deciding.set(answer), knowing.set(know), assuming.set(assume)
    watch, fourth = watching.set(asked_by_code_under_test), _taken.set(taken)
    try:
        with recording(graph), truth_of_not_implemented_is_an_error():
            value = run()
    except (NeedsConcreteSize, OutOfTime):
        raise
    except Exception as raised:
        error, source = raised, raising_line(raised)
    finally:
        deciding.reset(token)
        knowing.reset(other)
        assuming.reset(third)
        watching.reset(watch)
        _taken.reset(fourth)
    return Path(tuple(taken), value, error, graph, source, tuple(assumed)), alternatives


@contextmanager
def truth_of_not_implemented_is_an_error() -> Generator[None]:
    """As it is from Python 3.14 on: a size that an operator's method does not know must not count as True."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "NotImplemented should not be used", DeprecationWarning)
        yield


def caller() -> SourceLine | None:
    """The innermost line at work that belongs to the code under test."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        file = frame.f_code.co_filename
        if not is_machinery(file):
            return SourceLine(file, frame.f_lineno, frame.f_code.co_name)
        frame = frame.f_back
    return None


def caller_with_calls() -> SourceLine | None:
    """The same, with the calls under test that led there."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    line: tuple[str, int, str] | None = None
    outer: list[tuple[CodeType, int]] = []
    while frame is not None:
        code = frame.f_code
        if code is _RUN:
            break
        if not is_machinery(code.co_filename):
            if line is None:
                line = (code.co_filename, frame.f_lineno, code.co_name)
            else:
                outer.append((code, frame.f_lasti))
        frame = frame.f_back
    return None if line is None else SourceLine(*line, tuple(outer))


_RUN = _run.__code__
"""Above it is whoever explores."""


def caller_is_machinery() -> bool:
    """Whether the function that calls a replaced one of NumPy is ours or a library's."""
    return is_machinery(sys._getframe(2).f_code.co_filename)  # pyright: ignore[reportPrivateUsage]


def raising_line(error: BaseException) -> SourceLine | None:
    """The innermost line of the code under test in an exception's traceback."""
    found: SourceLine | None = None
    step = error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if not is_machinery(file):
            found = SourceLine(file, step.tb_lineno, step.tb_frame.f_code.co_name)
        step = step.tb_next
    return found


_known: dict[str, bool] = {}
PACKAGE = FilePath(__file__).resolve().parent.parent.as_posix()
UNDER_TEST = (f"{PACKAGE}/kernels/", f"{PACKAGE}/audit/array_functions.py")
"""What is ours and yet the code under test, wherever we are installed."""


def put_under_test(file: str) -> None:
    """Findings may point into this file, also where it lies among the libraries."""
    _known[file] = False


def is_machinery(file: str) -> bool:
    """Whether a file is ours or a library's, so that no finding should point into it."""
    answer = _known.get(file)
    if answer is None:
        path = file.replace("\\", "/")
        foreign = path.startswith(PACKAGE) or any(part in path for part in FOREIGN)
        answer = _known[file] = foreign and not path.startswith(UNDER_TEST)
    return answer
