"""Sums, means, extremes and what else folds axes or runs along one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...graph.node import require
from ...graph.primitive import elements
from ..numpy.array import SymbolicArray
from ..numpy.lower import cast, elementwise, reduce, reshape
from ..numpy.ordering import opaque
from .elements import numpy_type
from .framework import torch
from .layout import like
from .shaping import axes_of, axis_of
from .table import arr, implements, out
from .tensor import SymbolicTensor


def named_axes(dim: Any, rank: int) -> tuple[int, ...]:
    """The axes to fold: a tensor of no axes lets 0 and -1 be named, and has none."""
    axes = axes_of(dim, rank)
    return axes if rank else ()


def folded(kind: str, array: SymbolicArray, dim: Any, keepdim: bool, dtype: Any) -> SymbolicArray:
    """A reduction over the named axes, all where none is named."""
    axes = named_axes(dim, array.ndim)
    if not axes:
        return cast(array, np.dtype(dtype))
    return reduce(kind, array, axes, keepdim, dtype)


def _whole(dtype: Any) -> Any:
    """Sums of integers and of truth values are of int64."""
    return dtype if dtype.is_floating_point or dtype.is_complex else torch.int64


def _summing(kind: str) -> Callable[..., Any]:
    def row(
        input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, axis: Any = None, keepdims: Any = None
    ) -> Any:
        dim, keepdim = dim if axis is None else axis, keepdim if keepdims is None else keepdims
        result = dtype or _whole(input.dtype)
        return out(folded(kind, arr(input), dim, keepdim, numpy_type(result)), result)

    return row


implements("sum", "nansum")(_summing("sum"))
implements("prod")(_summing("product"))


@implements("mean", "nanmean")
def mean(
    input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, axis: Any = None, keepdims: Any = None
) -> Any:
    """The sum over the number of elements."""
    dim, keepdim = dim if axis is None else axis, keepdim if keepdims is None else keepdims
    result = dtype or input.dtype
    if not (result.is_floating_point or result.is_complex):
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype."
        )
    array = arr(input)
    axes = named_axes(dim, array.ndim)
    total = folded("sum", array, dim, keepdim, numpy_type(result))
    count = elements(tuple(array.shape[i] for i in axes))
    return out(elementwise("true_divide", total, count, dtype=numpy_type(result)), result)


def _correction(unbiased: Any, correction: Any) -> Any:
    return (1 if unbiased is None or unbiased else 0) if correction is None else correction


@implements("var")
def variance(
    input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None
) -> Any:
    """Over the number of elements less the correction, which is 1."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    array = arr(input)
    centred = input - mean(input, dim, True)
    axes = named_axes(dim, array.ndim)
    count = elements(tuple(array.shape[i] for i in axes)) - _correction(unbiased, correction)
    total = folded("sum", arr(centred * centred), dim, keepdim, array.dtype)
    return out(elementwise("true_divide", total, count, dtype=array.dtype), input.dtype)


@implements("std")
def _std(input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None) -> Any:
    return variance(input, dim, unbiased, keepdim, correction=correction).sqrt()


@implements("var_mean")
def _var_mean(
    input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None
) -> Any:
    return variance(input, dim, unbiased, keepdim, correction=correction), mean(input, dim, keepdim)


@implements("std_mean")
def _std_mean(
    input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None
) -> Any:
    return _std(input, dim, unbiased, keepdim, correction=correction), mean(input, dim, keepdim)


class Pair(tuple[Any, ...]):
    """Values and their places, by the names that PyTorch gives them."""

    __slots__ = ()

    @property
    def values(self) -> Any:
        return self[0]

    @property
    def indices(self) -> Any:
        return self[1]


def _extreme(name: str) -> Callable[..., Any]:
    function = {"max": "maximum", "min": "minimum"}[name]

    def row(input: Any, dim: Any = None, keepdim: bool = False, *, other: Any = None, axis: Any = None) -> Any:
        dim = dim if axis is None else axis
        if isinstance(dim, torch.Tensor) or other is not None:
            from .arithmetic import binary

            return binary(function, getattr(torch, function), input, dim if other is None else other)
        array = arr(input)
        if dim is None:
            return out(folded(name, array, None, keepdim, array.dtype), input.dtype)
        values = out(folded(name, array, axis_of(dim, array.ndim), keepdim, array.dtype), input.dtype)
        return Pair((values, _index(f"arg{name}", input, dim, keepdim)))

    return row


implements("max")(_extreme("max"))
implements("min")(_extreme("min"))


@implements("amax")
def amax(input: Any, dim: Any = (), keepdim: bool = False) -> Any:
    """The greatest, without its place."""
    return out(folded("max", arr(input), dim, keepdim, arr(input).dtype), input.dtype)


@implements("amin")
def _amin(input: Any, dim: Any = (), keepdim: bool = False) -> Any:
    return out(folded("min", arr(input), dim, keepdim, arr(input).dtype), input.dtype)


@implements("aminmax")
def _aminmax(input: Any, *, dim: Any = None, keepdim: bool = False) -> Any:
    axis = () if dim is None else axis_of(dim, input.ndim)
    return torch.return_types.aminmax((_amin(input, axis, keepdim), amax(input, axis, keepdim)))


def _logical(kind: str) -> Callable[..., Any]:
    def row(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
        return out(folded(kind, arr(input), dim, keepdim, np.bool_), torch.bool)

    return row


implements("any")(_logical("any"))
implements("all")(_logical("all"))


def _index(name: str, input: Any, dim: Any, keepdim: bool) -> SymbolicTensor:
    array = arr(input)
    if dim is None:
        array, dim = reshape(array, (elements(array.shape),)), 0
    place = axis_of(dim, array.ndim)
    if array.ndim:
        require(array.shape[place] != 0, f"{name} over axis {place} needs an element")
    kept = [i for i in range(array.ndim) if i != place]
    result = opaque(name, tuple(array.shape[i] for i in kept), tuple(kept), array, dtype=np.int64)
    if keepdim:
        result = reshape(result, tuple(1 if i == place else s for i, s in enumerate(array.shape)))
    return out(result, torch.int64)


for _name in ("argmax", "argmin"):
    implements(_name)(lambda input, dim=None, keepdim=False, name=_name: _index(name, input, dim, keepdim))


def _along(name: str) -> Callable[..., Any]:
    def row(input: Any, dim: Any, *, dtype: Any = None) -> Any:
        array = arr(input)
        axis_of(dim, array.ndim)
        result = dtype or _whole(input.dtype)
        return out(
            opaque(name, array.shape, tuple(range(array.ndim)), array, dtype=numpy_type(result)),
            result,
            like(input.memory, tuple(input.shape)),
        )

    return row


for _name in ("cumsum", "cumprod", "logcumsumexp"):
    implements(_name)(_along(_name))


def _running(name: str) -> Callable[..., Any]:
    def row(input: Any, dim: Any) -> Any:
        array = arr(input)
        axis_of(dim, array.ndim)
        values = opaque(name, array.shape, tuple(range(array.ndim)), array, dtype=array.dtype)
        places = opaque(name, array.shape, tuple(range(array.ndim)), array, dtype=np.int64)
        return Pair((out(values, input.dtype), out(places, torch.int64)))

    return row


for _name in ("cummax", "cummin"):
    implements(_name)(_running(_name))


@implements("logsumexp")
def _logsumexp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    axes = axes_of(dim, input.ndim) if input.ndim else ()
    if any(input.shape[i] == 0 for i in axes):  # the logarithm of an empty sum
        from .making import filled

        shape = tuple(1 if i in axes else s for i, s in enumerate(input.shape) if keepdim or i not in axes)
        known = input.dtype.is_floating_point or input.dtype.is_complex
        return filled(shape, float("-inf"), input.dtype if known else torch.get_default_dtype())
    top = amax(input, dim, True)
    total = (input - top).exp().sum(dim, True).log() + top
    return total if keepdim else out(folded("sum", arr(total), dim, False, arr(total).dtype), total.dtype)


@implements("matrix_norm", only=(torch.linalg,))
def _matrix_norm(A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None) -> Any:
    if A.ndim < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    if not isinstance(dim, (tuple, list)) or len(axes_of(dim, A.ndim)) != 2:
        raise RuntimeError("linalg.matrix_norm: dim must be a 2-tuple.")
    return _norm(A, ord if isinstance(ord, str) else f"matrix {ord}", dim, keepdim)


@implements("norm", only=(torch.linalg,))
def _linalg_norm(A: Any, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    pair = len(dim) == 2 if isinstance(dim, (tuple, list)) else dim is None and A.ndim == 2
    if ord is None:
        return _norm(A, 2, dim, keepdim)
    if dim is None and A.ndim not in (1, 2):
        raise RuntimeError("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D.")
    if pair:
        return _matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim)
    if isinstance(ord, str):
        raise RuntimeError(f"linalg.norm: Order {ord} not supported for vectors.")  # noqa: TRY004  PyTorch's own
    return _norm(A, ord, dim, keepdim)


@implements("vector_norm", only=(torch.linalg,))
def _vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return _norm(x, ord, dim, keepdim)


@implements("norm", only=(torch, torch.Tensor))
def _norm(
    input: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None, ord: Any = None
) -> Any:
    kind = p if ord is None else ord
    array = arr(input)
    if not input.dtype.is_floating_point and not input.dtype.is_complex:
        raise RuntimeError(f"norm: Expected a floating point or complex tensor as input. Got {input.dtype}")
    if kind in ("fro", 2, 2.0, None):
        return out(folded("sum", arr(input * input), dim, keepdim, array.dtype), input.dtype).sqrt()
    if kind == 1:
        return input.abs().sum(dim, keepdim)
    if kind == float("inf"):
        return amax(input.abs(), () if dim is None else dim, keepdim)
    axes = axes_of(dim, array.ndim)
    kept = [i for i in range(array.ndim) if i not in axes]
    result = opaque("norm", tuple(array.shape[i] for i in kept), tuple(kept), array, dtype=array.dtype)
    if keepdim:
        result = reshape(result, tuple(1 if i in axes else s for i, s in enumerate(array.shape)))
    return out(result, input.dtype)


@implements("count_nonzero")
def _count_nonzero(input: Any, dim: Any = None) -> Any:
    return (input != 0).sum(dim)


@implements("mode")
def _mode(input: Any, dim: Any = -1, keepdim: bool = False) -> Any:
    return _median(input, dim, keepdim)


@implements("median", "nanmedian")
def _median(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    array = arr(input)
    if dim is None:
        return out(opaque("median", (), (), array, dtype=array.dtype), input.dtype)
    return Pair((_index("median", input, dim, keepdim).to(input.dtype), _index("median", input, dim, keepdim)))


@implements("equal", "allclose")
def _whole_question(*_: Any, **__: Any) -> Any:
    from ..numpy.array import unsupported

    raise unsupported("a branch on the values of tensors (torch.equal, torch.allclose)")
