"""Repeating an array along new axes and along axes of one element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...terms import Term
from ..node import Node, Shape, require
from ..primitive import Meaning, Primitive, plain


@dataclass(frozen=True)
class Broadcast(Primitive):
    """An array seen with a larger shape: axes align at the right, `stretched` says which of them repeat.

    Which axes stretch was decided when the broadcast was recorded, so meaning and cost need not ask again.
    """

    extent: Shape
    stretched: tuple[bool, ...]
    title: ClassVar[str] = "broadcast"

    def shape(self, *inputs: Shape) -> Shape:
        (mine,) = inputs
        for size, target, repeats in zip(
            mine, self.extent[len(self.extent) - len(mine) :], self.stretched, strict=True
        ):
            require(size == (1 if repeats else target), f"broadcasting {_show(mine)} to {_show(self.extent)}")
        return self.extent

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        (array,) = node.inputs
        kept = index[len(index) - len(array.shape) :]
        return meaning.element(array, tuple(0 if s else i for i, s in zip(kept, self.stretched, strict=True)))

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        return np.broadcast_to(arrays[0], plain(self.extent))


def _show(shape: Shape) -> str:
    return f"[{', '.join(map(str, shape))}]"
