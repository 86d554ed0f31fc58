"""Functions of functions: `torch.vmap`, and gradients, whose shapes are those of what they are taken by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from typing import Any

from ...graph.node import Node, require
from ...graph.ops import Opaque
from ..batching import Batched
from ..numpy.array import SymbolicArray, unsupported
from ..numpy.lower import transpose
from ..numpy.ordering import opaque
from ..recording import current_graph
from .making import holds_symbols
from .shaping import axis_of
from .table import arr, as_tensor, is_real, is_tensor
from .tensor import SymbolicTensor, wrapped
from .views import mapping

tree: Any = import_module("torch.utils._pytree")


def following(original: Callable[..., Any], follow: Callable[..., Any]) -> Callable[..., Any]:
    """The transformation: what it makes is followed where it is called with sizes, and PyTorch's own elsewhere."""

    @wraps(original)
    def transform(function: Any, *args: Any, **options: Any) -> Any:
        own = original(function, *args, **options)
        ours = follow(function, *args, **options)

        def transformed(*inner: Any, **named: Any) -> Any:
            found = any(map(holds_symbols, tree.tree_leaves((inner, named)))) or _is_followed(function)
            return (ours if found else own)(*inner, **named)

        return transformed

    return transform


def _is_followed(function: Any) -> bool:
    """Whether a function that closes over stand-ins, or a module that has some, is called."""
    cells = getattr(function, "__closure__", None) or ()
    held = [c.cell_contents for c in cells if _is_filled(c)]
    return any(holds_symbols(v) for v in held)


def _is_filled(cell: Any) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


# -- vmap -------------------------------------------------------------------------------------------


def vmap(
    func: Any, in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *, chunk_size: Any = None
) -> Callable[..., Any]:
    """The function of one slice, for all slices at once."""

    def mapped(*args: Any, **named: Any) -> Any:
        leaves, structure = tree.tree_flatten((args, named))
        dims = _dims(in_dims if type(in_dims) is int else tuple(in_dims), args)
        dims += [0 if _is_array(v) else None for v in tree.tree_leaves(named)]
        fronts = [_in_front(v, d) if d is not None else None for v, d in zip(leaves, dims, strict=True)]
        sizes = [f.shape[0] for f in fronts if f is not None]
        if not sizes:
            raise ValueError("vmap: at least one input must be mapped over")
        for size in sizes[1:]:
            require(size == sizes[0], f"vmap over axes of one size: {sizes[0]} and {size}")
        graph = current_graph()
        batch, start = Batched(graph, sizes[0]), len(graph.nodes)
        with mapping():
            holes = [
                v if f is None else wrapped(batch.hole(f), as_tensor(v).dtype)
                for v, f in zip(leaves, fronts, strict=True)
            ]
            inner, named = tree.tree_unflatten(holes, structure)
            result = func(*inner, **named)
        if any(type(h) is SymbolicTensor and h.version for h, f in zip(holes, fronts, strict=True) if f is not None):
            raise unsupported("a write into what vmap maps over")
        _without_chance(graph.nodes[start:], randomness)
        return _gathered(batch, result, out_dims)

    return mapped


def _dims(dims: Any, value: Any) -> list[Any]:
    """The axis of each leaf: a number stands for every tensor below it, None for what is not mapped."""
    if dims is None:
        return [None] * len(tree.tree_leaves(value))
    if type(dims) is int:
        return [dims if _is_array(v) else None for v in tree.tree_leaves(value)]
    parts = list(value.values()) if isinstance(value, dict) else list(value)
    wanted = list(dims.values()) if isinstance(dims, dict) else list(dims)
    if len(parts) != len(wanted):
        raise ValueError(f"vmap: in_dims has {len(wanted)} entries for {len(parts)} inputs")
    return [d for w, p in zip(wanted, parts, strict=True) for d in _dims(w, p)]


def _is_array(value: Any) -> bool:
    return is_tensor(value) or is_real(value)


def _in_front(value: Any, dim: int) -> SymbolicArray:
    if not _is_array(value):
        raise ValueError(f"vmap: in_dim {dim} for an input that is no tensor but a {type(value).__name__}")
    array = arr(value)
    if not array.ndim:
        raise ValueError(f"vmap: in_dim {dim} for a tensor of no axes")
    place = axis_of(dim, array.ndim)
    return transpose(array, (place, *(i for i in range(array.ndim) if i != place)))


def _without_chance(nodes: Sequence[Node], randomness: str) -> None:
    """Random numbers inside are an error unless the caller says whether slices share them.

    Raises:
        RuntimeError: as PyTorch does.
    """
    if not any(isinstance(n.op, Opaque) and n.op.name == "random" for n in nodes):
        return
    if randomness == "error":
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode; use randomness='same' or 'different'"
        )
    if randomness == "different":
        raise unsupported("vmap with randomness='different'")


def _gathered(batch: Batched, result: Any, out_dims: Any) -> Any:
    """What the function returned of one slice, of all."""
    found, structure = tree.tree_flatten(result)
    for value in found:
        if not _is_array(value):
            raise ValueError(f"vmap: the function must return tensors, and returned a {type(value).__name__}")
    tensors = [as_tensor(v) for v in found]
    batch.replay(0, [t.node for t in tensors])
    dims: list[Any] = _dims(out_dims, result) if type(out_dims) is not int else [out_dims] * len(tensors)
    made: list[Any] = []
    for tensor, dim in zip(tensors, dims, strict=True):
        if dim is None:
            raise ValueError("vmap: out_dims None is for what is no tensor")
        whole = SymbolicArray(batch.all_of(tensor.node))
        order = [*range(1, whole.ndim)]
        order.insert(axis_of(dim, whole.ndim), 0)
        made.append(SymbolicTensor(transpose(whole, order), tensor.dtype))
    return tree.tree_unflatten(made, structure)


# -- gradients --------------------------------------------------------------------------------------


def grad(func: Any, argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """As `grad_and_value`, without the value."""

    def gradient(*args: Any, **named: Any) -> Any:
        found, value = grad_and_value(func, argnums, has_aux)(*args, **named)
        return (found, value[1]) if has_aux else found

    return gradient


def grad_and_value(func: Any, argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function is run, its value must be one number, and each gradient has its argument's shape."""

    def gradient(*args: Any, **named: Any) -> Any:
        value = func(*args, **named)
        number = value[0] if has_aux else value
        if not _is_array(number):
            raise RuntimeError(f"grad: expected f(*args) to return a tensor, got {type(number).__name__}")
        if number.ndim:
            shown = ", ".join(map(str, number.shape))
            raise RuntimeError(f"grad: expected f(*args) to return a scalar tensor, got one of [{shown}]")
        by = _chosen(args, argnums)
        return tree.tree_map(lambda v: _derivative("grad", number, v, ()), by), value

    return gradient


def jacobian(func: Any, argnums: Any = 0, has_aux: bool = False, **_: Any) -> Callable[..., Any]:
    """Each result by each argument: the result's axes, then the argument's."""

    def gradient(*args: Any, **named: Any) -> Any:
        value = func(*args, **named)
        result = value[0] if has_aux else value
        by = _chosen(args, argnums)
        found = tree.tree_map(
            lambda r: tree.tree_map(lambda v: _derivative("jacobian", r, v, tuple(r.shape)), by), result
        )
        return (found, value[1]) if has_aux else found

    return gradient


def hessian(func: Any, argnums: Any = 0) -> Callable[..., Any]:
    return jacobian(jacobian(func, argnums), argnums)


def _chosen(args: Sequence[Any], argnums: Any) -> Any:
    return args[argnums] if type(argnums) is int else tuple(args[i] for i in argnums)


def _derivative(name: str, result: Any, by: Any, lead: tuple[Any, ...]) -> Any:
    if not _is_array(by):
        raise ValueError(f"{name}: by a {type(by).__name__}, which is no tensor")
    if not by.dtype.is_floating_point and not by.dtype.is_complex:
        raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
    shape = (*lead, *by.shape)
    array = opaque(name, shape, (None,) * len(shape), arr(result), arr(by), dtype=arr(by).dtype)
    return SymbolicTensor(array, by.dtype)


FOLLOWED: dict[str, Callable[..., Any]] = {
    "vmap": vmap,
    "grad": grad,
    "grad_and_value": grad_and_value,
    "jacrev": jacobian,
    "jacfwd": jacobian,
    "hessian": hessian,
}
"""By name, in `torch.func`; `torch.vmap` is the same."""


__all__ = ["FOLLOWED", "following"]
