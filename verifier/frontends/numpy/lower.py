"""NumPy's operations in terms of primitives: broadcasting, element types, and the steps that several share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from ...dims import Relation, Size, identical, is_dim
from ...graph.node import Node, Shape, require
from ...graph.ops import Broadcast, Constant, Contraction, Elementwise, Input, Reduction, Reshape, Transpose
from ...graph.primitive import Primitive, element_term, elements
from ...terms import Term
from ..explorer import caller_with_calls
from ..recording import current_graph
from .array import SymbolicArray, unsupported


def is_symbolic(value: object) -> bool:
    """Whether a value is a stand-in of ours; `isinstance` cannot tell."""
    return type(value) is SymbolicArray


def is_scalar(value: object) -> bool:
    """A Python or NumPy number, a size or a term."""
    return is_dim(value) or type(value) is Term or isinstance(value, (int, float, bool, complex, np.generic))


canonical: ContextVar[Callable[[Any], np.dtype[Any]]] = ContextVar("canonical", default=np.dtype)
"""The element type that is recorded where this one is asked for: a framework may have narrower ones than NumPy."""


def record(op: Primitive, *inputs: Node, dtype: Any, label: str = "") -> SymbolicArray:
    """The primitive applied, with the line of the code under test that asked for it."""
    element = canonical.get()(dtype)
    return SymbolicArray(current_graph().add(op, *inputs, dtype=element, source=caller_with_calls(), label=label))


def lift(value: Any) -> SymbolicArray:
    """A number, size, term, real array or nested list as a recorded array."""
    if type(value) is SymbolicArray:
        return value
    if is_dim(value):
        return record(Constant(value), dtype=np.int64)
    if type(value) is Term:
        return record(Constant(value), dtype=np.float64)
    if type(value) is Relation:
        value = bool(value)
    if isinstance(value, (list, tuple)):
        from .creation import array

        return lift(array(value))
    real = np.asarray(value)
    if real.dtype == object:
        raise unsupported(f"an array of {type(value).__name__} objects")
    return record(Constant(real if real.ndim else real.item()), dtype=real.dtype)


def broadcast_shapes(shapes: Sequence[Shape], purpose: str) -> Shape:
    """The common shape, aligned at the right; sizes of one stretch, others must agree.

    Raises:
        ShapeMismatch: two sizes differ and neither is 1, on this path.
    """
    rank = max(map(len, shapes))
    common: list[Size] = [1] * rank
    for shape in shapes:
        for axis, size in enumerate(shape, rank - len(shape)):
            known = common[axis]
            if type(size) is int and size == 1:
                continue
            if type(known) is int and known == 1:
                common[axis] = size
            elif known == size or size == 1:
                continue
            elif known == 1:
                common[axis] = size
            else:
                require(known == size, f"{purpose}: axis {axis - rank} of {_show(shapes)}", joined=tuple(shapes))
    return tuple(common)


def _show(shapes: Sequence[Shape]) -> str:
    return " with ".join(f"[{', '.join(map(str, s))}]" for s in shapes)


def _bracketed(array: SymbolicArray) -> str:
    return _show([array.shape])


def broadcast_to(array: SymbolicArray, shape: Shape) -> SymbolicArray:
    """The array seen with a shape that it broadcasts to; nothing is recorded where it already has it."""
    mine = array.shape
    target = shape[len(shape) - len(mine) :]
    stretched = tuple(map(_stretches, mine, target))
    if len(mine) == len(shape) and not any(stretched):
        return array
    return record(Broadcast(shape, stretched), array.node, dtype=array.dtype)


def _stretches(size: Size, target: Size) -> bool:
    """Whether an axis repeats: a literal 1 does, a size that the facts make equal to the target does not."""
    if identical(size, target):
        return False
    return (type(size) is int and size == 1) or bool(size != target)


def element_type(ufunc: np.ufunc, operands: Sequence[Any]) -> np.dtype[Any]:
    """NumPy's own rule for the result's element type; Python numbers and sizes count as such."""
    types = tuple(_operand_type(o) for o in operands)
    try:
        return ufunc.resolve_dtypes((*types, *([None] * ufunc.nout)))[-1]  # pyright: ignore[reportReturnType]
    except TypeError as error:
        raise TypeError(f"ufunc {ufunc.__name__!r} {error}") from None


def _operand_type(value: Any) -> Any:
    if type(value) is Term:
        return np.dtype(np.float64) if value.from_numpy else float
    if is_dim(value) or type(value) is int:
        return int
    if type(value) in (bool, Relation):
        return np.dtype(bool)
    if type(value) in (float, complex):
        return type(value)
    return value.dtype if hasattr(value, "dtype") else np.asarray(value).dtype


def elementwise(name: str, *operands: Any, dtype: Any) -> SymbolicArray:
    """A function of broadcast operands."""
    arrays = [lift(o) for o in operands]
    shape = broadcast_shapes([a.shape for a in arrays], name)
    return record(Elementwise(name), *(broadcast_to(a, shape).node for a in arrays), dtype=dtype)


def cast(array: SymbolicArray, dtype: np.dtype[Any]) -> SymbolicArray:
    dtype = canonical.get()(dtype)
    return array if array.dtype == dtype else record(Elementwise("cast"), array.node, dtype=dtype)


def normal_axis(axis: Any, rank: int) -> int:
    """A plain axis from 0.

    Raises:
        AxisError: as NumPy does.
    """
    number = axis.__index__()
    if not -rank <= number < rank:
        raise np.exceptions.AxisError(number, rank)
    return number % rank


def normal_axes(axis: Any, rank: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(rank))
    chosen = axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = tuple(normal_axis(a, rank) for a in chosen)
    if len(set(axes)) != len(axes):
        raise ValueError("duplicate value in 'axis'")
    return axes


KEPT = "keepdims"
"""The label of a reshape that puts back the axes of a reduction, and was not asked for axis by axis."""


def reduce(kind: str, array: SymbolicArray, axis: Any, keepdims: bool, dtype: Any) -> SymbolicArray:
    if not array.shape and axis in (0, -1):
        axis = None  # NumPy lets a scalar be reduced along its one axis that it has not
    axes = normal_axes(axis, array.ndim)
    result = record(Reduction(kind, axes), array.node, dtype=dtype) if axes else cast(array, np.dtype(dtype))
    if keepdims:
        extent = tuple(1 if i in axes else s for i, s in enumerate(array.shape))
        if len(extent) != result.ndim:
            return record(Reshape(extent), result.node, dtype=result.dtype, label=KEPT)
    return result


def reshape(array: SymbolicArray, shape: Shape) -> SymbolicArray:
    """Another shape of the same elements; a single -1 stands for whatever is left."""
    if any(type(s) is int and s == -1 for s in shape):
        if sum(type(s) is int and s == -1 for s in shape) > 1:
            raise ValueError("can only specify one unknown dimension")
        known = elements(tuple(s for s in shape if not (type(s) is int and s == -1)))
        total = elements(array.shape)
        purpose = f"reshaping [{', '.join(map(str, array.shape))}] to [{', '.join(map(str, shape))}]"
        require(known != 0, purpose)
        require(total % known == 0, purpose)
        shape = tuple(total // known if type(s) is int and s == -1 else s for s in shape)
    if len(shape) == array.ndim and all(map(identical, shape, array.shape)):
        return array
    for size in shape:  # two negative sizes would multiply to the right number
        require(size >= 0, "a size is not negative")
    return record(Reshape(tuple(shape)), array.node, dtype=array.dtype)


def transpose(array: SymbolicArray, order: Any = None) -> SymbolicArray:
    axes = tuple(reversed(range(array.ndim))) if order is None else normal_axes(tuple(order), array.ndim)
    if len(axes) != array.ndim:
        raise ValueError("axes don't match array")
    return array if axes == tuple(range(array.ndim)) else record(Transpose(axes), array.node, dtype=array.dtype)


def contract(
    operands: Sequence[SymbolicArray], labels: Sequence[Sequence[str]], result: Sequence[str], dtype: Any
) -> SymbolicArray:
    op = Contraction(tuple(tuple(ls) for ls in labels), tuple(result))
    return record(op, *(a.node for a in operands), dtype=dtype)


def matmul(left: SymbolicArray, right: SymbolicArray) -> SymbolicArray:
    """NumPy's `@`: matrices in the last two axes, batches in front broadcast, vectors get an axis for the time."""
    if not left.shape or not right.shape:
        raise ValueError("matmul: Input operand does not have enough dimensions")
    dtype = element_type(np.matmul, (left, right))
    first, second = left.ndim == 1, right.ndim == 1
    inner = 0 if second else right.ndim - 2
    # Before they are broadcast, so that a failure shows the shapes that the code has.
    shapes = (f"axis {left.ndim - 1} of {_bracketed(left)}", f"axis {inner} of {_bracketed(right)}")
    require(left.shape[-1] == right.shape[inner], " against ".join(shapes), (left.shape, right.shape))
    batch = broadcast_shapes([left.shape[:-2], right.shape[:-2]], "batch axes of @")
    names = [f"b{i}" for i in range(len(batch))]
    left = broadcast_to(left, (*batch, *left.shape[-2:])) if not first and batch else left
    right = broadcast_to(right, (*batch, *right.shape[-2:])) if not second and batch else right
    left_labels = ["k"] if first else [*names[len(batch) - (left.ndim - 2) :], "i", "k"]
    right_labels = ["k"] if second else [*names[len(batch) - (right.ndim - 2) :], "k", "j"]
    result = [*names, *([] if first else ["i"]), *([] if second else ["j"])]
    return contract((left, right), (left_labels, right_labels), result, dtype)


def constant_value(node: Node) -> Any:
    """The number, size or term of an array without axes that depends on no input; None where it does."""
    if node.shape or any(isinstance(n.op, Input) for n in current_graph().reaching((node,))):
        return None
    term = element_term(node, ())
    if term.number is not None:
        return term.number
    return term if term.size is None else term.size
