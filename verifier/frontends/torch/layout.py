"""Strides: which order a tensor's elements have in memory, and whether another shape can look at them as they are.

A layout is `CONTIGUOUS` (each stride is the product of the sizes after it), a tuple of strides, or `UNKNOWN` where
PyTorch's choice depends on the kernel that it picks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...dims import Size, identical
from ...graph.node import Shape
from ...graph.primitive import elements

CONTIGUOUS: Final = "contiguous"
UNKNOWN: Final = "unknown"
Layout = str | tuple[Any, ...]


def contiguous_strides(shape: Shape) -> tuple[Size, ...]:
    return tuple(elements(tuple(shape[i + 1 :])) for i in range(len(shape)))


def strides_of(layout: Layout, shape: Shape) -> tuple[Size, ...] | None:
    """The strides; None where they are not known."""
    if layout == CONTIGUOUS:
        return contiguous_strides(shape)
    return None if isinstance(layout, str) else layout


def tidy(strides: Sequence[Size], shape: Shape) -> Layout:
    """The strides as a layout, recognised where they are those of a contiguous tensor."""
    wanted = contiguous_strides(shape)
    same = all(identical(a, b) or _is_one(s) for a, b, s in zip(strides, wanted, shape, strict=True))
    return CONTIGUOUS if same else tuple(strides)


def _is_one(size: Size) -> bool:
    return type(size) is int and size == 1


def is_contiguous(layout: Layout, shape: Shape) -> bool | None:
    """Whether the elements lie in order; axes of one element may have any stride. None where it is not known."""
    strides = strides_of(layout, shape)
    if strides is None:
        return None
    expected: Size = 1
    for size, stride in zip(reversed(shape), reversed(strides), strict=True):
        if size == 1:
            continue
        if not (identical(stride, expected) or stride == expected):
            return False
        expected = expected * size
    return True


def permuted(layout: Layout, shape: Shape, order: Sequence[int]) -> Layout:
    strides = strides_of(layout, shape)
    if strides is None:
        return UNKNOWN
    return tidy([strides[i] for i in order], tuple(shape[i] for i in order))


def dense_order(layout: Layout, shape: Shape) -> tuple[int, ...] | None:
    """The axes from slow to fast where the tensor is a permuted contiguous one; None where it is not, surely."""
    strides = strides_of(layout, shape)
    if strides is None:
        return None
    left = set(range(len(shape)))
    order: list[int] = []
    expected: Size = 1
    while left:
        found = [i for i in sorted(left, reverse=True) if identical(strides[i], expected)]
        if not found:
            found = [i for i in sorted(left, reverse=True) if _is_one(shape[i])]
        if not found:
            return None
        order.append(found[0])
        left.remove(found[0])
        expected = expected * shape[found[0]]
    return tuple(reversed(order))


def like(layout: Layout, shape: Shape) -> Layout:
    """What `empty_like` and elementwise functions make of it: a dense permutation is kept, all else is packed."""
    if layout == CONTIGUOUS:
        return CONTIGUOUS
    order = dense_order(layout, shape)
    if order is None:
        return UNKNOWN
    strides: list[Size] = [1] * len(shape)
    step: Size = 1
    for axis in reversed(order):
        strides[axis] = step
        step = step * shape[axis]
    return tidy(strides, shape)


class NotAView(RuntimeError):
    """Memory that no strides can show in the wanted shape."""


def viewed(layout: Layout, shape: Shape, target: Shape) -> Layout | None:
    """The layout of `view(target)`; None where it is not known whether there is one.

    The rule is PyTorch's: neighbouring axes that step through memory as one may be cut anew, others may not. Sizes
    that are 1 have no step, so where a view fails the explorer is asked for those.

    Raises:
        NotAView: no strides show the memory in that shape, on this path.
    """
    if layout == CONTIGUOUS:
        return CONTIGUOUS
    strides = strides_of(layout, shape)
    if strides is None:
        return UNKNOWN if _splits(shape, target) else None
    pairs = [(s, t) for s, t in zip(shape, strides, strict=True) if not _is_one(s)]
    found = _fitted(_chunks(pairs), target, sure=True)
    if found is None:
        pairs = [(s, t) for s, t in pairs if not s == 1]
        found = _fitted(_chunks(pairs), target, sure=False)
    if found is None:
        raise NotAView(
            f"view size is not compatible with input tensor's size and stride: viewing [{', '.join(map(str, shape))}] "
            f"with strides ({', '.join(map(str, strides))}) as [{', '.join(map(str, target))}] needs a copy; "
            "use .reshape(...) or .contiguous()"
        )
    return tidy(found, target)


def _chunks(pairs: Sequence[tuple[Size, Size]]) -> list[tuple[Size, Size]]:
    """Number of elements and step of each run of axes that step through memory as one, slow ones first."""
    runs: list[tuple[Size, Size]] = []
    for size, stride in reversed(pairs):
        if runs and identical(runs[0][0] * runs[0][1], stride):
            runs[0] = (runs[0][0] * size, runs[0][1])
        else:
            runs.insert(0, (size, stride))
    return runs


def _fitted(runs: list[tuple[Size, Size]], target: Shape, *, sure: bool) -> list[Size] | None:
    """Strides of the target whose axes fill the runs one after the other, from the fast end."""
    strides: list[Size] = [1] * len(target)
    place = len(target) - 1
    for count, step in reversed(runs):
        filled: Size = 1
        while not _meets(filled, count, sure):
            if place < 0:
                return None
            strides[place] = filled * step
            filled = filled * target[place]
            place -= 1
    rest = elements(tuple(target[: place + 1]))
    if not _meets(rest, 1, sure):
        return None
    for axis in range(place + 1):
        strides[axis] = 1
    return strides


def _meets(filled: Size, count: Size, sure: bool) -> bool:
    return identical(filled, count) if sure else bool(filled == count)


def _splits(shape: Shape, target: Shape) -> bool:
    """Whether the target only cuts the axes and adds some of one element: then any strides will do."""
    place = len(target) - 1
    for size in reversed(shape):
        filled: Size = 1
        while not identical(filled, size):
            if place < 0:
                return False
            filled = filled * target[place]
            place -= 1
    return all(_is_one(s) for s in target[: place + 1])


