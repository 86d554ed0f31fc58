"""The iterators of loops that are run for all counts, and the builtins that lead to them."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, cast

from ...dims import Relation, Size, is_dim, symbol
from ...dims.relation import assuming
from ...errors import NeedsConcreteSize
from ..explorer import is_machinery
from ..front_end import is_stand_in, items
from .state import Token, arrays_in, changed, outline, same_outline, traces
from .syntax import LoopText, NotForAllCounts, loop_at, node_at, uses_after

Traces = dict[int, tuple[object, Token]]


@dataclass
class Loop:
    """One loop at work: which frame runs it, and which iteration it is in."""

    frame: FrameType
    text: LoopText
    count: Size
    session: Session
    iteration: int = -1
    index: Size = 0
    outlines: dict[str, Any] = field(default_factory=lambda: dict[str, Any]())
    names: dict[str, Any] = field(default_factory=lambda: dict[str, Any]())
    held: Traces = field(default_factory=lambda: Traces())

    def advance(self) -> bool:
        """Goes on to the next iteration; False where the loop ends."""
        self.iteration += 1
        if self.iteration == 0 and self.count == 0:
            return False
        self.lists(self.iteration)
        if self.iteration == 0:
            self.session.drop_lists(self)
            return True
        if self.iteration == 1:
            if self.count == 1:
                return False
            self.forget()
            self.index = self.session.index(self.text.target, self.count)
            return True
        self.compare()
        self.forget()
        self.session.keep_lists(self)
        return False

    def carried(self, here: dict[str, Any]) -> list[str]:
        """Names whose values an iteration may find as the one before it left them."""
        return [n for n in sorted((self.text.bound | self.text.written) - self.text.definite) if n in here]

    def lists(self, length: int) -> None:
        here = self.frame.f_locals
        for name in self.text.appended:
            value = here.get(name)
            if type(value) is not list or len(cast("list[Any]", value)) != length:
                raise NotForAllCounts(f"{name} does not get one item in each iteration")

    def forget(self) -> None:
        """What the next iteration finds: of carried arrays the outline, all else as it is."""
        here = self.frame.f_locals
        for name in self.carried(here):
            if name in self.text.written and not is_stand_in(here[name]):
                raise NotForAllCounts(f"{name} is written to and is no array of the call")
        self.outlines = {n: outline(here[n]) for n in self.carried(here)}
        for name in self.outlines:
            for array in arrays_in(here[name]):
                array.forget()
        self.names, self.held = self.look(here)

    def compare(self) -> None:
        """Holds the state after an iteration that stands for all against the state before it."""
        here = self.frame.f_locals
        for name in self.carried(here):
            if name not in self.outlines or not same_outline(self.outlines[name], outline(here[name])):
                raise NotForAllCounts(f"{name} is not of one shape from iteration to iteration")
        names, held = self.look(here)
        rebound = names.keys() != self.names.keys() or any(names[n] is not self.names[n] for n in names)
        free = {id(v) for n in self.carried(here) for v in arrays_in(here[n])}
        if rebound or changed(self.held, held, free):
            raise NotForAllCounts("an iteration changes what the next one may look at")

    def look(self, here: dict[str, Any]) -> tuple[dict[str, Any], Traces]:
        """What stands beside the names that an iteration binds, and what every object holds that can be reached."""
        names = {n: v for n, v in here.items() if n not in self.text.bound and n != ".0"}
        carried = {n: here[n] for n in self.carried(here)}
        return names, traces({**carried, **names}, {n: here[n] for n in self.text.appended})


@dataclass
class GrownList:
    """A list with one item for each of `count` iterations, of which two are there."""

    frame: FrameType
    name: str
    consumer: ast.Call | None
    count: Size


class Session:
    """The loops of one path."""

    def __init__(self) -> None:
        self.loops: dict[tuple[int, int], Loop] = {}
        self.grown: list[GrownList] = []
        self.taken: set[str] = set()

    def enter(self, frame: FrameType, count: Size) -> tuple[Loop, bool]:
        """The loop that asks for its first item, and whether it is a new one; `zip` asks several iterators."""
        text = loop_at(frame)
        known = self.loops.get((id(frame), id(text)))
        if known is not None and known.iteration == 0:
            if not (known.count == count):
                raise NotForAllCounts("two things of different length side by side")
            return known, False
        loop = Loop(frame, text, count, self)
        self.loops[id(frame), id(text)] = loop
        return loop, True

    def leave(self, loop: Loop) -> None:
        self.loops.pop((id(loop.frame), id(loop.text)), None)

    def index(self, name: str, count: Size) -> Size:
        """A fresh symbol for the number of an iteration after the first."""
        found = next(n for n in (name, *(f"{name}_{k}" for k in range(2, 1_000))) if n not in self.taken)
        self.taken.add(found)
        fresh = symbol(found)
        assume(Relation("<=", 1, fresh))
        assume(Relation("<=", fresh, count - 1))
        return fresh

    # -- lists that have as many items as a size says -----------------------------------------

    def drop_lists(self, loop: Loop) -> None:
        home, text = _home(loop.frame), loop.text
        names = {*text.appended, text.stored} - {""}
        self.grown = [
            g for g in self.grown
            if g.frame is not home or not (g.name in names or (g.consumer is not None and g.consumer is text.consumer))
        ]  # fmt: skip

    def keep_lists(self, loop: Loop) -> None:
        home, text = _home(loop.frame), loop.text
        for name in (*text.appended, *([text.stored] if text.stored else [])):
            for call in uses_after(text, name):
                if call is None or not _joins(call, home):
                    raise NotForAllCounts(f"{name} is used other than by one call that joins it")
            self.grown.append(GrownList(home, name, None, loop.count))
        if text.consumer is not None:
            if not _joins(text.consumer, home):
                raise NotForAllCounts("a list of as many items as a size says, in a call that does not join it")
            self.grown.append(GrownList(home, "", text.consumer, loop.count))

    def count_of(self, value: Any) -> Size | None:
        """How many items a list or a generator stands for, where there are more than it has.

        Raises:
            NeedsConcreteSize: its items are not all of one shape.
        """
        frame = _under_test(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
        if frame is None or not self.grown:
            return None
        call, here = node_at(frame), frame.f_locals
        for grown in self.grown:
            if grown.frame is not frame:
                continue
            if (grown.name and here.get(grown.name) is value) or (call is not None and grown.consumer is call):
                if isinstance(value, list) and not _alike(cast("list[Any]", value)):
                    raise NeedsConcreteSize(grown.count)
                return grown.count
        return None


session: list[Session] = []
"""The session of the path at work, at most one."""


def count_of(value: Any) -> Size | None:
    """How many items a list stands for, where a loop that is run for all counts has made it."""
    return session[-1].count_of(value) if session else None


def _alike(parts: list[Any]) -> bool:
    first, *others = parts
    return is_stand_in(first) and all(
        is_stand_in(o) and o.dtype == first.dtype and same_outline(tuple(o.shape), tuple(first.shape)) for o in others
    )


def _under_test(frame: FrameType | None) -> FrameType | None:
    while frame is not None and is_machinery(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _home(frame: FrameType) -> FrameType:
    """The function that a comprehension stands in."""
    file, at = frame.f_code.co_filename, frame
    while at.f_code.co_name in ("<listcomp>", "<genexpr>") or at.f_code.co_filename != file:
        if at.f_back is None:
            return frame
        at = at.f_back
    return at


def _joins(call: ast.Call, frame: FrameType) -> bool:
    """Whether a call is to one of the functions that know of such lists."""
    function = _value(call.func, frame)
    return any(function is known for known in joining())


def _value(node: ast.expr, frame: FrameType) -> Any:
    """What a dotted name stands for in a frame."""
    if isinstance(node, ast.Name):
        for space in (frame.f_locals, frame.f_globals, vars(builtins)):
            if node.id in space:
                return space[node.id]
    elif isinstance(node, ast.Attribute):
        return getattr(_value(node.value, frame), node.attr, None)
    return None


def assume(relation: Relation) -> None:
    take = assuming.get()
    if take is not None:
        take(relation)


# -- iterators ------------------------------------------------------------------------------------


class Items:
    """An iterator over as many items as a size says."""

    def __init__(self, count: Size, item: Callable[[Size], Any]) -> None:
        self.count = count
        self.item = item
        self.loop: Loop | None = None
        self.leads = False

    def __iter__(self) -> Items:
        return self

    def __next__(self) -> Any:
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        try:
            if self.loop is None:
                self.loop, self.leads = session[0].enter(frame, self.count)
            if self.leads and not self.loop.advance():
                session[0].leave(self.loop)
                raise StopIteration
        except NotForAllCounts:
            raise NeedsConcreteSize(self.count) from None
        return self.item(self.loop.index if self.loop.iteration else 0)


class SymbolicRange:
    """`range` of which a bound is a size."""

    def __init__(self, start: Size, stop: Size, step: Size) -> None:
        self.start, self.stop, self.step = start, stop, step

    def __iter__(self) -> Iterator[Any]:
        start, stop, step = self.start, self.stop, self.step
        if not (step >= 1):
            raise NeedsConcreteSize(step)
        if stop <= start:
            return iter(())
        exact = (stop - start) % step == 0
        settled = exact.known if isinstance(exact, Relation) else exact
        count = (stop - start) // step if settled else (stop - start + step - 1) // step

        def item(index: Size) -> Size:
            value = start + step * index
            if is_dim(index) and not (type(step) is int and step == 1):
                assume(Relation("<=", value, stop - 1))
            return value

        return iter(range(count)) if type(count) is int else Items(count, item)

    def _number(self, *_: Any) -> Any:
        raise NeedsConcreteSize(self.stop - self.start)

    __len__ = __getitem__ = __contains__ = __reversed__ = __eq__ = __hash__ = _number


def symbolic_range(*bounds: Any) -> Any:
    """`range`, also of sizes."""
    if not any(map(is_dim, bounds)):
        return builtins.range(*bounds)
    start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    return SymbolicRange(start, stop, step)


def symbolic_len(value: Any, /) -> Any:
    """`len`, also of arrays of sizes and of lists with an item for each iteration."""
    if is_stand_in(value) and value.shape:
        return value.shape[0]
    if isinstance(value, list):
        count = session[0].count_of(cast("list[Any]", value))
        if count is not None:
            return count
    return builtins.len(value)


def symbolic_sum(values: Iterable[Any], /, start: Any = 0) -> Any:
    """`sum`, also of a list with an item for each iteration: the shape of one term, if all have one."""
    terms = list(values)
    count = session[0].count_of(values)
    if count is None:
        return builtins.sum(terms, start)
    if not _alike(terms):
        raise NeedsConcreteSize(count)
    total = builtins.sum(terms, start)
    total.forget()
    return total


BUILTINS: dict[str, Callable[..., Any]] = {"range": symbolic_range, "len": symbolic_len, "sum": symbolic_sum}


def joining() -> list[Callable[..., Any]]:
    """The functions that know of lists with an item for each iteration, as they are called now."""
    import numpy as np

    known: list[Callable[..., Any]] = [symbolic_len, symbolic_sum, np.stack, np.concatenate, np.vstack, np.hstack]
    torch, jnp = sys.modules.get("torch"), sys.modules.get("jax.numpy")
    if torch is not None:
        known += [torch.stack, torch.cat, torch.concat]
    if jnp is not None:
        known += [jnp.stack, jnp.concatenate]
    return known


@contextmanager
def for_all_counts(spaces: Iterable[dict[str, Any]]) -> Generator[None]:
    """Loops over sizes in these modules are run for all counts inside.

    Raises:
        NeedsConcreteSize: inside, where a loop is not of the kind for which one iteration can stand for all.
    """

    def taken(count: Size, item: Callable[[Any], Any]) -> Iterator[Any]:
        return iter(item(i) for i in range(count)) if type(count) is int else Items(count, item)

    shadowed = [(space, name) for space in spaces for name in BUILTINS if name not in space]
    token = items.set(taken)
    session.append(Session())
    for space, name in shadowed:
        space[name] = BUILTINS[name]
    try:
        yield
    finally:
        for space, name in shadowed:
            space.pop(name, None)
        session.pop()
        items.reset(token)
