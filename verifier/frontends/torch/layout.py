"""Strides: which order a tensor's elements have in memory, and whether another shape can look at them as they are.

A layout is `CONTIGUOUS` (each stride is the product of the sizes after it), a tuple of strides, or `UNKNOWN` where
PyTorch's choice depends on the kernel that it picks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from ...dims import Size, identical
from ...dims.dim import from_terms, terms_of
from ...dims.polynomial import divide
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
    found = _fitted(pairs, target, asking=False)
    while found is None:
        suspects = [p for p in _at_breaks(pairs) if _is_known(p[0], 1) is not False]
        if not suspects:
            break
        first = suspects[0]
        if first[0] == 1:
            pairs.remove(first)
            found = _fitted(pairs, target, asking=False)
    if found is None:
        found = _fitted(pairs, target, asking=True)
    if found is None:
        raise NotAView(
            f"view size is not compatible with input tensor's size and stride: viewing [{', '.join(map(str, shape))}] "
            f"with strides ({', '.join(map(str, strides))}) as [{', '.join(map(str, target))}] needs a copy; "
            "use .reshape(...) or .contiguous()"
        )
    return tidy(found, target)


def surely_viewed(layout: Layout, shape: Shape, target: Shape) -> Layout | None:
    """The layout of `view(target)` where the facts alone say that there is one: no path is taken for it."""
    if layout == CONTIGUOUS:
        return CONTIGUOUS
    strides = strides_of(layout, shape)
    if strides is None:
        return None
    found = _fitted([(s, t) for s, t in zip(shape, strides, strict=True) if not _is_one(s)], target, asking=False)
    return None if found is None else tidy(found, target)


Pairs = list[tuple[Any, Any]]


def _is_known(left: Size, right: Size) -> bool | None:
    """Whether two sizes are equal, where the facts say; no path is taken for it."""
    if identical(left, right):
        return True
    answer: Any = left == right
    return answer if isinstance(answer, bool) else answer.known


def _runs(pairs: Pairs) -> list[Pairs]:
    """The axes in runs that step through memory as one, slow ones first."""
    runs: list[Pairs] = []
    for size, stride in reversed(pairs):
        if runs and _is_known(runs[0][0][0] * runs[0][0][1], stride):
            runs[0].insert(0, (size, stride))
        else:
            runs.insert(0, [(size, stride)])
    return runs


def _at_breaks(pairs: Pairs) -> Pairs:
    """The axes beside which memory does not go on: of one element, such an axis would not matter."""
    runs = _runs(pairs)
    return [p for before, after in pairwise(runs) for p in (before[-1], after[0])]


def _fitted(pairs: Pairs, target: Shape, *, asking: bool) -> list[Size] | None:
    """Strides of the target whose axes fill the runs one after the other, from the fast end."""
    runs = _runs(pairs)
    strides: list[Size] = [1] * len(target)
    place = len(target) - 1
    for number in range(len(runs) - 1, -1, -1):
        count, step = elements(tuple(s for s, _ in runs[number])), runs[number][-1][1]
        beyond = [s for run in runs[:number] for s, _ in run]
        filled: Size = 1
        while not _meets(filled, count, beyond, asking):
            if place < 0:
                return None
            strides[place] = filled * step
            filled = filled * target[place]
            place -= 1
    rest = elements(tuple(target[: place + 1]))
    return strides if _meets(rest, 1, [], asking) else None


def _meets(filled: Size, count: Size, beyond: list[Size], asking: bool) -> bool:
    """Whether axes of that many elements fill a run; `beyond` are the sizes that come next, none of them 1."""
    known = _is_known(filled, count)
    if known is not None or not asking:
        return bool(known)
    for large, small in ((filled, count), (count, filled)):
        quotient, rest = divide(terms_of(large), terms_of(small)) if not _is_one(small) else ({}, {(): 1})
        if quotient and not rest:
            return bool(from_terms(quotient) == 1)
    longer = count
    for size in reversed(beyond):
        longer = longer * size
        if _is_known(filled, longer):
            return False
    return bool(filled == count)


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
