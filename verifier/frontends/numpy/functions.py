"""NumPy's functions on symbolic arrays: what `__array_function__` and `__array_ufunc__` dispatch to.

One function a row, found by NumPy's own object; what has no row is UNSUPPORTED by name, never guessed.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...dims import Size
from ...graph.node import require
from ...graph.ops import Concatenate, Gather
from ...graph.primitive import elements
from ..loops.running import grown_arrays
from ..loops.values import side_by_side
from .array import SymbolicArray, unsupported
from .lower import (
    broadcast_shapes,
    broadcast_to,
    cast,
    contract,
    element_type,
    elementwise,
    is_symbolic,
    lift,
    matmul,
    normal_axes,
    normal_axis,
    record,
    reduce,
    reshape,
    transpose,
)
from .updating import duplicate

TABLE: dict[Callable[..., Any], Callable[..., Any]] = {}
REDUCTIONS: Mapping[str, str] = {
    "add": "sum",
    "multiply": "product",
    "maximum": "max",
    "minimum": "min",
    "logical_or": "any",
    "logical_and": "all",
}
WITHOUT_RULE = frozenset({"out", "where", "initial", "mean", "correction"})
"""Options that change a result and that no row knows; rows may pass over what is not named here."""
ALIASES: Mapping[str, str] = {"divide": "true_divide", "absolute": "abs"}


def implements(*functions: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a row."""

    def register(row: Callable[..., Any]) -> Callable[..., Any]:
        for function in functions:
            TABLE[function] = row
        return row

    return register


_complete: list[bool] = []


def _load_rows() -> None:
    """The rows that stand in files of their own; late, since they use this one."""
    from . import algebra, further, ordering, rearranging  # noqa: F401  # pyright: ignore[reportUnusedImport]

    _complete.append(True)


def dispatch(function: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """The row of a NumPy function, called.

    Raises:
        Unsupported: there is none.
    """
    if not _complete:
        _load_rows()
    name = f"numpy.{getattr(function, '__name__', function)}"
    row = TABLE.get(function)
    if row is None:
        raise unsupported(name)
    refused = WITHOUT_RULE if function not in (np.pad, np.linalg.qr) else WITHOUT_RULE - {"mode"}
    without_rule = [k for k, v in options.items() if k in refused and v is not None and v is not True]
    if without_rule and options.get("mode") != "raise":
        raise unsupported(f"{name} with {', '.join(without_rule)}")
    grown = grown_arrays(args[0]) if args and function in JOINED_ALONG else None
    result = row(*args, **options)
    if grown is None:
        return result
    return side_by_side(result, grown, JOINED_ALONG[function](result.ndim, *args[1:], **options))


def _join_axis(rank: int, axis: Any = 0, *_: Any, **__: Any) -> int:
    return 0 if axis is None else normal_axis(axis, rank)


JOINED_ALONG: dict[Callable[..., Any], Callable[..., int]] = {
    np.stack: _join_axis,
    np.concatenate: _join_axis,
    np.vstack: lambda rank: 0,
    np.hstack: lambda rank: min(rank - 1, 1),
}
"""The axis of the result along which the parts of a list lie."""


def apply_ufunc(ufunc: np.ufunc, method: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """A ufunc's call, reduction or outer product."""
    extra = {
        k
        for k, v in options.items()
        if v is not None and k not in ("axis", "keepdims", "dtype", "casting", "order", "subok", "out")
    }
    if extra:
        raise unsupported(f"numpy.{ufunc.__name__} with {', '.join(sorted(extra))}")
    if options.get("out") is not None:
        return _into(
            options["out"], apply_ufunc(ufunc, method, inputs, {k: v for k, v in options.items() if k != "out"}), ufunc
        )
    if method == "__call__" and ufunc is np.divmod:
        return tuple(apply_ufunc(u, method, inputs, {}) for u in (np.floor_divide, np.remainder))
    if method == "accumulate":
        axis = options.get("axis", inputs[1] if len(inputs) > 1 else 0)
        return dispatch(np.cumsum, (inputs[0],), {"axis": axis})
    if method == "__call__":
        if ufunc is np.matmul:
            return matmul(*map(lift, inputs))
        if ufunc.nout != 1 or ufunc.signature is not None:
            raise unsupported(f"numpy.{ufunc.__name__}")
        dtype = options.get("dtype") or element_type(ufunc, inputs)
        return elementwise(ALIASES.get(ufunc.__name__, ufunc.__name__), *inputs, dtype=dtype)
    if method == "reduce" and ufunc.__name__ in REDUCTIONS:
        axis = options.get("axis", inputs[1] if len(inputs) > 1 else 0)
        return _reduction(ufunc, lift(inputs[0]), axis, bool(options.get("keepdims", False)), options.get("dtype"))
    if method == "outer":
        left, right = map(lift, inputs)
        return apply_ufunc(ufunc, "__call__", (reshape(left, (*left.shape, *(1,) * right.ndim)), right), options)
    raise unsupported(f"numpy.{ufunc.__name__}.{method}")


def _into(out: Any, value: Any, ufunc: np.ufunc) -> Any:
    """`out=`: the result written into an array that is there."""
    from .updating import overwrite

    (target,) = out if isinstance(out, tuple) else (out,)
    if not is_symbolic(target):
        raise unsupported(f"numpy.{ufunc.__name__} into a real array")
    overwrite(target, value, ufunc.__name__)
    return target


def _reduction(ufunc: np.ufunc, array: SymbolicArray, axis: Any, keepdims: bool, dtype: Any) -> SymbolicArray:
    result = np.dtype(dtype) if dtype is not None else ufunc.reduce(np.zeros(1, array.dtype)).dtype
    return reduce(REDUCTIONS[ufunc.__name__], array, axis, keepdims, result)


def _reducing(ufunc: np.ufunc) -> Callable[..., Any]:
    def row(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
        if out is not None or options:
            raise unsupported(f"numpy.{ufunc.__name__}.reduce with out, initial or where")
        return _reduction(ufunc, lift(a), axis, bool(keepdims), dtype)

    return row


def _reducing_without_dtype(ufunc: np.ufunc) -> Callable[..., Any]:
    row = _reducing(ufunc)
    return lambda a, axis=None, out=None, keepdims=False, **options: row(a, axis, None, out, keepdims, **options)


TABLE[np.sum] = _reducing(np.add)
TABLE[np.prod] = _reducing(np.multiply)
for _function, _ufunc in (
    (np.max, np.maximum),
    (np.min, np.minimum),
    (np.any, np.logical_or),
    (np.all, np.logical_and),
):
    TABLE[_function] = _reducing_without_dtype(_ufunc)
TABLE[np.amax], TABLE[np.amin] = TABLE[np.max], TABLE[np.min]


@implements(np.mean)
def _mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **_: Any) -> Any:
    array = lift(a)
    result = np.dtype(dtype) if dtype is not None else np.mean(np.zeros(1, array.dtype)).dtype
    total = reduce("sum", array, axis, bool(keepdims), result)
    count = elements(tuple(array.shape[i] for i in normal_axes(axis, array.ndim)))
    return elementwise("true_divide", total, count, dtype=result)


@implements(np.var)
def _var(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: Any = False, **_: Any
) -> Any:
    array = lift(a)
    centred = array - _mean(array, axis, dtype, keepdims=True)
    total = _reduction(np.add, centred * centred, axis, bool(keepdims), None)
    count = elements(tuple(array.shape[i] for i in normal_axes(axis, array.ndim)))
    return apply_ufunc(np.true_divide, "__call__", (total, count - ddof), {})


@implements(np.std)
def _std(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: Any = False, **_: Any
) -> Any:
    return np.sqrt(_var(a, axis, dtype, out, ddof, keepdims))


@implements(np.reshape)
def _reshape(a: Any, /, shape: Any = None, order: str = "C", *, newshape: Any = None, copy: Any = None) -> Any:
    if order != "C":
        raise unsupported(f"reshape with order={order!r}")
    wanted = newshape if shape is None else shape
    extent: tuple[Size, ...] = tuple(wanted) if isinstance(wanted, (tuple, list)) else (wanted,)
    return reshape(lift(a), tuple(_size(s) for s in extent))


def _size(value: Any) -> Size:
    """A size as it is, a NumPy integer or symbolic scalar as the number or size that it holds."""
    if is_symbolic(value):
        from .lower import constant_value

        known = constant_value(value.node)
        if known is None:
            raise unsupported("a shape that depends on values")
        return known
    return value if type(value).__name__ == "Dim" else value.__index__()


@implements(np.ravel)
def _ravel(a: Any, order: str = "C") -> Any:
    if order != "C":
        raise unsupported(f"ravel with order={order!r}")
    array = lift(a)
    return reshape(array, (elements(array.shape),))


@implements(np.transpose)
def _transpose(a: Any, axes: Any = None) -> Any:
    return transpose(lift(a), axes)


@implements(np.matrix_transpose)
def _matrix_transpose(x: Any, /) -> Any:
    return _swapaxes(x, -1, -2)


@implements(np.swapaxes)
def _swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    array = lift(a)
    order = list(range(array.ndim))
    i, j = normal_axis(axis1, array.ndim), normal_axis(axis2, array.ndim)
    order[i], order[j] = order[j], order[i]
    return transpose(array, order)


@implements(np.moveaxis)
def _moveaxis(a: Any, source: Any, destination: Any) -> Any:
    array = lift(a)
    sources, targets = normal_axes(source, array.ndim), normal_axes(destination, array.ndim)
    if len(sources) != len(targets):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [i for i in range(array.ndim) if i not in sources]
    for target, origin in sorted(zip(targets, sources, strict=True)):
        order.insert(target, origin)
    return transpose(array, order)


@implements(np.expand_dims)
def _expand_dims(a: Any, axis: Any) -> Any:
    array = lift(a)
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    places = normal_axes(axis, array.ndim + count)
    sizes = iter(array.shape)
    return reshape(array, tuple(1 if i in places else next(sizes) for i in range(array.ndim + count)))


@implements(np.squeeze)
def _squeeze(a: Any, axis: Any = None) -> Any:
    array = lift(a)
    if axis is None:
        return reshape(array, tuple(s for s in array.shape if s != 1))
    places = normal_axes(axis, array.ndim)
    for place in places:
        require(array.shape[place] == 1, f"squeezing axis {place} of [{', '.join(map(str, array.shape))}]")
    return reshape(array, tuple(s for i, s in enumerate(array.shape) if i not in places))


@implements(np.broadcast_to)
def _broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    source = lift(array)
    target = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    for size in target:
        require(size >= 0, "a size is not negative")
    common = broadcast_shapes([source.shape, target], "broadcast_to")
    for size, wanted in zip(common, target, strict=True):
        require(size == wanted, "broadcast_to")
    return broadcast_to(source, target)


def _joined_slices(array: SymbolicArray, axis: Any, dtype: Any) -> Any:
    """All slices of one array along its first axis, joined: the axis merges with the one that they are joined along."""
    require(array.shape[0] != 0, "concatenating at least one array")
    result = array if dtype is None else cast(array, np.dtype(dtype))
    if axis is None:
        return _ravel(result)
    place = normal_axis(axis, array.ndim - 1)
    moved = dispatch(np.moveaxis, (result, 0, place), {})
    merged = (*moved.shape[:place], moved.shape[place] * moved.shape[place + 1], *moved.shape[place + 2 :])
    return duplicate(reshape(moved, merged))


@implements(np.concatenate)
def _concatenate(arrays: Any, axis: Any = 0, out: Any = None, dtype: Any = None, casting: str = "same_kind") -> Any:
    if is_symbolic(arrays) and arrays.ndim >= 2:
        return _joined_slices(arrays, axis, dtype)
    lifted = [lift(a) for a in arrays]
    if not lifted:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        lifted, axis = [_ravel(a) for a in lifted], 0
    if not all(a.shape for a in lifted):
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    place = normal_axis(axis, lifted[0].ndim)
    result = np.dtype(dtype) if dtype is not None else np.result_type(*(a.dtype for a in lifted))
    return record(Concatenate(place), *(cast(a, result).node for a in lifted), dtype=result)


@implements(np.stack)
def _stack(arrays: Any, axis: int = 0, out: Any = None, **_: Any) -> Any:
    if is_symbolic(arrays) and arrays.shape:
        require(arrays.shape[0] != 0, "stacking at least one array")
        return duplicate(dispatch(np.moveaxis, (arrays, 0, normal_axis(axis, arrays.ndim)), {}))
    lifted = [lift(a) for a in arrays]
    if not lifted:
        raise ValueError("need at least one array to stack")
    for other in lifted[1:]:
        require(other.ndim == lifted[0].ndim, "stacking arrays of different rank")
        for a, b in zip(lifted[0].shape, other.shape, strict=True):
            require(a == b, "stacking arrays of one shape")
    return _concatenate([_expand_dims(a, axis) for a in lifted], normal_axis(axis, lifted[0].ndim + 1))


@implements(np.dot)
def _dot(a: Any, b: Any, out: Any = None) -> Any:
    left, right = lift(a), lift(b)
    if not left.shape or not right.shape:
        return apply_ufunc(np.multiply, "__call__", (left, right), {})
    if right.ndim == 1 or (left.ndim <= 2 and right.ndim == 2):
        return matmul(left, right)
    first = [f"a{i}" for i in range(left.ndim - 1)]
    second = [f"c{i}" for i in range(right.ndim - 2)]
    dtype = element_type(np.matmul, (left, right))
    return contract((left, right), ([*first, "k"], [*second, "k", "j"]), [*first, *second, "j"], dtype)


@implements(np.outer)
def _outer(a: Any, b: Any, out: Any = None) -> Any:
    left, right = _ravel(a), _ravel(b)
    return reshape(left, (*left.shape, 1)) * right


def _lettered(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """`einsum(a, [0, 1], b, [1, 2], [0, 2])` as `einsum("ab,bc->ac", a, b)`."""
    pairs, output = operands[: len(operands) // 2 * 2], operands[len(operands) // 2 * 2 :]
    words = ["".join("..." if i is Ellipsis else string.ascii_letters[i] for i in labels) for labels in pairs[1::2]]
    arrow = "".join("->" + "".join("..." if i is Ellipsis else string.ascii_letters[i] for i in o) for o in output)
    return (",".join(words) + arrow, *pairs[::2])


@implements(np.einsum)
def _einsum(*operands: Any, **_: Any) -> Any:
    if not isinstance(operands[0], str):
        operands = _lettered(operands)
    subscripts, arrays = operands[0].replace(" ", ""), [lift(a) for a in operands[1:]]
    inputs, arrow, output = subscripts.partition("->")
    parts = inputs.split(",")
    if len(parts) != len(arrays):
        raise ValueError("einstein sum subscripts string has another number of operands")
    rank = max(
        (a.ndim - len(p.replace("...", "")) for p, a in zip(parts, arrays, strict=True) if "..." in p), default=0
    )
    dots = [f".{i}" for i in range(rank)]
    labels = [_labels(p, dots, a.ndim) for p, a in zip(parts, arrays, strict=True)]
    if arrow:
        result = _labels(output, dots, None)
        if len(set(result)) != len(result) or not set(result) <= {s for own in labels for s in own}:
            raise ValueError(f"einstein sum subscripts {subscripts!r} give a label twice or one that no operand has")
    else:
        flat = [s for ls in labels for s in ls]
        result = [*dots, *sorted({s for s in flat if not s.startswith(".") and flat.count(s) == 1})]
    arrays = _broadcast_labels(arrays, labels)
    return contract(arrays, labels, result, np.result_type(*(a.dtype for a in arrays)))


def _labels(part: str, dots: list[str], rank: int | None) -> list[str]:
    """The labels of one operand; an ellipsis takes the last of the axes that it stands for."""
    before, ellipsis, after = part.partition("...")
    named = len(before) + len(after)
    count = len(dots) if rank is None else rank - named
    if count < 0 or (not ellipsis and rank is not None and count):
        raise ValueError(f"einstein sum subscripts {part!r} do not fit an array of {rank} axes")
    return [*before, *(dots[len(dots) - count :] if ellipsis else []), *after]


def _broadcast_labels(arrays: list[SymbolicArray], labels: list[list[str]]) -> list[SymbolicArray]:
    """Axes of one element stretch to those of the same label in other operands, as NumPy has it."""
    sizes: dict[str, Size] = {}
    for array, own in zip(arrays, labels, strict=True):
        for place, (label, size) in enumerate(zip(own, array.shape, strict=True)):
            first = own.index(label)
            if first < place:
                require(array.shape[first] == size, f"einsum label {label} twice in one operand")
            else:
                (sizes[label],) = broadcast_shapes([(sizes.get(label, 1),), (size,)], f"einsum label {label}")
    return [
        broadcast_to(a, tuple(sizes[label] for label in own)) if len(set(own)) == len(own) else a
        for a, own in zip(arrays, labels, strict=True)
    ]


@implements(np.where)
def _where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    if x is None:
        return dispatch(np.nonzero, (condition,), {})
    # A Python number adapts to the other side's element type; two of them have their own common one.
    weak = [not is_symbolic(v) and type(v) in (int, float, bool) for v in (x, y)]
    arrays = [v for v, is_weak in zip((x, y), weak, strict=True) if not is_weak]
    types = [lift(v).dtype for v in arrays]
    dtype = np.result_type(*types, *(v for v, is_weak in zip((x, y), weak, strict=True) if is_weak))
    return elementwise("select", condition, x, y, dtype=dtype)


@implements(np.clip)
def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *, min: Any = None, max: Any = None) -> Any:  # noqa: A002  NumPy's names
    low, high = a_min if min is None else min, a_max if max is None else max
    result = lift(a)
    if low is not None:
        result = np.maximum(result, low)
    return result if high is None else np.minimum(result, high)


@implements(np.take)
def _take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    if mode != "raise":
        raise unsupported(f"numpy.take with mode={mode!r}")
    array = lift(a) if axis is not None else _ravel(a)
    place = 0 if axis is None else normal_axis(axis, array.ndim)
    from .indexing import inside_axis

    if is_symbolic(indices) and indices.dtype.kind not in "iub":
        raise TypeError("take wants whole numbers for indices")
    if mode == "raise":
        inside_axis(lift(indices), array.shape[place], place)
    return record(Gather(place), array.node, lift(indices).node, dtype=array.dtype)


@implements(np.copy)
def _copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    return duplicate(lift(a))


@implements(np.shape)
def _shape(a: Any) -> Any:
    return lift(a).shape


@implements(np.ndim)
def _ndim(a: Any) -> int:
    return lift(a).ndim


@implements(np.tril)
def _tril(m: Any, k: Any = 0) -> Any:
    return _triangle(lift(m), k, lower=True)


@implements(np.triu)
def _triu(m: Any, k: Any = 0) -> Any:
    return _triangle(lift(m), k, lower=False)


def _triangle(array: SymbolicArray, k: Any, *, lower: bool) -> SymbolicArray:
    from .creation import tri

    mask = tri(array.shape[-2], array.shape[-1], k if lower else k - 1, dtype=bool)
    chosen, other = (array, np.zeros((), array.dtype)) if lower else (np.zeros((), array.dtype), array)
    return elementwise("select", mask, chosen, other, dtype=array.dtype)


@implements(np.zeros_like, np.empty_like)
def _zeros_like(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Any:
    return _full_like(a, 0, dtype, shape=shape)


@implements(np.ones_like)
def _ones_like(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Any:
    return _full_like(a, 1, dtype, shape=shape)


@implements(np.full_like)
def _full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None
) -> Any:
    from .creation import full

    array = lift(a)
    return full(array.shape if shape is None else shape, fill_value, dtype=array.dtype if dtype is None else dtype)
