"""`nn.ModuleList` of as many modules as a size says: the first, and one that stands for every further one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dims import Size, is_dim
from ...errors import NeedsConcreteSize
from ..loops.iterators import Counted, Source
from ..loops.running import count_of
from .framework import torch


class GrownModuleList(Counted, torch.nn.ModuleList):  # pyright: ignore[reportUntypedBaseClass]
    """A list of modules made alike, in a loop that is run for all counts."""

    count: Size

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


def growing(original: Callable[..., None]) -> Callable[..., None]:
    """`ModuleList.__init__`, also of a list with a module for each iteration."""

    def init(self: Any, modules: Any = None) -> None:
        count = count_of(modules)
        original(self, modules)
        if count is not None:
            first, further = modules
            if type(first) is not type(further):
                raise NeedsConcreteSize(count)
            self.__class__ = GrownModuleList
            self.count = count

    return init
