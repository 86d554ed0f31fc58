"""Modules of as many modules as a size says: the first, and one that stands for every further one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dims import Size, is_dim
from ...errors import NeedsConcreteSize
from ..front_end import is_stand_in
from ..loops.iterators import Counted, Source
from ..loops.running import grown_list
from ..loops.state import changed, outline, same_outline, traces
from ..loops.syntax import NotForAllCounts
from .framework import torch


class Grown(Counted):
    """Modules made alike, in a loop that is run for all counts."""

    count: Size
    _modules: dict[str, Any]

    def source(self) -> Source:
        return self.count, self.at

    def at(self, index: Size) -> Any:
        """The first module, or the one that stands for all others."""
        first, further = self._modules.values()
        return first if type(index) is int and index == 0 else further

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
    module.__class__ = into
    module.count = count
