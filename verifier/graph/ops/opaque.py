"""A function whose values the meaning does not look into: sorting, factorisations, random numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...terms import Call, Term, as_term
from ..node import Node, Shape
from ..primitive import Meaning, Primitive


@dataclass(frozen=True)
class Opaque(Primitive):
    """A result of that shape, of which each element may depend on all inputs.

    `origin` says for each axis of the result which axis of the first input it goes along, or None. Two
    applications are equal only where they are one node: random numbers are drawn once.
    """

    name: str
    extent: Shape
    origin: tuple[int | None, ...]
    title: ClassVar[str] = "opaque"

    def shape(self, *inputs: Shape) -> Shape:
        return self.extent

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        return Term({((Call(f"{self.name}#{node.serial}", tuple(as_term(i) for i in index)), 1),): 1})

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        function = getattr(np, self.name, None)
        if function is None:
            raise TypeError(f"{self.name} has no evaluation of its own")
        return function(*arrays)
