"""Elements picked along an axis by an array of places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...terms import Term, as_term, function
from ...terms.fold import sum_over
from ...terms.ranges import surely_within
from ...terms.term import multiply
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
        before, inner, after = index[: self.axis], index[self.axis : self.axis + rank], index[self.axis + rank :]
        place, size = meaning.element(places, inner), array.shape[self.axis]
        known = place.size
        if known is not None:
            for from_start in (known, known + size):  # a negative place counts from the end
                if surely_within(from_start, size, meaning.ranges):
                    return meaning.element(array, (*before, from_start, *after))
        if places.dtype.kind != "u":
            place = function("remainder", place, as_term(size))
        # The one-hot sum: the only law that a place known by its value alone has.
        each = meaning.index(size)
        chosen = function("==", place, as_term(each))
        body = multiply(chosen, meaning.element(array, (*before, each, *after)))
        return sum_over(((str(each), size),), body, meaning.ranges)

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        return np.take(arrays[0], arrays[1].astype(int), axis=self.axis)
