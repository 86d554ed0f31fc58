"""An argument of the function under test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...terms import Entry, Term
from ..node import Node, Shape
from ..primitive import Meaning, Primitive


@dataclass(frozen=True)
class Input(Primitive):
    """An array from outside, by name and declared shape: its elements are what every meaning is made of."""

    name: str
    extent: Shape
    title: ClassVar[str] = "input"

    def shape(self, *inputs: Shape) -> Shape:
        return self.extent

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        return Term({((Entry(self.name, index), 1),): 1})

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        raise TypeError(f"the input {self.name} has no value of its own")
