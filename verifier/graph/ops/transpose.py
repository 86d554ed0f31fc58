"""The axes in another order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...terms import Term
from ..node import Node, Shape
from ..primitive import Meaning, Primitive


@dataclass(frozen=True)
class Transpose(Primitive):
    """Axis i of the result is axis `order[i]` of the input."""

    order: tuple[int, ...]
    title: ClassVar[str] = "transpose"

    def shape(self, *inputs: Shape) -> Shape:
        (mine,) = inputs
        return tuple(mine[axis] for axis in self.order)

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        places = dict(zip(self.order, index, strict=True))
        return meaning.element(node.inputs[0], tuple(places[axis] for axis in range(len(self.order))))

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        return arrays[0].transpose(self.order)
