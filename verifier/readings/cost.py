"""What a kernel costs, counted off its graph, and the parameters that it learns, read off its annotations."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from ..dims import Size
from ..graph.node import Node
from ..graph.primitive import Cost, elements
from .trace import Trace, trace


def cost_of(traced: Trace, outputs: tuple[Node, ...] | None = None) -> Cost:
    """FLOPs of everything that the outputs depend on; each node counts once.

    Units: floating-point operations, a multiply-add is 2.
    """
    total = Cost()
    for node in traced.graph.reaching(outputs or traced.outputs):
        total = total + node.op.cost(node)
    return total


def parameters_of(function: Callable[..., Any], only: Collection[str] = ()) -> dict[str, Size]:
    """Elements of each learned argument that the kernel demands, or of those named.

    Units: parameters.

    >>> from verifier.kernels import multi_head_attention
    >>> parameters_of(multi_head_attention)["W_O"]
    h*d_model*d_v
    """
    traced = trace(function)
    chosen = only or [a.name for a in traced.arguments if a.is_parameter and not a.optional]
    return {name: elements(traced.input(name).shape) for name in chosen}
