"""An array with a rectangular part of it replaced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...terms import Call, Term, as_term
from ..node import Node, Shape, require
from ..primitive import Meaning, Primitive


@dataclass(frozen=True)
class Update(Primitive):
    """The first input where the part is not, the second where it is; the part is written as in `Slice`.

    `a[1:, ::2] = v` leaves an array of a's shape; v has the shape of the part.
    """

    start: Shape
    extent: Shape
    step: tuple[int, ...]
    title: ClassVar[str] = "assignment"

    def shape(self, *inputs: Shape) -> Shape:
        array, part = inputs
        require(len(part) == len(array) == len(self.extent), "assigning to a part of another rank")
        for axis, (size, wanted) in enumerate(zip(part, self.extent, strict=True)):
            require(size == wanted, f"assigning to axis {axis}")
        return array

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        array, part = node.inputs
        if all(type(s) is int and s == 0 for s in self.start) and all(
            str(e) == str(s) and k == 1 for e, s, k in zip(self.extent, array.shape, self.step, strict=True)
        ):
            return meaning.element(part, index)
        return Term({((Call(f"update#{node.serial}", tuple(as_term(i) for i in index)), 1),): 1})

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        result = arrays[0].copy()
        places = [
            int(s) + np.arange(int(n)) * step for s, n, step in zip(self.start, self.extent, self.step, strict=True)
        ]
        result[np.ix_(*places)] = arrays[1]
        return result
