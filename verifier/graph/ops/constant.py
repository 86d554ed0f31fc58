"""A number, a size or a term as an array without axes."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np

from ...dims import is_dim
from ...terms import Entry, Term, as_term
from ..node import Node, Shape
from ..primitive import Meaning, Primitive


@dataclass(frozen=True)
class Constant(Primitive):
    """A value that no input takes part in; a real array keeps its own shape and its elements stay opaque."""

    value: Any
    title: ClassVar[str] = "constant"

    def shape(self, *inputs: Shape) -> Shape:
        return self.value.shape if isinstance(self.value, np.ndarray) and type(self.value) is np.ndarray else ()

    @property
    def name(self) -> str:
        """What its entries are called: the same for the same content, and no argument's name."""
        content = np.ascontiguousarray(self.value)
        digest = sha256(f"{content.dtype}{content.shape}".encode() + content.tobytes()).hexdigest()
        return f"constant#{digest[:16]}"

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        if type(self.value) is np.ndarray:
            if all(type(i) is int for i in index):
                return as_term(self.value[index].item())
            first = self.value.flat[0].item() if self.value.size else 0
            if np.all(self.value == first):
                return as_term(first)
            return Term({((Entry(self.name, index), 1),): 1})
        return as_term(self.value)

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        value = self.value
        if type(value) is Term or is_dim(value):
            raise TypeError(f"the constant {value} needs sizes")
        return np.asarray(value)
