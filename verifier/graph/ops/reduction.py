"""Folding axes away: sum, product, maximum, minimum, any, all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...terms import Term
from ...terms.fold import fold
from ..node import Node, Shape, require
from ..primitive import Cost, Meaning, Primitive, elements, is_floating
from .elementwise import truth


@dataclass(frozen=True)
class Reduction(Primitive):
    """One element for all along the given axes, which vanish from the shape (keepdims is a reshape).

    Cost: one operation an element folded in, as a multiply-add counts its addition. A maximum or minimum of no
    elements does not exist; a sum of none is 0.
    """

    kind: str
    axes: tuple[int, ...]
    title: ClassVar[str] = "reduction"

    def shape(self, *inputs: Shape) -> Shape:
        (mine,) = inputs
        if self.kind in ("max", "min"):
            for axis in self.axes:
                require(mine[axis] != 0, f"{self.kind} over axis {axis} needs an element")
        return tuple(size for axis, size in enumerate(mine) if axis not in self.axes)

    def cost(self, node: Node) -> Cost:
        (array,) = node.inputs
        return Cost(other=elements(array.shape)) if is_floating(array) else Cost()

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        (array,) = node.inputs
        rest = iter(index)
        full: list[object] = []
        binders: list[tuple[str, object]] = []
        for axis, size in enumerate(array.shape):
            if axis in self.axes:
                bound = meaning.index(size)
                binders.append((str(bound), size))
                full.append(bound)
            else:
                full.append(next(rest))
        body = meaning.element(array, tuple(full))  # pyright: ignore[reportArgumentType]
        if self.kind in ("any", "all"):
            body = truth(body, array.dtype)
        return fold(self.kind, tuple(binders), body, meaning.ranges)  # pyright: ignore[reportArgumentType]

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        return RUN[self.kind](arrays[0], axis=self.axes)


RUN: Mapping[str, np.ufunc] = {  # pyright: ignore[reportAssignmentType]
    "sum": np.add.reduce,
    "product": np.multiply.reduce,
    "max": np.maximum.reduce,
    "min": np.minimum.reduce,
    "any": np.logical_or.reduce,
    "all": np.logical_and.reduce,
}
