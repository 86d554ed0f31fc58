"""Every step-th element from a start, along each axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...terms import Term
from ..node import Node, Shape, require
from ..primitive import Meaning, Primitive, plain


@dataclass(frozen=True)
class Slice(Primitive):
    """`extent` elements an axis from `start` with `step`; all must lie inside (a front end clamps first)."""

    start: Shape
    extent: Shape
    step: tuple[int, ...]
    title: ClassVar[str] = "slice"

    def shape(self, *inputs: Shape) -> Shape:
        (mine,) = inputs
        require(len(mine) == len(self.extent), "slicing an array of another rank")
        return self.extent

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        places = (s + i * step for s, i, step in zip(self.start, index, self.step, strict=True))
        return meaning.element(node.inputs[0], tuple(places))

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        places = [
            s + np.arange(n) * step for s, n, step in zip(plain(self.start), plain(self.extent), self.step, strict=True)
        ]
        return arrays[0][np.ix_(*places)] if places else arrays[0]
