"""Arrays one after the other along an axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...dims import Relation, Size
from ...terms import Term, zero
from ...terms.fold import decided
from ...terms.term import multiply
from ..node import Node, Shape, require
from ..primitive import Meaning, Primitive


@dataclass(frozen=True)
class Concatenate(Primitive):
    """All other axes must agree; the axis has the sum of the sizes."""

    axis: int
    title: ClassVar[str] = "concatenate"

    def shape(self, *inputs: Shape) -> Shape:
        first = inputs[0]
        total: Size = 0
        for shape in inputs:
            require(len(shape) == len(first), "concatenating arrays of different rank")
            for axis, (a, b) in enumerate(zip(first, shape, strict=True)):
                if axis != self.axis:
                    require(
                        a == b, f"concatenating along axis {self.axis}, axis {axis} must agree", joined=(first, shape)
                    )
            total = total + shape[self.axis]
        return (*first[: self.axis], total, *first[self.axis + 1 :])

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        total = zero
        start: Size = 0
        place = index[self.axis]
        for array in node.inputs:
            stop = start + array.shape[self.axis]
            inside = multiply(
                decided(Relation("<", start - 1, place), meaning.ranges),
                decided(Relation("<", place, stop), meaning.ranges),
            )
            if inside.terms:
                shifted = (*index[: self.axis], place - start, *index[self.axis + 1 :])
                total = total + multiply(inside, meaning.element(array, shifted))
            start = stop
        return total

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        return np.concatenate(arrays, axis=self.axis)
