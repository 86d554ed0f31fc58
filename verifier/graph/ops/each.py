"""What a loop makes in each of its iterations, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...dims import Size
from ...terms import Term
from ...terms.fold import substitute
from ..node import Node, Shape
from ..primitive import Meaning, Primitive


@dataclass(frozen=True)
class Each(Primitive):
    """The input for every value of an index from 0 to count - 1, along a new axis.

    The input is what one iteration makes, written with a symbol for the number of the iteration. It must not go back
    to an `Opaque` of that iteration, of which nobody knows how it depends on the number.
    """

    index: str
    count: Size
    axis: int
    title: ClassVar[str] = "iterations"

    def shape(self, *inputs: Shape) -> Shape:
        (mine,) = inputs
        return (*mine[: self.axis], self.count, *mine[self.axis :])

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        meaning.ranges[self.index] = self.count  # no other index has this name
        body = meaning.element(node.inputs[0], (*index[: self.axis], *index[self.axis + 1 :]))
        return substitute(body, {self.index: index[self.axis]}, meaning.ranges)

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        raise TypeError("one iteration's array does not say what the others make")
