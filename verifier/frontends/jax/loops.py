"""scan, loops and branches: the body is run once on a slice, what it carries must keep its shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dims import is_dim
from ...graph.node import Node, require
from ...graph.ops import Opaque
from ..batching import Batched
from ..numpy.array import SymbolicArray
from ..numpy.lower import cast, elementwise, record
from ..recording import current_graph
from .array import SymbolicJaxArray
from .creation import size_of
from .engine import tree
from .levels import deepened
from .lowering import bare, is_ours, lifted, of_node
from .mapping import gathered, vmap
from .table import implements
from .transformations import agree, like
from .types import jax_types

UNROLLED = 4
"""A loop of no more steps than this is run step by step."""


def as_arrays(value: Any) -> Any:
    """The tree with every leaf an array of ours, as JAX has it inside a loop."""
    return tree.tree_map(lambda leaf: leaf if is_ours(leaf) else SymbolicJaxArray(lifted(leaf), _is_weak(leaf)), value)


def _is_weak(leaf: Any) -> bool:
    return type(leaf) in (int, float, complex) or is_dim(leaf) or bool(getattr(leaf, "weak_type", False))


def keeps(before: Any, after: Any, what: str) -> None:
    """What a loop carries has the same structure, shapes and element types after a step.

    Raises:
        TypeError, ShapeMismatch: it has not.
    """
    agree(before, after, what)
    for old, new in zip(tree.tree_leaves(before), tree.tree_leaves(after), strict=True):
        mine, theirs = lifted(old), lifted(new)
        if mine.dtype != theirs.dtype and not (_is_weak(old) or _is_weak(new)):
            raise TypeError(f"{what} must have equal types, got {mine.dtype} and {theirs.dtype}")


def carried(init: Any) -> Any:
    """What stands for the carry in the middle of a loop: its shape, and no values."""
    return tree.tree_map(lambda leaf: like("carry", leaf), init)


def left_over(init: Any, after: Any) -> Any:
    """The carry when the loop has ended."""
    nodes = [lifted(leaf).node for leaf in tree.tree_leaves(after)]
    return tree.tree_map(lambda leaf: like("carry", leaf, *nodes), init)


@implements("jax.lax.scan", always=True)
def scan(f: Callable[..., Any], init: Any, xs: Any = None, length: Any = None, *_: Any, **__: Any) -> Any:
    """The last carry, and the results of all steps side by side."""
    begin = as_arrays(init)
    leaves, structure = tree.tree_flatten(xs)
    arrays = [lifted(leaf) for leaf in leaves]
    size = None if length is None else size_of(length)
    for array in arrays:
        if not array.shape:
            raise ValueError("scan got a value with no leading axis to scan over")
        if size is not None:
            require(array.shape[0] == size, f"scan over axes of one size: {array.shape[0]} and {size}")
        size = array.shape[0] if size is None else size
    if size is None:
        raise ValueError("scan got no values to scan over and `length` not provided.")
    graph = current_graph()
    batch, start = Batched(graph, size), len(graph.nodes)
    carries, carry_shape = tree.tree_flatten(begin)
    holes = [of_node(batch.hole(_at_each_step(leaf, size))) for leaf in carries]
    slices = [of_node(batch.hole(array)) for array in arrays]
    carry = tree.tree_unflatten(carry_shape, holes)
    result = deepened(f)(carry, tree.tree_unflatten(structure, slices))
    if not isinstance(result, tuple) or len(result) != 2:
        raise TypeError(f"scan body output must be a pair, got {type(result).__name__}.")
    after, out = result
    keeps(begin, after, "carry input and carry output of scan")
    stacked_carry = gathered(batch, start, as_arrays(after), 0)
    return left_over(begin, stacked_carry), gathered(batch, start, out, 0)


def _at_each_step(leaf: Any, size: Any) -> SymbolicArray:
    """The carry of every step, one after the other: like the first, and no values."""
    array = lifted(leaf)
    op = Opaque("carry", (size, *array.shape), (None, *range(array.ndim)))
    return record(op, array.node, dtype=array.dtype)


@implements("jax.lax.map", always=True)
def lax_map(f: Callable[..., Any], xs: Any, **_: Any) -> Any:
    return vmap(f)(xs)


@implements("jax.lax.associative_scan", always=True)
def associative_scan(fn: Callable[..., Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """The function joins whole arrays, and must keep their shape."""
    known = as_arrays(elems)
    joined = deepened(fn)(known, known)
    agree(known, joined, "elements of associative_scan and what joins them")
    return left_over(known, joined)


@implements("jax.lax.fori_loop", always=True)
def fori_loop(lower: Any, upper: Any, body_fun: Callable[..., Any], init_val: Any, **_: Any) -> Any:
    begin = as_arrays(init_val)
    first, last = (None if is_ours(v) else v for v in (lower, upper))
    if type(first) is int and type(last) is int and 0 <= last - first <= UNROLLED:
        value = begin
        for step in range(first, last):
            after = as_arrays(deepened(body_fun)(_index(step), value))
            keeps(value, after, "carry input and carry output of fori_loop")
            value = after
        return value
    middle = carried(begin)
    after = deepened(body_fun)(_place(lower, upper), middle)
    keeps(begin, after, "carry input and carry output of fori_loop")
    return left_over(begin, after)


def _index(step: int) -> SymbolicJaxArray:
    with jax_types():
        return SymbolicJaxArray(cast(lifted(step), np.dtype(np.int32)))


def _place(lower: Any, upper: Any) -> SymbolicJaxArray:
    """The index of some step."""
    nodes = [lifted(v).node for v in (lower, upper)]
    return SymbolicJaxArray(record(Opaque("step", (), ()), *nodes, dtype=np.int32))


@implements("jax.lax.while_loop", always=True)
def while_loop(cond_fun: Callable[..., Any], body_fun: Callable[..., Any], init_val: Any) -> Any:
    begin = as_arrays(init_val)
    middle = carried(begin)
    _truth(deepened(cond_fun)(middle), "cond_fun of while_loop")
    after = deepened(body_fun)(middle)
    keeps(begin, after, "carry input and carry output of while_loop")
    return left_over(begin, after)


def _truth(value: Any, what: str) -> SymbolicArray:
    array = lifted(value)
    if array.shape or array.dtype != np.bool_:
        raise TypeError(f"{what} must be a boolean scalar, got [{', '.join(map(str, array.shape))}] of {array.dtype}")
    return array


@implements("jax.lax.cond", always=True)
def cond(pred: Any, true_fun: Any, false_fun: Any, *operands: Any, **options: Any) -> Any:
    """Both branches are run, and must return alike."""
    if "operand" in options:
        operands = (options["operand"],)
    array = lifted(pred)
    if array.shape:
        raise TypeError(f"Pred must be a scalar, got {pred} of shape ({', '.join(map(str, array.shape))}).")
    then, otherwise = as_arrays(deepened(true_fun)(*operands)), as_arrays(deepened(false_fun)(*operands))
    keeps(then, otherwise, "results of the branches of cond")
    chosen = array if array.dtype == np.bool_ else elementwise("not_equal", array, 0, dtype=np.bool_)
    return tree.tree_map(lambda a, b: _selected(chosen.node, a, b), then, otherwise)


def _selected(pred: Node, then: Any, otherwise: Any) -> SymbolicJaxArray:
    with jax_types():
        a, b = lifted(then), lifted(otherwise)
        return SymbolicJaxArray(elementwise("select", SymbolicArray(pred), a, b, dtype=a.dtype))


@implements("jax.lax.switch", always=True)
def switch(index: Any, branches: Any, *operands: Any, **options: Any) -> Any:
    if "operand" in options:
        operands = (options["operand"],)
    array = lifted(index)
    if array.shape:
        raise TypeError(f"Branch index must be scalar, got ({', '.join(map(str, array.shape))}).")
    results = [as_arrays(deepened(branch)(*operands)) for branch in branches]
    for other in results[1:]:
        keeps(results[0], other, "results of the branches of switch")
    chosen = results[-1]
    for number in range(len(results) - 2, -1, -1):
        here = elementwise("less_equal", bare(SymbolicJaxArray(array)), number, dtype=np.bool_)
        chosen = tree.tree_map(lambda a, b, here=here: _selected(here.node, a, b), results[number], chosen)
    return chosen
