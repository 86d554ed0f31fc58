"""Weights that sum to one along one axis, and the axis over which they are then summed.

Law: what softmax normalises over the keys is summed over the keys. That a product sums weights over another axis is no
mistake by itself: a gradient of the values sums them over the queries, talking heads sum them over the heads. What is
told is a sum over the axis which the softmax was confused with: the other one of rows and columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..graph.node import Node
from ..graph.ops import Broadcast, Elementwise, Input, Opaque, Reshape
from .oddity import Oddity
from .patterns import is_constant, plain
from .provenance import Axis, Factor, show

if TYPE_CHECKING:
    from .axes import AxesReading

QUERIES = frozenset({"n", "nq", "tq", "lq", "sq", "q", "query", "queries", "tgt", "target"})
KEYS = frozenset({"m", "nk", "tk", "lk", "sk", "k", "kv", "nkv", "key", "keys", "src", "source"})
"""Names of axes: `n` query tokens, `m` key and value tokens, `q_len`, `kv_len` and the like."""
HOLDS_QUERIES = frozenset({"q", "query", "queries"})
HOLDS_KEYS = frozenset({"k", "key", "keys", "v", "value", "values", "kv", "memory", "mem", "context", "ctx", "cache"})
"""Names of arrays whose tokens are queries, or keys and values."""
GRADIENT = re.compile(
    r"g|d[oyz]|d_?out(put)?s?|ct|cotangents?|upstream|delta.*|g_.*|g[oy]|.*grad(ient)?s?(_.*)?|.*_bar|.*cotangent.*"
)
"""Names of arrays that come back from a loss: weights are summed with these over the queries."""
BACKWARD = ("grad", "backward", "bwd", "vjp")
"""What functions are called that hand gradients back: there weights are summed over the queries too."""


def mark(reading: AxesReading, node: Node, axes: list[Axis], over: Sequence[int]) -> None:
    """At a normalisation: the axes along which values sum to one from here, and the one it may be confused with."""
    last, by = len(axes) - 1, id(node)
    reading.normalised_at[by] = node.source
    for place, axis in enumerate(axes):
        axes[place] = tuple(replace(f, normalised=place in over, across=False, place=last - place, by=by) for f in axis)
    others = [i for i in (last, last - 1) if i >= 0 and i not in over]
    if others:
        axes[others[0]] = tuple(replace(f, across=True) for f in axes[others[0]])


def changed(reading: AxesReading, node: Node, axes: list[Axis]) -> None:
    """Weights times, or plus, other values that vary along the same axis are weights no more; a mask leaves them so."""
    for place, axis in enumerate(axes):
        if not any(f.normalised for f in axis):
            continue
        for operand in node.inputs:
            own = any(f.normalised for f in reading.of(operand)[place])
            if not own and place in reading.patterns.varying(operand) and not is_mask(operand):
                axes[:] = map(unmarked, axes)
                return


def is_mask(node: Node) -> bool:
    """Truth values, also as numbers and scaled; an argument that is nothing else; numbers drawn at random."""
    node = plain(node)
    while isinstance(node.op, (Broadcast, Reshape, Elementwise)) and node.dtype.kind != "b":
        inner = [n for n in node.inputs if not is_constant(n)]
        if len(inner) != 1:
            break
        node = plain(inner[0])
    return node.dtype.kind == "b" or isinstance(node.op, (Input, Opaque)) or is_constant(node)


def unmarked(axis: Axis) -> Axis:
    return tuple(replace(f, normalised=False, across=False) for f in axis)


def used_up(axes: Sequence[Axis], summed: Sequence[int]) -> bool:
    """Whether a sum over these axes ends what the array was as weights."""
    return any(f.normalised or f.across for i in summed for f in axes[i])


def summed(
    reading: AxesReading, node: Node, weights: tuple[Axis, ...], over: Sequence[int], partners: Sequence[Axis]
) -> None:
    """Weights are summed, with the partners' axes in step; told once for each softmax."""
    normal = [f for a in weights for f in a if f.normalised]
    across = [f for i in over for f in weights[i] if f.across]
    if weigh(reading, weights, over) or not normal or not across:
        return
    one, other = normal[0], across[0]
    if one.by in reading.doubtful or meant(one, other, partners):
        return
    mine, theirs = called(one, other)
    axis = f": axis={-1 - other.place}"
    if one.label == other.label and roles(one, other)[0] != "queries" and one.place == 0:
        fix = f"use the weights as they are, not transposed; or normalise over {theirs}{axis}"
    else:
        fix = f"normalise over {theirs}, the axis that is summed over{axis}"
    there, here = reading.normalised_at.get(one.by), node.source
    where = ""
    if there is not None and here is not None and (there.file, there.function) == (here.file, here.function):
        where = f" (line {there.line})" if there.line != here.line else ""
    text = f"the weights are normalised over {mine}{where}, and summed over {theirs}"
    reading.doubtful[one.by] = Oddity("ATT033", text, node.source, node, fix)


def weigh(reading: AxesReading, weights: tuple[Axis, ...], over: Sequence[int]) -> bool:
    """Notes weights that are summed over the axis along which they sum to one."""
    right = {f.by for i in over for f in weights[i] if f.normalised}
    reading.weighed |= right
    return bool(right)


def settle(reading: AxesReading) -> None:
    """Reports the weights summed over another axis that are weights nowhere, and else the masks that hide nothing."""
    backward = any(word in reading.name.lower() for word in BACKWARD)
    wrong = {} if backward else {by: odd for by, odd in reading.doubtful.items() if by not in reading.weighed}
    reading.oddities += wrong.values()
    for by, unhidden in reading.unhidden.items():
        reading.oddities += [] if by in wrong else unhidden


def alone(reading: AxesReading, node: Node, weights: tuple[Axis, ...], over: Sequence[int]) -> None:
    """Weights summed over the axis along which they sum to one, and nothing with them: each sum is 1."""
    for place in over:
        if any(f.normalised for f in weights[place]):
            along = show(weights[place])
            reading.odd(
                "ATT033",
                f"the weights are normalised over {along}, and summed over it alone: every such sum is 1, and nothing "
                f"is weighted",
                node,
                f"let what is weighted vary along {along} too",
            )
            return


def meant(one: Factor, other: Factor, partners: Sequence[Axis]) -> bool:
    """Whether weights that are normalised over one axis are summed over the other on purpose.

    With gradients they are. Where softmax ran over the keys, and the two axes have different names, a transposed use
    could only be a mistake if a shape showed it; what is left is a sum over queries of something that queries hold.
    """
    names = {_array(o) for axis in partners for f in axis for o in f.origins}
    if names and all(GRADIENT.fullmatch(n) for n in names):
        return True
    return one.label != other.label and not over_queries(one, other)


def over_queries(one: Factor, other: Factor) -> bool:
    """Whether the first of two axes of scores is the queries': its names say so, or it is not the last axis."""
    role, beside = roles(one, other)
    return role == "queries" or beside == "keys" or (not role and not beside and one.place != 0)


def roles(one: Factor, other: Factor) -> tuple[str, str]:
    """What rows and columns of scores are called, by the arrays that they come from or else by their own names."""
    if {one.place, other.place} == {0, 1}:
        mine, theirs = role_of_arrays(one), role_of_arrays(other)
        if mine != theirs:
            return mine or OTHER[theirs], theirs or OTHER[mine]
        mine, theirs = role_of_axis(one), role_of_axis(other)
        if mine and theirs and mine != theirs:
            return mine, theirs
    return "", ""


OTHER = {"queries": "keys", "keys": "queries"}


def role_of_arrays(factor: Factor) -> str:
    """What the arrays that an axis comes from are called: "queries", "keys" or nothing that tells."""
    words = {w for o in factor.origins for w in _array(o).lower().split("_")}
    return _either(bool(words & HOLDS_QUERIES), bool(words & HOLDS_KEYS))


def role_of_axis(factor: Factor) -> str:
    words = set(re.split(r"_|len|seq", factor.label.lower())) - {""}
    return _either(bool(words & QUERIES), bool(words & KEYS))


def _either(queries: bool, keys: bool) -> str:
    return "" if queries == keys else "queries" if queries else "keys"


def _array(origin: str) -> str:
    return origin.rpartition(".")[0].rpartition(".")[2]


def called(one: Factor, other: Factor) -> tuple[str, str]:
    """Two axes as a reader knows them: `the queries n`, `the keys m`; rows and columns where two have one name."""
    found: list[str] = []
    for factor, role in zip((one, other), roles(one, other), strict=True):
        side = {0: "columns", 1: "rows"}.get(factor.place, "") if one.label == other.label else ""
        text = f"the {role or side} {factor}" if role or side else str(factor)
        found.append(f"{text} ({side})" if role and side else text)
    return found[0], found[1]
