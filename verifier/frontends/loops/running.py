"""Loops at work: what their iterations carry on, and the lists that they make."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from types import FrameType, ModuleType
from typing import Any, cast

from ...dims import Relation, Size, is_dim, symbol
from ...dims.dim import symbols_of
from ...dims.relation import assuming
from ...errors import NeedsConcreteSize
from ...terms.ranges import index_name
from ..explorer import is_machinery
from ..front_end import is_stand_in
from .state import Token, arrays_in, changed, outline, same_outline, traces
from .syntax import LoopText, NotForAllCounts, binds, call_at, uses_after

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
    owners: dict[str, list[object]] = field(default_factory=lambda: dict[str, list[object]]())
    held: Traces = field(default_factory=lambda: Traces())
    first: int = 0
    """No node of the iteration has a smaller serial number."""

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
            self.index = self.session.index(self.text.target, 1, self.count)
            return True
        self.compare()
        self.forget()
        self.session.keep_lists(self)
        return False

    @property
    def number(self) -> str:
        """The symbol of the iteration that stands for all, where its values are followed."""
        return ""

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
        self.owners = {n: [a.owner for a in arrays_in(here[n])] for n in self.outlines}
        self.names, self.held = self.look(here)

    def compare(self) -> None:
        """Holds the state after an iteration that stands for all against the state before it."""
        here = self.frame.f_locals
        for name in self.carried(here):
            if name not in self.outlines or not same_outline(self.outlines[name], outline(here[name])):
                raise NotForAllCounts(f"{name} is not the same, or of one shape, from iteration to iteration")
            now = [a.owner for a in arrays_in(here[name])]
            if any(n is not None and n is not before for n, before in zip(now, self.owners[name], strict=True)):
                raise NotForAllCounts(f"{name} comes to look at the memory of another array")
        self.look_again(here)

    def look_again(self, here: dict[str, Any]) -> None:
        """Refuses an iteration that changes more than the arrays that it carries."""
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
    """A list with one item for each of `count` iterations, of which the first is there, and one that stands for all."""

    frame: FrameType
    name: str
    consumer: ast.Call | None
    """The call that takes the list without a name; it asks once."""
    count: Size
    index: str = ""
    """The number of the iteration that stands for all, where values are followed."""
    first: int = 0
    """No node of that iteration has a smaller serial number."""
    asked: bool = False
    value: Any = None
    """The list itself, where appending made it."""
    length: int = 0


class Session:
    """The loops of one path."""

    loop_kind = Loop

    def __init__(self) -> None:
        self.grown: list[GrownList] = []
        self.modules: dict[int, Any] = {}
        """What is known of a framework's lists of modules that loops make."""
        self.numbers = 0

    def loop(self, frame: FrameType, text: LoopText, count: Size) -> Loop:
        """A loop that begins.

        Raises:
            NotForAllCounts: it stands where an error in it may be passed over.
        """
        if any(_goes_on(m, frame) for m in text.managers):
            raise NotForAllCounts("the loop stands in a context manager that may pass over an error")
        return self.loop_kind(frame, text, count, self)

    def index(self, name: str, first: int, count: Size) -> Size:
        """A fresh symbol for the number of an iteration; no size has such a name."""
        self.numbers += 1
        fresh = symbol(index_name(self.numbers, name))
        assume(Relation("<=", first, fresh))
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
        here = loop.frame.f_locals
        for name in (*text.appended, *([text.stored] if text.stored else [])):
            for call in uses_after(text, name):
                if call is None or not _joins(call, home, text.scope):
                    raise NotForAllCounts(f"{name} is used other than by one call that joins it")
            grown = GrownList(home, name, None, loop.count, loop.number, loop.first)
            if name != text.stored:
                grown.value, grown.length = here[name], len(here[name])
            self.grown.append(grown)
        if text.consumer is not None:
            if not _joins(text.consumer, home, text.scope):
                raise NotForAllCounts("a list of as many items as a size says, in a call that does not join it")
            self.grown.append(GrownList(home, "", text.consumer, loop.count, loop.number, loop.first))

    def grown_list(self, value: Any) -> GrownList | None:
        """What a list or a generator stands for, where that is more than it has.

        Raises:
            NeedsConcreteSize: it got or lost items after the loop.
        """
        frame = _under_test(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
        if frame is None or not self.grown:
            return None
        call, here = call_at(frame), frame.f_locals
        for grown in self.grown:
            if grown.value is not None:
                if grown.value is value:
                    if builtins.len(value) != grown.length:
                        raise NeedsConcreteSize(grown.count) from NotForAllCounts(
                            f"{grown.name} gets items after the loop"
                        )
                    return grown
                continue
            if grown.frame is not frame:
                continue
            unnamed = call is not None and grown.consumer is call and not grown.asked
            if unnamed or (grown.name and here.get(grown.name) is value):
                grown.asked = unnamed
                return grown
        return None


session: list[Session] = []
"""The session of the path at work, at most one."""


def grown_list(value: Any) -> GrownList | None:
    """What a list stands for, where a loop that is run for all counts has made it."""
    return session[-1].grown_list(value) if session else None


def grown_arrays(arrays: Any) -> GrownList | None:
    """The same for a list of arrays, which must be of one shape.

    Raises:
        NeedsConcreteSize: they are not.
    """
    grown = grown_list(arrays)
    if grown is not None:
        alike(list(arrays), grown)
    return grown


def alike(parts: list[Any], grown: GrownList) -> None:
    """Refuses parts that are not all of one shape and element type.

    Raises:
        NeedsConcreteSize: they are not.
    """
    first, *others = parts
    if not is_stand_in(first) or not all(
        is_stand_in(o) and o.dtype == first.dtype and same_outline(tuple(o.shape), tuple(first.shape)) for o in others
    ):
        raise NeedsConcreteSize(grown.count) from NotForAllCounts("the parts of a list are not arrays of one shape")
    if grown.index and any(is_dim(s) and grown.index in symbols_of(s) for s in first.shape):
        raise NeedsConcreteSize(grown.count) from NotForAllCounts("the parts of a list are not arrays of one shape")


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


def _joins(call: ast.Call, frame: FrameType, scope: ast.AST) -> bool:
    """Whether a call is to one of the functions that know of such lists, and will be when it is run."""
    root = call.func
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or binds(scope, root.id):
        return False
    function = _value(call.func, frame)
    return any(function is known for known in joining())


def _value(node: ast.expr, frame: FrameType) -> Any:
    """What a name, or the name of a module's part, stands for in a frame."""
    if isinstance(node, ast.Name):
        for space in (frame.f_locals, frame.f_globals, vars(builtins)):
            if node.id in space:
                return space[node.id]
    elif isinstance(node, ast.Attribute):
        owner = _value(node.value, frame)
        return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
    return None


def _goes_on(manager: ast.expr, frame: FrameType) -> bool:
    """Whether a context manager may go on after an error; those of the frameworks do not."""
    made = _value(manager.func, frame) if isinstance(manager, ast.Call) else None
    return made is not nullcontext and getattr(made, "__module__", "").split(".")[0] not in ("numpy", "torch", "jax")


def assume(relation: Relation) -> None:
    take = assuming.get()
    if take is not None:
        take(relation)


def joining() -> list[Callable[..., Any]]:
    """The functions that know of lists with an item for each iteration, as they are called now."""
    import numpy as np

    from .iterators import symbolic_len, symbolic_sum

    known: list[Callable[..., Any]] = [symbolic_len, symbolic_sum, np.stack, np.concatenate, np.vstack, np.hstack]
    known += [np.array, np.asarray]
    torch, jnp = sys.modules.get("torch"), sys.modules.get("jax.numpy")
    if torch is not None:
        known += [torch.stack, torch.cat, torch.concat, torch.nn.ModuleList, torch.nn.Sequential]
    if jnp is not None:
        known += [jnp.stack, jnp.concatenate]
    return known
