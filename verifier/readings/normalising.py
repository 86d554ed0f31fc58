"""Normalisations: the axis along which values sum to one or have one spread, and what is done with them after.

Law: weights are summed over the axis along which they sum to one. The statistics of one normalisation are of one array
over the same axes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..graph.node import Node
from ..graph.ops import Broadcast, Elementwise
from . import masks, weights
from .provenance import Axis, show

if TYPE_CHECKING:
    from .axes import AxesReading


def divided(reading: AxesReading, node: Node, axes: list[Axis]) -> None:
    assert isinstance(node.op, Elementwise)
    over = reading.patterns.normalised_over(node) if node.op.function != "multiply" else None
    if over is not None:
        weights.mark(node, axes, over)
        masks.hides_nothing(reading, node, over)
        return
    spread = reading.patterns.standardised_over(node)
    if spread is not None:
        for place in spread:
            axes[place] = tuple(replace(f, standardised=True) for f in axes[place])


def gain(reading: AxesReading, node: Node, axes: list[Axis]) -> None:
    """A learned vector for one axis after a normalisation along another."""
    places = {i for i, a in enumerate(axes) if any(f.standardised for f in a)}
    exempt = any(word in reading.name.lower() for word in ("batch", "instance", "group", "channel"))
    for operand in node.inputs:
        vector = operand.inputs[0] if isinstance(operand.op, Broadcast) else operand
        source = reading.patterns.vector_input(vector)
        if source is None or not places or exempt:
            continue
        last = len(axes) - 1
        standardised_first = 0 in places and "layer" not in reading.name.lower()
        if last not in places and axes[last] and not standardised_first:
            along = ", ".join(show(axes[i]) for i in sorted(places))
            reading.odd(
                "ATT033",
                f"the values were normalised along {along}, and {source} "
                f"scales or shifts them along {show(axes[last])}",
                node,
                f"normalise along {show(axes[last])}",
            )
            return
