"""Two axes that run in step: whether they are one thing in one order.

Law: nothing is said where nothing decides. Factors are compared where both axes say what they are made of; a plain
axis of heads that meets copies of fewer heads has the order that is in print everywhere, head i with key head i // r.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..graph.node import Node
from ..graph.ops import Elementwise
from .patterns import is_hiding, scalar
from .provenance import Axis, show

if TYPE_CHECKING:
    from .axes import AxesReading

IN_STEP = "kept in step"
"""How the axes of a contraction meet that its result keeps."""


def meet(reading: AxesReading, node: Node, left: Axis, right: Axis, how: str) -> Axis:
    """The axis of two that run in step; an oddity where they are in different order."""
    if not left or not right:
        return left or right
    why = reading.sizes.conflict(left, right)
    if why == "order":
        reading.odd(
            "ATT031",
            f"{show(left)} and {show(right)} are {how}: one size, but the factors are in another order",
            node,
            f"bring both into the order {show(left)}",
        )
    elif why == "pieces":
        pieces = [" then ".join(map(show, f.pieces)) for f in (left[0], right[0])]
        reading.odd(
            "ATT034",
            f"{pieces[0]} and {pieces[1]} are {how}: one size, but the pieces are in another order",
            node,
            "concatenate both in one order",
        )
    elif why == "tiled":
        tiled_meets(reading, node, left, right, how)
    return better(left, right)


def tiled_meets(reading: AxesReading, node: Node, left: Axis, right: Axis, how: str) -> None:
    axis, tiled = (right, left) if left[0].kind in ("repeat", "cycle") else (left, right)
    # Tables of counted places, such as rotary angles, have their order; and what is added to a plain axis of tokens
    # may well be periodic along it: one table of places for every frame.
    if not any(f.origins for f in tiled) or (len(axis) == 1 and how != IN_STEP and not masks(node)):
        return
    each = show(tiled[0].pieces[0]) if tiled[0].kind == "cycle" else str(tiled[1])
    reading.odd(
        "ATT032",
        f"{show(axis)} meets {show(tiled)}, whose copies come first: "
        f"place i meets place i % {each}, and neighbours have none in common",
        node,
        "repeat each one in place (np.repeat), not the whole (np.tile)",
    )


def masks(node: Node) -> bool:
    """Whether an operation combines what hides scores: such an axis is a batch of scores, and no axis of tokens."""
    hidden = [
        n for n in (node, *map(scalar, node.inputs)) if isinstance(n.op, Elementwise) and n.op.function == "select"
    ]
    return node.dtype.kind == "b" or any(is_hiding(n) for s in hidden for n in s.inputs[1:])


def better(left: Axis, right: Axis) -> Axis:
    """Of two axes in step the one that says more."""

    def worth(axis: Axis) -> tuple[bool, bool, int]:
        flagged = any(f.normalised or f.standardised for f in axis)
        return (all(f.kind not in ("repeat", "mixed") for f in axis), flagged, sum(bool(f.origins) for f in axis))

    return right if worth(right) > worth(left) else left
