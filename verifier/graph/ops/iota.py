"""0, 1, 2, ...: the places along an axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...dims import Size
from ...terms import Term, as_term
from ..node import Node, Shape
from ..primitive import Meaning, Primitive, plain


@dataclass(frozen=True)
class Iota(Primitive):
    """The array [0, 1, ..., size - 1]; starts, steps and two-axis patterns are arithmetic on it."""

    size: Size
    title: ClassVar[str] = "iota"

    def shape(self, *inputs: Shape) -> Shape:
        return (self.size,)

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        return as_term(index[0])

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        return np.arange(*plain((self.size,)))
