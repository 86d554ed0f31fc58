"""F.pad: constants at any axis, or an axis continued by what it holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dims import Size
from ...graph.node import require
from ...graph.ops import Opaque
from ..numpy.functions import dispatch
from ..numpy.lower import record
from .framework import torch
from .joining import part
from .shaping import size_of
from .table import arr, as_tensor, implements, out
from .tensor import SymbolicTensor

CONTINUED = ("reflect", "replicate", "circular")
RANKS = {2: (2, 3), 4: (3, 4), 6: (4, 5)}
"""For so many widths, how many axes a tensor that is continued has: the padded ones, channels, maybe a batch."""


@implements("pad")
def _pad(input: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    """Widths in pairs from the last axis backwards; negative ones cut."""
    tensor = as_tensor(input)
    widths = list(map(size_of, pad))
    if len(widths) % 2 or len(widths) > 2 * tensor.ndim:
        raise RuntimeError(
            f"Padding length must be divisible by 2 and at most twice the number of dimensions, got {len(widths)}"
        )
    if mode != "constant":
        _can_continue(tensor, widths, mode, value)
        return _continued(tensor, widths)
    for number in range(len(widths) // 2):
        axis = tensor.ndim - 1 - number
        for place, width in ((0, widths[2 * number]), (1, widths[2 * number + 1])):
            if not width >= 0:
                size = tensor.shape[axis]
                require(size + width >= 0, f"cutting {width} places off axis {axis} of size {size}")
                tensor = part(tensor, axis, -width if place == 0 else 0, size + width)
                widths[2 * number + place] = 0
    pairs: list[Any] = [(0, 0)] * tensor.ndim
    for number in range(len(widths) // 2):
        pairs[tensor.ndim - 1 - number] = (widths[2 * number], widths[2 * number + 1])
    options = {"constant_values": 0 if value is None else value}
    return out(dispatch(np.pad, (arr(tensor), pairs), options), tensor.dtype)


def _continued(tensor: SymbolicTensor, widths: list[Size]) -> Any:
    """The values of an axis that is continued are not followed."""
    shape = list(tensor.shape)
    for number in range(len(widths) // 2):
        shape[tensor.ndim - 1 - number] += widths[2 * number] + widths[2 * number + 1]
    array = arr(tensor)
    return out(record(Opaque("pad", tuple(shape), (None,) * tensor.ndim), array.node, dtype=array.dtype), tensor.dtype)


def _can_continue(tensor: SymbolicTensor, widths: list[Size], mode: str, value: Any) -> None:
    """A mirror shows less than the whole axis, a circle goes around once; the edge repeats as often as one likes."""
    rank = tensor.ndim
    if mode not in CONTINUED:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if rank not in RANKS.get(len(widths), ()):
        raise NotImplementedError(
            f"Padding size {len(widths)} is not supported for {rank}D input tensor: mode {mode!r} pads the last axis "
            "of 2 or 3, the last two of 3 or 4, the last three of 4 or 5"
        )
    if mode != "circular":
        if tensor.dtype is torch.bool:
            raise NotImplementedError(f"F.pad with mode {mode!r} is not implemented for torch.bool")
        batched = rank == len(widths) // 2 + 2
        for axis in range(1 if batched else 0, rank):
            require(tensor.shape[axis] != 0, f"padding by {mode}: axis {axis} needs an element")
    for number in range(len(widths) // 2):
        axis = rank - 1 - number
        size, before, after = tensor.shape[axis], widths[2 * number], widths[2 * number + 1]
        for width in (before, after):
            if mode == "reflect":
                require(width < size, f"padding axis {axis} of size {size} by reflecting {width} of it")
            elif mode == "circular":
                require(width <= size, f"padding axis {axis} of size {size} by {width} more of it, around the circle")
        if mode != "circular":
            require(
                size + before + after >= 1, f"padding axis {axis} of size {size} by {before} and {after} leaves nothing"
            )
