"""Sums of products over shared axes: matmul, dot, einsum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...dims import Size
from ...terms import Term, one
from ...terms.fold import fold, sum_over
from ...terms.term import multiply
from ..node import Node, Shape, require
from ..primitive import Cost, Meaning, Primitive, is_floating


@dataclass(frozen=True)
class Contraction(Primitive):
    """An einsum: one tuple of labels an operand, and the labels that stay.

    A label that does not stay is summed over. Equal labels need equal sizes. Cost: two operations for each
    combination of the labels' values and each operand after the first; without a summed label it is a product,
    one operation an element, and no matrix product. One operand alone is added up, or rearranged for nothing.
    """

    operands: tuple[tuple[str, ...], ...]
    result: tuple[str, ...]
    title: ClassVar[str] = "contraction"

    def shape(self, *inputs: Shape) -> Shape:
        sizes = self._sizes(inputs)
        return tuple(sizes[label] for label in self.result)

    def _sizes(self, inputs: tuple[Shape, ...], check: bool = True) -> dict[str, Size]:
        sizes: dict[str, Size] = {}
        first: dict[str, tuple[int, int]] = {}
        for number, (labels, shape) in enumerate(zip(self.operands, inputs, strict=True)):
            for axis, (label, size) in enumerate(zip(labels, shape, strict=True)):
                if label in sizes:
                    if check:
                        array, other = first[label]
                        require(
                            sizes[label] == size,
                            f"axis {other} of {_show(inputs[array])} against axis {axis} of {_show(shape)}",
                            (inputs[array], shape),
                        )
                else:
                    sizes[label], first[label] = size, (number, axis)
        return sizes

    def cost(self, node: Node) -> Cost:
        sizes = self._sizes(tuple(n.shape for n in node.inputs), check=False)
        work: Size = 1
        for size in sizes.values():
            work = work * size
        steps = len(self.operands) - 1
        if not any(map(is_floating, node.inputs)):
            return Cost()
        if set(sizes) == set(self.result):
            return Cost(other=work * steps)
        return Cost(matmul=2 * work * steps) if steps else Cost(other=work)

    def element(self, node: Node, index: Shape, meaning: Meaning) -> Term:
        sizes = self._sizes(tuple(n.shape for n in node.inputs), check=False)
        places: dict[str, Size] = dict(zip(self.result, index, strict=True))
        binders: list[tuple[str, Size]] = []
        for label, size in sizes.items():
            if label not in places:
                places[label] = meaning.index(size)
                binders.append((str(places[label]), size))
        product = one
        for labels, array in zip(self.operands, node.inputs, strict=True):
            product = multiply(product, meaning.element(array, tuple(places[label] for label in labels)))
        if node.dtype == np.bool_ and binders:  # of truth values: whether some combination is true throughout
            return fold("any", tuple(binders), product, meaning.ranges)
        return sum_over(tuple(binders), product, meaning.ranges)

    def run(self, *arrays: np.ndarray) -> np.ndarray:
        letters = {label: i for i, label in enumerate(dict.fromkeys(s for labels in self.operands for s in labels))}
        mixed: list[object] = []
        for labels, array in zip(self.operands, arrays, strict=True):
            mixed += [array, [letters[s] for s in labels]]
        return np.einsum(*mixed, [letters[s] for s in self.result])  # pyright: ignore[reportArgumentType, reportCallIssue]


def _show(shape: Shape) -> str:
    return f"[{', '.join(map(str, shape))}]"
