"""A number, a size or a term as an array without axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...dims import is_dim
from ...terms import Call, Term, as_term
from ..node import Node, Shape
from ..primitive import Meaning, Primitive


@dataclass(frozen=True)
class Constant(Primitive):
    """A value that no input takes part in; a real array keeps its own shape and its elements stay opaque."""

    value: Any
    title: ClassVar[str] = "constant"

    def shape(self, *inputs: Shape) -> Shape:
        return self.value.shape if isinstance(self.value, np.ndarray) and type(self.value) is np.ndarray else ()

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        if type(self.value) is np.ndarray:
            if all(type(i) is int for i in index):
                return as_term(self.value[index].item())
            first = self.value.flat[0].item() if self.value.size else 0
            if np.all(self.value == first):
                return as_term(first)
            name = f"constant#{id(self.value):x}"
            return Term({((Call(name, tuple(as_term(i) for i in index)), 1),): 1})
        return as_term(self.value)

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        value = self.value
        if type(value) is Term or is_dim(value):
            raise TypeError(f"the constant {value} needs sizes")
        return np.asarray(value)
