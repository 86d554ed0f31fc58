"""The iterators of loops that are run for all counts, and the builtins that lead to them."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ...dims import Relation, Size, is_dim
from ...errors import NeedsConcreteSize
from ..front_end import is_stand_in, items
from .running import Loop, Session, alike, assume, grown_list, session
from .syntax import LoopText, NotForAllCounts, loop_at
from .values import ValueSession, all_terms

PACKAGE = f"{__package__}.".rpartition(".loops.")[0]

Source = tuple[Size, Callable[[Size], Any]]
"""How many items there are, and the item of a number."""


class Items:
    """The iterator of a loop over as many items as a size says."""

    def __init__(self, source: Source, text: LoopText) -> None:
        self.count, self.item = source
        self.text = text
        self.loop: Loop | None = None

    def __next__(self) -> Any:
        try:
            loop = self.advanced(_caller(sys._getframe(1)))  # pyright: ignore[reportPrivateUsage]
        except NotForAllCounts as error:
            raise NeedsConcreteSize(self.count) from error
        return self.item(loop.index)

    def advanced(self, frame: FrameType) -> Loop:
        if loop_at(frame, "FOR_ITER") is not self.text:
            raise NotForAllCounts("another loop goes on with the items")
        if self.loop is None:
            self.loop = session[-1].loop(frame, self.text, self.count)
        if not self.loop.advance():
            raise StopIteration
        return self.loop

    def __iter__(self) -> Items:
        return self


def _caller(frame: FrameType) -> FrameType:
    """Who asked: the first frame that is not of this package."""
    while frame.f_globals.get("__name__", "").startswith(PACKAGE) and frame.f_back is not None:
        frame = frame.f_back
    return frame


def iterate(source: Source) -> Iterator[Any]:
    """The items, for a loop that begins.

    Raises:
        NeedsConcreteSize: whoever asks is no loop for which one iteration can stand for all.
    """
    count, item = source
    if type(count) is int:
        return map(item, builtins.range(count))
    try:
        return Items(source, loop_at(_caller(sys._getframe(1)), "GET_ITER"))  # pyright: ignore[reportPrivateUsage]
    except NotForAllCounts as error:
        raise NeedsConcreteSize(count) from error


class Counted:
    """What has as many items as a size says."""

    def source(self) -> Source:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Any]:
        return iterate(self.source())

    def _number(self, *_: Any) -> Any:
        raise NeedsConcreteSize(self.source()[0])

    __len__ = __getitem__ = __contains__ = __reversed__ = __eq__ = __hash__ = _number


class SymbolicRange(Counted):
    """`range` of which a bound is a size."""

    def __init__(self, start: Size, stop: Size, step: Size) -> None:
        self.start, self.stop, self.step = start, stop, step

    def source(self) -> Source:
        start, stop, step = self.start, self.stop, self.step
        if not (step >= 1):
            raise NeedsConcreteSize(step)
        if stop <= start:
            return 0, lambda index: index
        exact = (stop - start) % step == 0
        settled = exact.known if isinstance(exact, Relation) else exact
        count = (stop - start) // step if settled else (stop - start + step - 1) // step

        def item(index: Size) -> Size:
            value = start + step * index
            if is_dim(index) and not (type(step) is int and step == 1):
                assume(Relation("<=", value, stop - 1))
            return value

        return count, item


class SymbolicEnumerate(Counted):
    """`enumerate` of as many items as a size says."""

    def __init__(self, inner: Source, start: Any) -> None:
        self.inner, self.start = inner, start

    def source(self) -> Source:
        count, item = self.inner
        return count, lambda index: (index + self.start, item(index))


class SymbolicZip(Counted):
    """`zip` of several things, each with as many items as a size says."""

    def __init__(self, inner: list[Source], strict: bool) -> None:
        self.inner, self.strict = inner, strict

    def source(self) -> Source:
        shortest = self.inner[0][0]
        for place, (count, _) in enumerate(self.inner[1:], 2):
            if count == shortest:
                continue
            if self.strict:
                raise ValueError(
                    f"zip() argument {place} is {'shorter' if count < shortest else 'longer'} than the others"
                )
            shortest = count if count < shortest else shortest
        return shortest, lambda index: tuple(item(index) for _, item in self.inner)


def _source(value: Any) -> Source | None:
    """The items of a value whose number is a size."""
    if isinstance(value, Counted):
        return value.source()
    if is_stand_in(value) and value.shape and is_dim(value.shape[0]):
        return value.shape[0], value.__getitem__
    return None


def symbolic_range(*bounds: Any) -> Any:
    """`range`, also of sizes."""
    if not any(map(is_dim, bounds)):
        return builtins.range(*bounds)
    start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    return SymbolicRange(start, stop, step)


def symbolic_enumerate(iterable: Any, start: Any = 0) -> Any:
    """`enumerate`, also of arrays of sizes."""
    inner = _source(iterable)
    return builtins.enumerate(iterable, start) if inner is None else SymbolicEnumerate(inner, start)


def symbolic_zip(*iterables: Any, strict: bool = False) -> Any:
    """`zip`, also of arrays of sizes.

    Raises:
        NeedsConcreteSize: some have a size for their number of items, and others a number.
    """
    inner = [_source(i) for i in iterables]
    known = [i for i in inner if i is not None]
    if not known:
        return builtins.zip(*iterables, strict=strict)
    if len(known) != len(inner):
        raise NeedsConcreteSize(known[0][0])
    return SymbolicZip(known, strict)


def symbolic_len(value: Any, /) -> Any:
    """`len`, also of arrays of sizes and of lists with an item for each iteration."""
    inner = _source(value)
    if inner is not None:
        return inner[0]
    grown = grown_list(value) if type(value) is list else None
    return builtins.len(value) if grown is None else grown.count


def symbolic_sum(values: Iterable[Any], /, start: Any = 0) -> Any:
    """`sum`, also of a list with an item for each iteration: the shape of one term, if all have one."""
    terms = list(values)
    grown = grown_list(values)
    total: Any = builtins.sum(terms, start)
    if grown is not None:
        alike(terms, grown)
        if not (type(start) is int and start == 0):
            raise NeedsConcreteSize(grown.count)
        total.replace(all_terms(total.node, grown))
    return total


BUILTINS: dict[str, Callable[..., Any]] = {
    "enumerate": symbolic_enumerate,
    "len": symbolic_len,
    "range": symbolic_range,
    "sum": symbolic_sum,
    "zip": symbolic_zip,
}


@contextmanager
def for_all_counts(spaces: Iterable[dict[str, Any]], values: bool = False) -> Generator[None]:
    """Loops over sizes in these modules are run for all counts inside; with `values`, what they compute is followed.

    Raises:
        NeedsConcreteSize: inside, where a loop is not of the kind for which one iteration can stand for all.
    """
    shadowed = [(space, name) for space in spaces for name in BUILTINS if name not in space]
    token = items.set(lambda count, item: iterate((count, item)))
    session.append(ValueSession() if values else Session())
    for space, name in shadowed:
        space[name] = BUILTINS[name]
    try:
        yield
    finally:
        for space, name in shadowed:
            space.pop(name, None)
        session.pop()
        items.reset(token)
