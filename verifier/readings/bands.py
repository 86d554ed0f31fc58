"""Which diagonals of scores a mask can keep: what `&`, `|`, `~`, where, sums and products make of triangles.

Law: a band contains every place (row, column) at which the mask holds, as bounds of column - row. It may be too wide,
never too narrow: what is not known about a part, such as a padding mask, is taken as everything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..dims import Size
from ..dims.dim import terms_of
from ..graph.node import Node
from ..graph.ops import Broadcast, Constant, Elementwise, Reshape, Slice, Transpose
from .patterns import HIDING, constant_of, plain, scalar, size_of

LARGE = -HIDING


@dataclass(frozen=True)
class Band:
    """low <= column - row <= high; None is no bound."""

    row: int
    column: int
    low: Size | None
    high: Size | None

    def of(self, row: int, column: int) -> Band:
        """The same with these axes as rows and columns: the two may change places."""
        if (row, column) == (self.row, self.column):
            return self
        assert (column, row) == (self.row, self.column)
        turned = [None if b is None else -b for b in (self.high, self.low)]
        return Band(row, column, *turned)


NOWHERE = Band(-1, -1, 0, -1)
Found = Band | None
"""None is everywhere, as far as is known."""


def both(left: Found, right: Found) -> Found:
    """Where both may hold."""
    if left is None or right is None:
        return right if left is None else left
    if NOWHERE in (left, right):
        return NOWHERE
    if {left.row, left.column} != {right.row, right.column}:
        return left
    right = right.of(left.row, left.column)
    return replace(left, low=_tighter(left.low, right.low, 1), high=_tighter(left.high, right.high, -1))


def either(left: Found, right: Found) -> Found:
    """Where one of them may hold."""
    if left is None or right is None:
        return None
    if NOWHERE in (left, right):
        return right if left == NOWHERE else left
    if {left.row, left.column} != {right.row, right.column}:
        return None
    right = right.of(left.row, left.column)
    low, high = _wider(left.low, right.low, -1), _wider(left.high, right.high, 1)
    return None if low is None and high is None else replace(left, low=low, high=high)


def _tighter(left: Size | None, right: Size | None, sign: int) -> Size | None:
    """The larger bound (sign 1) or the smaller one; of two that cannot be compared either is true."""
    if left is None or right is None:
        return right if left is None else left
    return right if _sign(right - left) == sign else left


def _wider(left: Size | None, right: Size | None, sign: int) -> Size | None:
    if left is None or right is None:
        return None
    order = _sign(right - left)
    return None if order is None else right if order == sign else left


def _sign(difference: Size) -> int | None:
    """The sign of a difference that is a number, or has all its terms on one side: sizes are not negative."""
    if type(difference) is int:
        return (difference > 0) - (difference < 0)
    signs = {c > 0 for c in terms_of(difference).values()}
    return (1 if signs.pop() else -1) if len(signs) == 1 else None


def where(node: Node, value: bool) -> Found:
    """Where a mask is true, or not 0; with `value` False where it is false, or 0."""
    node = plain(node)
    op = node.op
    if isinstance(op, Constant):
        number = constant_of(node)
        return None if number is None or bool(number) == value else NOWHERE
    moved = through(node, lambda inner: where(inner, value))
    if not isinstance(moved, _Stop):
        return moved
    if not isinstance(op, Elementwise):
        return None
    name = op.function
    if name in ("logical_not", "invert"):
        return where(node.inputs[0], not value)
    if name in ("logical_and", "bitwise_and", "logical_or", "bitwise_or", "multiply", "minimum", "maximum", "add"):
        if not all(map(is_truth, node.inputs)):
            return _scaled(node, value)
        conjoined = name in ("logical_and", "bitwise_and", "multiply", "minimum")
        return (both if conjoined == value else either)(*(where(n, value) for n in node.inputs))
    if name == "subtract" and is_truth(node):
        return where(node.inputs[1], not value)
    if name == "select":
        condition, then, otherwise = node.inputs
        first = both(where(condition, True), where(then, value))
        return either(first, both(where(condition, False), where(otherwise, value)))
    if len(node.inputs) == 2:
        return _compared(node, value)
    return None


def _scaled(node: Node, value: bool) -> Found:
    """A mask times a number that is not 0."""
    for mask, factor in (node.inputs, node.inputs[::-1]):
        if node.op.title == "elementwise" and constant_of(factor) not in (None, 0.0) and is_truth(mask):
            assert isinstance(node.op, Elementwise)
            return where(mask, value) if node.op.function == "multiply" else None
    return None


def is_truth(node: Node) -> bool:
    """Whether all values are true or false, or 1 or 0."""
    node = plain(node)
    if node.dtype.kind == "b":
        return True
    if isinstance(node.op, Constant):
        return constant_of(node) in (0.0, 1.0)
    if isinstance(node.op, (Broadcast, Reshape, Transpose, Slice)):
        return is_truth(node.inputs[0])
    if isinstance(node.op, Elementwise):
        name = node.op.function
        if name in ("multiply", "minimum", "maximum"):
            return all(map(is_truth, node.inputs))
        if name == "select":
            return all(map(is_truth, node.inputs[1:]))
        return name == "subtract" and constant_of(node.inputs[0]) == 1.0 and is_truth(node.inputs[1])
    return False


class _Stop:
    pass


STOP = _Stop()


def through(node: Node, inside: Callable[[Node], Found]) -> Found | _Stop:
    """The band of an array that is only laid out anew; STOP where the node does more than that."""
    op = node.op
    if isinstance(op, Broadcast):
        band, lead = inside(node.inputs[0]), len(node.shape) - len(node.inputs[0].shape)
        places = {i: i + lead for i in range(len(node.inputs[0].shape)) if not op.stretched[i]}
    elif isinstance(op, Transpose):
        band = inside(node.inputs[0])
        places = {inner: outer for outer, inner in enumerate(op.order)}
    elif isinstance(op, Reshape):
        known = kept_axes(node)
        if known is None:
            return None
        band, places = inside(node.inputs[0]), known
    elif isinstance(op, Slice):
        band = inside(node.inputs[0])
        places = {i: i for i, step in enumerate(op.step) if step == 1}
        if band is not None and band != NOWHERE and {band.row, band.column} <= set(places):
            moved = op.start[band.row] - op.start[band.column]
            low, high = (None if b is None else b + moved for b in (band.low, band.high))
            return replace(band, low=low, high=high)
    else:
        return STOP
    if band is None or band == NOWHERE:
        return band
    if band.row not in places or band.column not in places:
        return None
    return replace(band, row=places[band.row], column=places[band.column])


def kept_axes(node: Node) -> dict[int, int] | None:
    """Where each axis of a reshaped array went, if only axes of one came or went."""
    mine, theirs = ([i for i, s in enumerate(n.shape) if str(s) != "1"] for n in (node.inputs[0], node))
    same = [str(node.inputs[0].shape[i]) for i in mine] == [str(node.shape[i]) for i in theirs]
    return dict(zip(mine, theirs, strict=True)) if same else None


# -- comparisons of counted places -------------------------------------------------------------


@dataclass(frozen=True)
class Places:
    """A sum of counted places, each along an axis, and a size."""

    along: dict[int, int]
    shift: Size


def places_of(node: Node) -> Places | None:
    """What is counted, where values are sums and differences of places along axes."""
    node = plain(node)
    op = node.op
    if op.title == "iota":
        return Places({0: 1}, 0)
    constant = size_of(node)
    if constant is not None:
        return Places({}, constant)
    if isinstance(op, (Broadcast, Transpose, Reshape, Slice)):
        inner = places_of(node.inputs[0])
        if inner is None:
            return None
        if isinstance(op, Broadcast):
            lead = len(node.shape) - len(node.inputs[0].shape)
            moved = {i: i + lead for i in range(len(node.inputs[0].shape))}
        elif isinstance(op, Transpose):
            moved = {i: o for o, i in enumerate(op.order)}
        elif isinstance(op, Reshape):
            moved = kept_axes(node)
        else:
            moved = {i: i for i, step in enumerate(op.step) if step == 1}
            inner = Places(inner.along, inner.shift + sum(c * op.start[i] for i, c in inner.along.items()))
        if moved is None or not set(inner.along) <= set(moved):
            return None
        return Places({moved[i]: c for i, c in inner.along.items()}, inner.shift)
    if isinstance(op, Elementwise) and op.function in ("add", "subtract", "negative"):
        parts = [places_of(n) for n in node.inputs]
        if any(p is None for p in parts):
            return None
        signs = (1, -1 if op.function == "subtract" else 1) if op.function != "negative" else (-1,)
        total, shift = dict[int, int](), 0
        for part, sign in zip(parts, signs, strict=False):
            assert part is not None
            for i, c in part.along.items():
                total[i] = total.get(i, 0) + sign * c
            shift = shift + sign * part.shift
        return Places({i: c for i, c in total.items() if c}, shift)
    return None


OPPOSITE = {"greater_equal": "less", "less": "greater_equal", "greater": "less_equal", "less_equal": "greater"}


def _compared(node: Node, value: bool) -> Found:
    """A comparison of places along two axes; of a mask with True, False, 1 or 0."""
    assert isinstance(node.op, Elementwise)
    name, (left, right) = node.op.function, node.inputs
    against = constant_of(right)
    if name in ("equal", "not_equal", "greater") and against in (0, 1) and is_truth(left):
        if name == "greater":
            return where(left, value) if against == 0 else None
        return where(left, value == ((name == "equal") == (against == 1)))
    wide = plain(left)
    if isinstance(wide.op, Elementwise) and wide.op.function in ("absolute", "abs", "fabs"):
        limit = size_of(right)
        name = name if value else OPPOSITE.get(name, "")
        inner = places_of(wide.inputs[0])
        if limit is None or inner is None or name not in ("less", "less_equal"):
            return None
        limit = limit - 1 if name == "less" else limit
        return both(_band(inner, -limit, True), _band(inner, limit, False))
    mine, other = places_of(left), places_of(right)
    if mine is None or other is None:
        return None
    along = dict(mine.along)
    for axis, count in other.along.items():
        along[axis] = along.get(axis, 0) - count
    difference = Places({a: c for a, c in along.items() if c}, mine.shift - other.shift)
    if name in ("equal", "not_equal"):
        same = (name == "equal") == value
        return both(_band(difference, 0, True), _band(difference, 0, False)) if same else None
    if name not in OPPOSITE:
        return None
    name = name if value else OPPOSITE[name]
    strict = 1 if name in ("greater", "less") else 0
    above = name.startswith("greater")
    return _band(difference, strict if above else -strict, above)


def _band(difference: Places, limit: Size, above: bool) -> Found:
    """difference >= limit (above) or <= limit, where it is of two axes."""
    if sorted(difference.along.values()) != [-1, 1]:
        return None
    row, column = sorted(difference.along)
    bound = limit - difference.shift
    if difference.along[column] < 0:
        bound, above = -bound, not above
    return Band(row, column, bound if above else None, None if above else bound)


# -- additive masks ----------------------------------------------------------------------------


def added(node: Node, shown: bool) -> Found:
    """Where an additive mask shows a score, or with `shown` False hides it."""
    node = plain(node)
    op = node.op
    if isinstance(scalar(node).op, Constant):
        number = constant_of(node)
        hides = number is not None and number <= HIDING
        return None if number is None or hides != shown else NOWHERE
    moved = through(node, lambda inner: added(inner, shown))
    if not isinstance(moved, _Stop):
        return moved
    if not isinstance(op, Elementwise):
        return None
    if op.function == "select":
        condition, then, otherwise = node.inputs
        first = both(where(condition, True), added(then, shown))
        return either(first, both(where(condition, False), added(otherwise, shown)))
    if op.function == "add" and all(map(hides_some, node.inputs)):
        return (both if shown else either)(*(added(n, shown) for n in node.inputs))
    if op.function == "log" and is_truth(node.inputs[0]):
        return where(node.inputs[0], shown)
    mask = times_large(node)
    if mask is not None and mask[2] < 0:
        return where(mask[0], mask[1] != shown)
    return None


def taken(node: Node, shown: bool) -> Found:
    """Where a mask that is subtracted shows a score, or hides it."""
    moved = through(node, lambda inner: taken(inner, shown))
    if not isinstance(moved, _Stop):
        return moved
    mask = times_large(node)
    return where(mask[0], mask[1] != shown) if mask is not None and mask[2] > 0 else None


def times_large(node: Node) -> tuple[Node, bool, int] | None:
    """A mask times a large number: the mask, the value at which the product is not 0, and its sign there."""
    node = plain(node)
    if not isinstance(node.op, Elementwise):
        return None
    if node.op.function == "negative":
        inner = times_large(node.inputs[0])
        return None if inner is None else (inner[0], inner[1], -inner[2])
    if node.op.function != "multiply":
        return None
    for mask, factor in (node.inputs, node.inputs[::-1]):
        number = constant_of(factor)
        if number is None or abs(number) < LARGE:
            continue
        sign = 1 if number > 0 else -1
        inner = plain(mask)
        while isinstance(inner.op, Broadcast):
            inner = plain(inner.inputs[0])
        if is_truth(inner):
            return mask, True, sign
        less_one = isinstance(inner.op, Elementwise) and inner.op.function == "subtract"
        if less_one and constant_of(inner.inputs[1]) == 1.0 and is_truth(inner.inputs[0]) and inner is plain(mask):
            return inner.inputs[0], False, -sign
    return None


def hides_some(node: Node) -> bool:
    """Whether an array is made to be added as a mask: numbers and masks, and a hiding one among them."""
    node = plain(node)
    if isinstance(scalar(node).op, Constant):
        number = constant_of(node)
        return number is not None and number <= HIDING
    if isinstance(node.op, (Broadcast, Transpose, Reshape, Slice)):
        return hides_some(node.inputs[0])
    if not isinstance(node.op, Elementwise):
        return False
    if node.op.function == "select":
        leaves = node.inputs[1:]
        return any(map(hides_some, leaves)) and all(hides_some(n) or isinstance(scalar(n).op, Constant) for n in leaves)
    if node.op.function == "add":
        return all(map(hides_some, node.inputs))
    if node.op.function == "log":
        return is_truth(node.inputs[0])
    mask = times_large(node)
    return mask is not None and mask[2] < 0
