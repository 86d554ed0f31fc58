"""A graph carried out on real arrays, node by node: what was recorded is what the code does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..dims.dim import evaluate
from ..terms import Term
from ..terms.evaluate import evaluate as evaluate_term
from .node import Node
from .ops import Constant, Input


def run_nodes(outputs: Sequence[Node], sizes: Mapping[str, int], inputs: Mapping[str, Any]) -> list[np.ndarray]:
    """The arrays that the nodes stand for where sizes and inputs have these values.

    Raises:
        KeyError: an input without an array.
        ArithmeticError: an array whose shape is not the one that was recorded.
    """
    done: dict[int, np.ndarray] = {}
    for output in outputs:
        _run(output, sizes, inputs, done)
    return [done[id(output)] for output in outputs]


def _run(node: Node, sizes: Mapping[str, int], inputs: Mapping[str, Any], done: dict[int, np.ndarray]) -> None:
    if id(node) in done:
        return
    for other in node.inputs:
        _run(other, sizes, inputs, done)
    if isinstance(node.op, Input):
        result = np.asarray(inputs[node.op.name])
    elif isinstance(node.op, Constant) and type(node.op.value) is Term:
        result = np.asarray(evaluate_term(node.op.value, sizes, {n: np.asarray(v) for n, v in inputs.items()}))
    else:
        result = np.asarray(node.op.at(sizes).run(*(done[id(n)] for n in node.inputs)))
    shape = tuple(evaluate(s, sizes) for s in node.shape)
    if result.shape != shape:
        raise ArithmeticError(f"{node.name} was recorded as {shape} and is {result.shape}")
    done[id(node)] = result.astype(node.dtype, copy=False)
