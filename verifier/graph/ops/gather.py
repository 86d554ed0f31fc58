"""Elements picked along an axis by an array of places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...terms import Call, Term, as_term
from ..node import Node, Shape
from ..primitive import Meaning, Primitive


@dataclass(frozen=True)
class Gather(Primitive):
    """`take(array, places, axis)`: the places' axes stand where the axis stood.

    That places lie inside the axis depends on values, not on sizes: no obligation here can say it.
    """

    axis: int
    title: ClassVar[str] = "gather"

    def shape(self, *inputs: Shape) -> Shape:
        array, places = inputs
        return (*array[: self.axis], *places, *array[self.axis + 1 :])

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        array, places = node.inputs
        rank = len(places.shape)
        inner = index[self.axis : self.axis + rank]
        place = meaning.element(places, inner)
        if place.size is not None:
            return meaning.element(array, (*index[: self.axis], place.size, *index[self.axis + rank :]))
        rest = (as_term(i) for i in (*index[: self.axis], *index[self.axis + rank :]))
        return Term({((Call(f"take#{id(array):x}", (place, *rest)), 1),): 1})

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        return np.take(arrays[0], arrays[1].astype(int), axis=self.axis)
