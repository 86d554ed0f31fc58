"""An argument of the function under test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...dims import lookup
from ...terms import Entry, Term, as_term
from ..node import Node, Shape
from ..primitive import Meaning, Primitive


@dataclass(frozen=True)
class Input(Primitive):
    """An array from outside, by name and declared shape: its elements are what every meaning is made of.

    An array that permutes its own places says so: a sum over its places is then a sum over all places.
    """

    name: str
    extent: Shape
    permutes: bool = False
    title: ClassVar[str] = "input"

    def shape(self, *inputs: Shape) -> Shape:
        return self.extent

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        if self.permutes:
            return as_term(lookup(self.name, index, self.extent[0]))
        return Term({((Entry(self.name, index), 1),): 1})

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        raise TypeError(f"the input {self.name} has no value of its own")
