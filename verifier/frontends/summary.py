"""What a function of whole numbers returns, said by bounds and divisors where it would be said by many cases.

The largest power of 2 up to 32 that divides `d` is one of six numbers, each on a path of its own, and three such
numbers make 216 paths of whatever is built with them. Here it is one fresh size r, of which is known what holds in
every case: r >= 1, r <= 32, and r divides d. More is forgotten than known: what is proved of every such r is true of
the one that the function returns, and what fails for one of them is run again case by case (`exactly`).
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..dims import Relation, Scope, Size, is_dim, symbol
from ..dims.dim import floordiv, substitute, symbols_of
from ..dims.relation import assuming, knowing
from ..errors import NeedsConcreteSize, Unsupported
from ..prove.decide import decide
from ..prove.facts import Facts
from .explorer import OutOfTime, Path, explore

SEVERAL = 3
"""Fewer cases than this are told apart: that costs little, and nothing is forgotten."""
MANY = 24
"""More cases than this, and the function is run like any other."""

_exact: ContextVar[bool] = ContextVar("_exact", default=False)


@contextmanager
def exactly() -> Generator[None]:
    """Every case of every function of whole numbers is a path of its own within."""
    token = _exact.set(True)
    try:
        yield
    finally:
        _exact.reset(token)


def is_exact() -> bool:
    return _exact.get()


@dataclass(frozen=True)
class Summary:
    """A size that stands for what a function returns, and what is known of it, in terms of its parameters."""

    size: Size
    facts: tuple[Relation, ...]

    def of(self, name: str, values: Mapping[str, Size]) -> tuple[Size, list[Relation]]:
        """The same of a call, with the sizes that it passes."""
        known = {**values, str(self.size): symbol(name)}
        return known[str(self.size)], [f.mapped(lambda side: _in_terms_of(side, known)) for f in self.facts]


def summed(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that computes with its arguments and nothing else; within a run many cases become one size."""
    own_builtins = frozenset(function.__code__.co_names) & vars(builtins).keys()

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        take, known = assuming.get(), knowing.get()
        if take is None or known is None or _exact.get() or options or not any(map(is_dim, args)):
            return function(*args, **options)
        plain = all(is_dim(a) or a is None or type(a) in (int, bool) for a in args)
        if not plain or not own_builtins.isdisjoint(function.__globals__):  # the module has a `min` of its own
            return function(*args)
        passed = {f"{function.__name__}.{place}": a for place, a in enumerate(args) if is_dim(a)}
        if not all(known(Relation("<=", 1, a)) for a in passed.values()):
            return function(*args)
        found = _summary(function, tuple(None if is_dim(a) else (a,) for a in args))
        if found is None:
            return function(*args)
        size, facts = found.of(f"{_name_of(function)}({', '.join(map(str, args))})", passed)
        for fact in facts:
            take(fact)
        return size

    return call


_named: dict[str, list[Callable[..., Any]]] = {}


def _name_of(function: Callable[..., Any]) -> str:
    """The function's name, and a number where another has it too: what one returns is not what the other does."""
    known = _named.setdefault(function.__name__, [])
    if function not in known:
        known.append(function)
    place = known.index(function)
    return f"{function.__name__}#{place + 1}" if place else function.__name__


@cache
def _summary(function: Callable[..., Any], pattern: tuple[tuple[Any] | None, ...]) -> Summary | None:
    """What holds of the function for all sizes in the places of None."""
    names = {place: f"{function.__name__}.{place}" for place, known in enumerate(pattern) if known is None}
    scope = Scope.of(names.values())
    args = tuple(symbol(names[place]) if known is None else known[0] for place, known in enumerate(pattern))
    try:
        with exactly():
            paths = explore(lambda: function(*args), scope, MANY)
    except OutOfTime:
        raise
    except (NeedsConcreteSize, Unsupported):
        return None
    if len(paths) < SEVERAL or not all(p.error is None and (type(p.value) is int or is_dim(p.value)) for p in paths):
        return None
    size = symbol(f"{function.__name__}()")
    known = tuple(_common(paths, args, scope, size))
    if not any(f.op == "<=" and type(f.left) is int and f.left >= 0 for f in known):
        return None  # sizes are never negative, and this may be
    return Summary(size, known)


def _in_terms_of(side: Size, known: Mapping[str, Size]) -> Size:
    return substitute(side, known) if is_dim(side) else side


def _common(paths: list[Path], args: tuple[Any, ...], scope: Scope, size: Size) -> Iterator[Relation]:
    """Bounds and divisors of the value that hold in every case."""
    cases = [(p.value, Facts.of(scope, p.conditions)) for p in paths]

    def everywhere(relation: Callable[[Any], Relation]) -> bool:
        return all(_proved(relation(value), facts) for value, facts in cases)

    sizes = [a for a in args if is_dim(a)]
    plain = [v for v, _ in cases if type(v) is int]
    for low in sorted({0, 1, *plain}, reverse=True):
        if everywhere(lambda v, low=low: Relation("<=", low, v)):
            yield Relation("<=", low, size)
            break
    for high in [*([max(plain)] if len(plain) == len(cases) else []), *sizes]:
        if everywhere(lambda v, high=high: Relation("<=", v, high)):
            yield Relation("<=", size, high)
    positive = everywhere(lambda v: Relation("<=", 1, v))
    for other in sizes:
        if everywhere(lambda v, other=other: Relation("<=", other, v)):
            yield Relation("<=", other, size)
        if positive and everywhere(lambda v, other=other: Relation("==", _remainder(other, v), 0)):
            yield Relation("==", _remainder(other, size), 0)
    for other in [*sizes, *(a for a in args if type(a) is int and a > 1)]:
        if everywhere(lambda v, other=other: Relation("==", _remainder(v, other), 0)):
            yield Relation("==", _remainder(size, other), 0)


def _remainder(size: Size, divisor: Size) -> Size:
    """`size % divisor` of a divisor that is known not to be 0: the run at work is not asked."""
    return size - floordiv(size, divisor) * divisor


def _proved(relation: Relation, facts: Facts) -> bool:
    if not (is_dim(relation.left) or is_dim(relation.right)):
        return bool({"<=": relation.left <= relation.right, "==": relation.left == relation.right}[relation.op])
    return decide(relation, facts) is True


def is_summary(name: str) -> bool:
    """Whether a symbol stands for what a function of whole numbers returns."""
    return name.endswith(")") and "(" in name


def tells_of_summary(relation: Relation) -> bool:
    """Whether a relation speaks of such a symbol: to a reader it says nothing."""
    return any(map(is_summary, _symbols([relation])))


def rests_on_summaries(path: Path) -> bool:
    """Whether a path ended in an error that another case of such a function may not have."""
    if path.error is None:
        return False
    asked = [d.relation for d in path.decisions]
    if isinstance(path.error, Unsupported):
        asked += path.assumed
    return any(map(is_summary, _symbols(asked)))


def _symbols(relations: Iterable[Relation]) -> set[str]:
    return {n for r in relations for s in (r.left, r.right) if is_dim(s) for n in symbols_of(s)}
