"""Modules of as many modules as a size says: the first, and one that stands for every further one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any

from ...dims import Size, is_dim
from ...dims.dim import symbols_of
from ...errors import NeedsConcreteSize
from ...terms.ranges import is_index
from ..explorer import is_machinery
from ..front_end import is_stand_in
from ..loops.iterators import Counted, Source
from ..loops.running import Traces, grown_list, session
from ..loops.state import Token, changed, outline, same_outline, traces
from ..loops.syntax import NotForAllCounts
from .framework import torch


@dataclass
class Past:
    """What is known of modules made alike, beside the modules: a loop may ask for them and change nothing."""

    modules: Any
    made: Traces | None = None
    """What the one that stands for all further ones held when it was made; None where it knows its own number."""
    asked: Any = None
    """The place that it stood for last."""


def pasts() -> dict[int, Past]:
    """Those of the path at work."""
    return session[-1].modules


class Grown(Counted):
    """Modules made alike, in a loop that is run for all counts."""

    count: Size

    @property
    def _modules(self) -> dict[str, Any]:
        """The two that there are; the code under test would count them.

        Raises:
            NeedsConcreteSize: it asks.
        """
        if not _is_ours(sys._getframe(1)):  # pyright: ignore[reportPrivateUsage]
            raise NeedsConcreteSize(self.count)
        return vars(self)["_modules"]

    def children(self) -> Any:
        if not _is_ours(sys._getframe(1)):  # pyright: ignore[reportPrivateUsage]
            raise NeedsConcreteSize(self.count)
        return iter(self._modules.values())

    def source(self) -> Source:
        return self.count, self.at

    def at(self, index: Size) -> Any:
        """The first module, or the one that stands for all others.

        Raises:
            NeedsConcreteSize: that one stood for another place before, and the two are not alike.
        """
        first, further = self._modules.values()
        if type(index) is int and index == 0:
            return first
        past = pasts().setdefault(id(self), Past(self))
        if past.made is None and past.asked is not None and not same_outline(past.asked, index):
            raise NeedsConcreteSize(self.count) from NotForAllCounts("modules that are not alike, at two places")
        if past.made is not None and changed(past.made, _held(further), set()):
            raise NeedsConcreteSize(self.count) from NotForAllCounts("one of the modules is changed")
        past.asked = index
        return further

    def __getitem__(self, index: Any) -> Any:
        if not (is_dim(index) or isinstance(index, int)):
            raise NeedsConcreteSize(self.count)
        place = index + self.count if index < 0 else index
        if place < 0 or place >= self.count:
            raise IndexError(f"index {index} is out of range")
        return self.at(0 if place == 0 else place)

    def named_modules(self, *_: Any, **__: Any) -> Any:
        """Parameters and buffers are counted by it, and there are more than two modules' worth."""
        raise NeedsConcreteSize(self.count)

    state_dict = _load_from_state_dict = named_modules

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


class GrownModuleList(Grown, torch.nn.ModuleList):  # pyright: ignore[reportUntypedBaseClass]
    """`nn.ModuleList` of them."""


class GrownSequential(Grown, torch.nn.Sequential):  # pyright: ignore[reportUntypedBaseClass]
    """`nn.Sequential` of them."""

    def forward(self, input: Any) -> Any:
        """One after the other; what is passed on must keep its shape from the second module on."""
        first, further = self._modules.values()
        passed = first(input)
        if self.count == 1:
            return passed
        if not is_stand_in(passed):
            raise NeedsConcreteSize(self.count) from NotForAllCounts("modules in a row pass on more than one tensor")
        try:
            return _any_number_of(further, passed)
        except NotForAllCounts as error:
            raise NeedsConcreteSize(self.count) from error


def _any_number_of(module: Any, passed: Any) -> Any:
    """What comes after one or more of the modules, where each passes on what it takes."""
    before = outline(passed)
    passed.forget()
    held = traces({"module": module}, {})
    result = module(passed)
    if not same_outline(before, outline(result)) or changed(held, traces({"module": module}, {}), set()):
        raise NotForAllCounts("what modules in a row pass on is not of one shape")
    result.forget()
    return result


def growing(original: Callable[..., None]) -> Callable[..., None]:
    """`ModuleList.__init__`, also of a list with a module for each iteration."""

    def init(self: Any, modules: Any = None) -> None:
        grown = grown_list(modules)
        original(self, modules)
        if grown is not None:
            _grow(self, GrownModuleList, grown.count)

    return init


def growing_in_a_row(original: Callable[..., None]) -> Callable[..., None]:
    """`Sequential.__init__`, also of `*[... for _ in range(depth)]`."""

    def init(self: Any, *modules: Any) -> None:
        grown = grown_list(modules)
        original(self, *modules)
        if grown is not None:
            _grow(self, GrownSequential, grown.count)

    return init


def _grow(module: Any, into: type, count: Size) -> None:
    first, *others = module._modules.values()
    known = type(module) in (torch.nn.ModuleList, torch.nn.Sequential)
    if not known or len(others) != 1 or type(first) is not type(others[0]):
        raise NeedsConcreteSize(count) from NotForAllCounts("modules of different classes")
    further = others[0]
    module.__class__ = into
    module.count = count
    past = pasts()[id(module)] = Past(module)
    with suppress(NotForAllCounts):
        held = _held(further)
        past.made = None if any(_knows_its_number(v) for v, _ in held.values()) else held


def _held(module: Any) -> Traces:
    """What can be reached from a module; of tensors their shapes alone."""
    return {i: (v, _token(v, t)) for i, (v, t) in traces({"module": module}, {}).items()}


def _token(value: Any, token: Token) -> Token:
    if is_stand_in(value):
        return (str(tuple(value.shape)), str(value.dtype))
    if isinstance(value, torch.nn.Module):  # `eval()` is for all of them, and no shape depends on it
        return tuple(part for part in token if part[0] != "training")
    return token


def _knows_its_number(value: Any) -> bool:
    sizes: tuple[Any, ...] = value.shape if is_stand_in(value) else (value,)
    return any(is_dim(s) and any(map(is_index, symbols_of(s))) for s in sizes)


def _is_ours(frame: FrameType) -> bool:
    return is_machinery(frame.f_code.co_filename)
