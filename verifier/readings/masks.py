"""Masks on scores: which keys they hide from which query, whatever they are put together from.

Law: a causal mask keeps the keys up to the query's own, and a mask that does not vary along the keys hides none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..dims import Size
from ..graph.node import Node
from ..graph.ops import Broadcast, Elementwise, Reshape
from .bands import NOWHERE, Band, Found, added, hides_some, is_truth, kept_axes, taken, where
from .oddity import Oddity
from .patterns import is_constant, is_hiding, plain, reduced
from .provenance import Factor, product, show

if TYPE_CHECKING:
    from .axes import AxesReading


@dataclass(frozen=True)
class Masked:
    """Scores of which a mask keeps a band, at the node that does it."""

    node: Node
    scores: Node
    band: Band
    hides: bool
    """Whether what the code writes down is what is hidden, and not what is kept."""
    added: bool


def masked(node: Node) -> Masked | None:
    """What a node keeps of scores, where it masks some and a part of its mask is made of diagonals."""
    op = node.op
    assert isinstance(op, Elementwise)
    if op.function == "select":
        condition, then, otherwise = node.inputs
        if is_hiding(otherwise) and not is_constant(then) and not hides_some(then):
            return _masked(node, then, where(condition, True), False, False)
        if is_hiding(then) and not is_constant(otherwise) and not hides_some(otherwise):
            return _masked(node, otherwise, where(condition, False), not is_turned(condition), False)
    if op.function == "add":
        for mask, scores in (node.inputs, node.inputs[::-1]):
            if hides_some(mask) and not hides_some(scores) and not is_constant(scores):
                return _masked(node, scores, added(mask, True), True, True)
    if op.function == "subtract":
        return _masked(node, node.inputs[0], taken(node.inputs[1], True), True, True)
    if op.function == "multiply":
        for mask, scores in (node.inputs, node.inputs[::-1]):
            inner = plain(scores)
            if is_truth(mask) and isinstance(inner.op, Elementwise) and inner.op.function == "exp":
                return _masked(node, scores, where(mask, True), False, False)
    return None


def is_turned(condition: Node) -> bool:
    """Whether code hides what is not in its mask: `masked_fill(~mask, ...)` writes down what is kept."""
    condition = plain(condition)
    while isinstance(condition.op, Broadcast):
        condition = plain(condition.inputs[0])
    return isinstance(condition.op, Elementwise) and condition.op.function in ("logical_not", "invert")


def _masked(node: Node, scores: Node, band: Found, hides: bool, is_added: bool) -> Masked | None:
    if band is None or band == NOWHERE:
        return None
    return Masked(node, scores, band, hides, is_added)


def note(reading: AxesReading, node: Node) -> None:
    """Remembers masked scores; which of their axes are the keys is known when a softmax has run."""
    found = masked(node)
    if found is not None:
        reading.masked.append(found)


def judge(reading: AxesReading) -> None:
    """Each mask, once all softmaxes are known."""
    for found in reading.masked:
        over = reading.keys.get(id(found.node), ())
        places = (found.band.row, found.band.column)
        turned = places[0] in over and places[1] not in over
        wrong_band(reading, found, found.band.of(*places[::-1]) if turned else found.band)


def wrong_band(reading: AxesReading, found: Masked, band: Band) -> None:
    """Keys after the query's own that are kept, or its own that is not."""
    axes = reading.of(found.scores)
    if not (len(axes[band.row]) == len(axes[band.column]) == 1):
        return
    row, column = axes[band.row][0], axes[band.column][0]
    own = own_key(row, column)
    if own is None:
        return
    low, high = (None if b is None else b - own for b in (band.low, band.high))
    if type(low) is int and low >= 0 and (high is None or not reading.sizes.same(high, low)):
        reading.odd(
            "ATT037",
            f"each {row} keeps the positions after it and hides those before: the mask's rows are keys",
            found.node,
            _turned(found, own),
        )
    elif band.high is not None and low is None and not reading.sizes.same(band.high, own):
        k = own + 1 if found.hides else own
        reading.odd(
            "ATT038",
            f"row i of {row} keeps keys up to {_place(band.high)}, but its own key is at {_place(own)} of {column}",
            found.node,
            f"{'hide from' if found.hides else 'keep up to'} the diagonal {k}: "
            f"{'triu' if found.hides else 'tril'}(..., {k})",
        )


def _turned(found: Masked, own: Size) -> str:
    """How to write the mask the right way round, in the way in which the code writes it."""
    after, up_to = f"triu(..., {own + 1})", "tril(...)" if str(own) == "0" else f"tril(..., {own})"
    if found.added:
        return f"add the hiding value above the diagonal: {after}"
    if found.hides:
        return f"hide what is above the diagonal: {after}"
    return f"keep what is up to the diagonal: {up_to}, or swap the mask's axes"


def own_key(row: Factor, column: Factor) -> Size | None:
    """How far a query's own key stands from its row; None where the columns are not the rows' tokens."""
    if column.kind != "sum":
        return 0 if column.label == row.label else None
    offset: Size = 0
    for piece in column.pieces:
        if len(piece) == 1 and piece[0].label == row.label:
            return offset
        offset = offset + product(piece)
    return None


def _place(offset: Size) -> str:
    text = str(offset)
    if text == "0":
        return "i"
    return f"i - {text[1:]}" if text.startswith("-") and " " not in text else f"i + {text}"


# -- masks that hide nothing --------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """One of the masks under a softmax, or one of the conditions that a mask joins."""

    use: Node
    varies: frozenset[int]
    joined: bool
    """Whether it is one of several conditions."""


def hides_nothing(reading: AxesReading, node: Node, over: Sequence[int]) -> None:
    """A mask that is the same all along the normalised axis hides nothing: softmax ignores a shift."""
    parts: list[Part] = []
    for use, operand in shifts(node.inputs[0]):
        reading.keys[id(use)] = tuple(over)
        if len(use.shape) != len(node.shape):
            continue
        rest = [n for n in use.inputs if n is not operand]
        if any(plain(n) in reading.graph.reaching((operand,)) for n in rest if not is_constant(n)):
            continue  # a row is shifted by something of its own, as softmax itself does
        conditions = varying_parts(reading, operand)
        parts += [Part(use, varies, len(conditions) > 1) for varies in conditions if varies]
    last = len(node.shape) - 1
    rows = last - 1 if last in over else last
    hides_keys = any(p.varies & set(over) and rows not in p.varies for p in parts)
    for part in parts:
        if part.varies & set(over) or (part.joined and (hides_keys or rows not in part.varies)):
            continue  # it has a counterpart that hides keys: `valid[:, :, None] & valid[:, None, :]`
        axes = reading.of(part.use)
        along = ", ".join(show(axes[i]) for i in over)
        mine = ", ".join(show(axes[i]) for i in sorted(part.varies))
        what = "a part of the mask" if part.joined else "the mask"
        text = f"{what} varies along {mine} and not along {along}, over which the softmax runs: it hides nothing"
        fix = f"let it vary along {along}: those are the keys"
        reading.unhidden.setdefault(id(node), []).append(Oddity("ATT037", text, part.use.source, part.use, fix))


def varying_parts(reading: AxesReading, node: Node) -> list[frozenset[int]]:
    """The axes along which each of the conditions varies that must all hold."""
    inner = plain(node)
    if isinstance(inner.op, Elementwise) and inner.op.function in JOINING and is_truth(inner):
        return [part for n in inner.inputs for part in varying_parts(reading, n)]
    if isinstance(inner.op, (Broadcast, Reshape)):
        parts = varying_parts(reading, inner.inputs[0])
        if len(parts) > 1:
            return [frozenset(places[i] for i in part if i in places) for places in (_moved(inner),) for part in parts]
    return [frozenset(reading.patterns.varying(node))]


def _moved(node: Node) -> dict[int, int]:
    if isinstance(node.op, Broadcast):
        lead = len(node.shape) - len(node.inputs[0].shape)
        return {i: i + lead for i, stretched in enumerate(node.op.stretched) if not stretched}
    return kept_axes(node) or {}


JOINING = ("logical_and", "bitwise_and", "multiply", "minimum")


def shifts(exponentials: Node) -> Iterator[tuple[Node, Node]]:
    """What is added to, or selected into, the scores under a softmax: (the node that does it, the mask)."""
    node = plain(exponentials)
    if isinstance(node.op, Elementwise) and node.op.function == "multiply":
        exponential = [n for n in node.inputs if getattr(plain(n).op, "function", "") == "exp"]
        if len(exponential) == 1:
            yield node, next(n for n in node.inputs if n is not exponential[0])
            node = plain(exponential[0])
    if not (isinstance(node.op, Elementwise) and node.op.function == "exp"):
        return
    todo = [node.inputs[0]]
    for _ in range(24):
        if not todo:
            return
        node = plain(todo.pop())
        if not isinstance(node.op, Elementwise):
            continue
        if node.op.function == "subtract" and reduced(node.inputs[1], len(node.shape)) is not None:
            todo.append(node.inputs[0])
        elif node.op.function in ("add", "subtract"):
            for operand in node.inputs:
                yield node, operand
            todo += node.inputs
        elif node.op.function == "select" and any(is_hiding(n) for n in node.inputs[1:]):
            yield node, node.inputs[0]
            todo += [n for n in node.inputs[1:] if not is_hiding(n)]
