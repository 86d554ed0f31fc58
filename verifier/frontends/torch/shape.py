"""Shapes of stand-ins, which pass for `torch.Size`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...dims import Size, is_dim
from ...graph.primitive import elements
from .framework import torch

SIZE = torch.Size
"""PyTorch's own, which is replaced for the length of a run."""


class SymbolicShape(tuple[Any, ...]):
    """Passes for a `torch.Size`."""

    __slots__ = ()

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
        return SIZE

    def numel(self) -> Size:
        return elements(tuple(self))

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        return SymbolicShape(part) if isinstance(key, slice) else part

    def __add__(self, other: Any) -> SymbolicShape:
        return SymbolicShape((*self, *other))

    def __radd__(self, other: Any) -> SymbolicShape:
        return SymbolicShape((*other, *self))


class _ShapeType(type):
    """`isinstance(x, torch.Size)` is answered for shapes of numbers and of sizes."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, SIZE)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, SIZE)


class ShapeOfSizes(metaclass=_ShapeType):
    """`torch.Size(...)` inside a run."""

    def __new__(cls, sizes: Iterable[Any] = ()) -> Any:
        made = tuple(sizes)
        return SymbolicShape(made) if any(map(is_dim, made)) else SIZE(made)
