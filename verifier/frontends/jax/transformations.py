"""jit and its like run through; derivatives have the shapes of what they are taken by, and values not followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...graph.node import Node, require
from ...graph.ops import Input, Opaque
from ..front_end import front_ends
from ..numpy.lower import record
from ..recording import current_graph
from .array import SymbolicJaxArray
from .elementwise import element_type
from .engine import jax, tree
from .levels import deepened
from .lowering import holds_symbols, is_ours, is_real_array, lifted, of_node
from .table import implements
from .types import jax_types, kind_of_type


def is_array(value: Any) -> bool:
    return is_ours(value) or is_real_array(value) or type(value).__module__ == "numpy"


@implements("jax.jit", "jax.checkpoint", "jax.remat", always=True)
def traced(fun: Callable[..., Any], *_: Any, **__: Any) -> Callable[..., Any]:
    """The function itself: on sizes there is nothing to compile or to store."""
    return deepened(fun)


@implements("jax.named_call", "jax.custom_gradient", always=True)
def run_through(fun: Callable[..., Any], *_: Any, **__: Any) -> Callable[..., Any]:
    return fun


@implements("jax.typeof")
def _typeof(x: Any) -> Any:
    """What JAX calls an abstract value: here its shape and element type, and no more."""
    return jax.ShapeDtypeStruct(x.shape, x.dtype, weak_type=x.weak)


def _argnums(argnums: Any, count: int) -> tuple[int, ...]:
    places = argnums if isinstance(argnums, (tuple, list)) else (argnums,)
    for place in places:
        if not -count <= place < count:
            raise ValueError(f"argnums {place} of a function that was called with {count} positional arguments")
    return tuple(int(p) % count for p in places)


def like(name: str, leaf: Any, *sources: Node) -> SymbolicJaxArray:
    """A value of the leaf's shape and element type, of which only that is known."""
    array = lifted(leaf)
    with jax_types():
        op = Opaque(name, array.shape, tuple(range(array.ndim)))
        return SymbolicJaxArray(record(op, array.node, *sources, dtype=array.dtype))


def differentiable(leaf: Any, where: str) -> None:
    if kind_of_type(lifted(leaf).dtype) not in "fc":
        raise TypeError(f"{where} requires real- or complex-valued inputs (input dtype that is a sub-dtype of inexact)")


@implements("jax.value_and_grad", always=True)
def value_and_grad(
    fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, holomorphic: bool = False, **_: Any
) -> Callable[..., Any]:
    """The value, and for every array in the chosen arguments one of its shape."""

    def differentiated(*args: Any, **options: Any) -> Any:
        places = _argnums(argnums, len(args))
        result = deepened(fun)(*args, **options)
        value, aux = result if has_aux else (result, None)
        whole = lifted(value)
        if whole.ndim:
            text = ", ".join(map(str, whole.shape))
            raise TypeError(f"Gradient only defined for scalar-output functions. Output had shape: ({text}).")
        if kind_of_type(whole.dtype) not in "fc":
            raise TypeError("grad requires real- or complex-valued outputs")

        def gradient(leaf: Any) -> Any:
            differentiable(leaf, "grad")
            return like("gradient", leaf, whole.node)

        found = [tree.tree_map(gradient, args[p]) for p in places]
        gradients = tuple(found) if isinstance(argnums, (tuple, list)) else found[0]
        return ((value, aux), gradients) if has_aux else (value, gradients)

    return differentiated


@implements("jax.grad", always=True)
def grad(fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, **options: Any) -> Callable[..., Any]:
    both = value_and_grad(fun, argnums, has_aux, **options)

    def gradient(*args: Any, **named: Any) -> Any:
        value, gradients = both(*args, **named)
        return (gradients, value[1]) if has_aux else gradients

    return gradient


@implements("jax.jacfwd", "jax.jacrev", "jax.jacobian", always=True)
def jacobian(fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, **_: Any) -> Callable[..., Any]:
    """For each result and each chosen argument the axes of the result, then those of the argument."""

    def differentiated(*args: Any, **options: Any) -> Any:
        places = _argnums(argnums, len(args))
        result = deepened(fun)(*args, **options)
        value, aux = result if has_aux else (result, None)

        def entry(out: Any, by: Any) -> Any:
            top, below = lifted(out), lifted(by)
            differentiable(by, "jacobian")
            extent = (*top.shape, *below.shape)
            op = Opaque("jacobian", extent, (*range(top.ndim), *(None,) * below.ndim))
            return SymbolicJaxArray(record(op, top.node, below.node, dtype=below.dtype))

        def row(out: Any) -> Any:
            found = [tree.tree_map(lambda by: entry(out, by), args[p]) for p in places]
            return tuple(found) if isinstance(argnums, (tuple, list)) else found[0]

        whole = tree.tree_map(row, value)
        return (whole, aux) if has_aux else whole

    return differentiated


@implements("jax.hessian", always=True)
def hessian(fun: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, **_: Any) -> Callable[..., Any]:
    return jacobian(jacobian(fun, argnums, has_aux), argnums, has_aux)


def agree(left: Any, right: Any, what: str) -> None:
    """Two trees of arrays have one structure, and arrays of one shape.

    Raises:
        TypeError, ShapeMismatch: they do not.
    """
    if tree.tree_structure(left) != tree.tree_structure(right):
        raise TypeError(
            f"{what} must have the same structure, got {tree.tree_structure(left)} and {tree.tree_structure(right)}"
        )
    for a, b in zip(tree.tree_leaves(left), tree.tree_leaves(right), strict=True):
        mine, theirs = lifted(a), lifted(b)
        text = f"{what} must agree: [{', '.join(map(str, mine.shape))}] and [{', '.join(map(str, theirs.shape))}]"
        require(mine.ndim == theirs.ndim, text)
        for size, other in zip(mine.shape, theirs.shape, strict=True):
            require(size == other, text)


@implements("jax.vjp", always=True)
def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False, **_: Any) -> Any:
    result = deepened(fun)(*primals)
    value, aux = result if has_aux else (result, None)

    def pulled(cotangents: Any) -> Any:
        agree(value, cotangents, "the result and the cotangents of vjp")
        nodes = [lifted(c).node for c in tree.tree_leaves(cotangents)]
        return tree.tree_map(lambda leaf: like("vjp", leaf, *nodes), tuple(primals))

    return (value, pulled, aux) if has_aux else (value, pulled)


@implements("jax.jvp", always=True)
def jvp(fun: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    agree(tuple(primals), tuple(tangents), "primals and tangents of jvp")
    result = deepened(fun)(*primals)
    value, aux = result if has_aux else (result, None)
    nodes = [lifted(t).node for t in tree.tree_leaves(tangents)]
    pushed = tree.tree_map(lambda leaf: like("jvp", leaf, *nodes), value)
    return (value, pushed, aux) if has_aux else (value, pushed)


@implements("jax.linearize", always=True)
def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    result = deepened(fun)(*primals)
    value, aux = result if has_aux else (result, None)

    def linear(*tangents: Any) -> Any:
        agree(tuple(primals), tangents, "primals and tangents of linearize")
        nodes = [lifted(t).node for t in tree.tree_leaves(tangents)]
        return tree.tree_map(lambda leaf: like("jvp", leaf, *nodes), value)

    return (value, linear, aux) if has_aux else (value, linear)


@implements("jax.eval_shape", always=True)
def eval_shape(fun: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """The function run; what it returns stands for the shapes as well."""

    def stand_in(leaf: Any) -> Any:
        if isinstance(leaf, jax.ShapeDtypeStruct):
            graph = current_graph()
            op = Input(f"shape#{len(graph.nodes)}", tuple(leaf.shape))
            return of_node(graph.add(op, dtype=element_type(leaf.dtype)))
        return leaf

    known, named = tree.tree_map(stand_in, (args, options))
    return deepened(fun)(*known, **named)


def _leaf_by_leaf(name: str, ours: Callable[[Any], Any]) -> None:
    """A function of a whole tree, in which symbols may stand beside real arrays."""

    def row(x: Any, *args: Any, **options: Any) -> Any:
        from .session import originals

        def of_leaf(leaf: Any) -> Any:
            if is_ours(leaf):
                return ours(leaf)
            return leaf if holds_symbols(leaf) else originals()[name](leaf, *args, **options)

        return tree.tree_map(of_leaf, x)

    implements(name, always=True)(row)


_leaf_by_leaf("jax.device_get", lambda leaf: front_ends()[0].wrap(leaf.node))
_leaf_by_leaf("jax.device_put", lambda leaf: leaf)
_leaf_by_leaf("jax.block_until_ready", lambda leaf: leaf)


@implements("jax.debug.print", "jax.debug.callback", "jax.debug.breakpoint", always=True)
def _nothing(*_: Any, **__: Any) -> None:
    """What is printed has no part in the result."""
