"""The same elements in row-major order under another shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...dims import identical
from ...terms import Term
from ...terms.ranges import flatten, unflatten
from ..node import Node, Shape, require
from ..primitive import Meaning, Primitive, elements


@dataclass(frozen=True)
class Reshape(Primitive):
    """Splitting and merging of axes; the number of elements must not change."""

    extent: Shape
    title: ClassVar[str] = "reshape"

    def shape(self, *inputs: Shape) -> Shape:
        (mine,) = inputs
        require(
            elements(mine) == elements(self.extent),
            f"reshaping [{', '.join(map(str, mine))}] to [{', '.join(map(str, self.extent))}]",
        )
        return self.extent

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        (array,) = node.inputs
        # Axes that both shapes begin with are untouched: only the rest is flattened.
        kept = 0
        while kept < min(len(array.shape), len(self.extent)) and identical(array.shape[kept], self.extent[kept]):
            kept += 1
        flat = flatten(index[kept:], self.extent[kept:])
        return meaning.element(array, (*index[:kept], *unflatten(flat, array.shape[kept:], meaning.ranges)))

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        return arrays[0].reshape(self.extent)
