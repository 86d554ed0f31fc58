"""Normalisations: the axis along which values sum to one or have one spread, and what is done with them after.

Law: weights are summed over the axis along which they sum to one. The statistics of one normalisation are of one array
over the same axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..graph.node import Node
from ..graph.ops import Broadcast, Elementwise, Reduction, Reshape
from . import masks, scaling, weights
from .patterns import plain
from .provenance import Axis, is_one, show
from .statistics import centred_by, variance

if TYPE_CHECKING:
    from .axes import AxesReading


def divided(reading: AxesReading, node: Node, axes: list[Axis]) -> None:
    assert isinstance(node.op, Elementwise)
    over = reading.patterns.normalised_over(node) if node.op.function != "multiply" else None
    if over is not None:
        weights.mark(reading, node, axes, over)
        masks.hides_nothing(reading, node, over)
        shifted(reading, node.inputs[0], over)
        scaling.judge(reading, node)
        return
    standardised(reading, node)
    spread = reading.patterns.standardised_over(node)
    if spread is not None:
        for place in spread:
            axes[place] = tuple(replace(f, standardised=True) for f in axes[place])


def logarithm(reading: AxesReading, node: Node) -> None:
    """log of a sum of exponentials: the shift inside must not vary along the sum."""
    total = plain(node.inputs[0])
    total = plain(total.inputs[0]) if isinstance(total.op, Reshape) else total
    if isinstance(total.op, Reduction) and total.op.kind == "sum":
        shifted(reading, total.inputs[0], total.op.axes)


def shifted(reading: AxesReading, exponential: Node, over: Sequence[int]) -> None:
    """A softmax ignores what is taken off a whole row; a maximum along another axis differs within the row."""
    exponential = plain(exponential)
    if not (isinstance(exponential.op, Elementwise) and exponential.op.function == "exp"):
        return
    scores = plain(exponential.inputs[0])
    taken = centred_by(scores)
    if taken is None or taken.kind != "max" or not reading.patterns.same(taken.of, plain(scores.inputs[0])):
        return
    within = [i for i in over if i not in taken.axes and not is_one(scores.shape[i])]
    if within and taken.true_axes:
        mine = reading.of(scores)
        along, row = (", ".join(show(mine[i]) for i in sorted(s)) for s in (taken.true_axes, within))
        reading.odd(
            "ATT040",
            f"the maximum is taken along {along} and the sum along {row}: it varies along {row}, so that taking it off "
            f"changes the weights",
            scores,
            f"take both along {row}, or both along {along}: whichever the weights are to sum to one along",
        )


def standardised(reading: AxesReading, node: Node) -> None:
    """(x - mean) / root of variance, where the two are of different arrays or along different axes."""
    assert isinstance(node.op, Elementwise)
    ways = [node.inputs] if node.op.function != "multiply" else [node.inputs, node.inputs[::-1]]
    same = reading.patterns.same
    for top, bottom in ways:
        centre, spread = centred_by(top), variance(reading.patterns, bottom)
        if centre is None or spread is None or centre.kind != "mean":
            continue
        array = plain(plain(top).inputs[0])
        ones = [same(array, s.of) for s in (centre, spread)]
        apart = not centre.true_axes & spread.true_axes and centre.true_axes and spread.true_axes
        if not same(centre.of, spread.of) and any(ones):
            mine, other = ("mean", "variance") if ones[0] else ("variance", "mean")
            text = f"the {mine} is that of the array that is normalised, the {other} that of another one"
            fix = "take both from one array"
        elif all(ones) and apart:
            axes = reading.of(array)
            along = [", ".join(show(axes[i]) for i in sorted(s.true_axes)) for s in (centre, spread)]
            text = f"the mean is along {along[0]}, the variance along {along[1]}"
            fix = "take both along one axis"
        else:
            continue
        reading.odd("ATT040", text, node, fix)
        return


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
