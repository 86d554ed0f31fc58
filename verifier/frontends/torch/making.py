"""Tensors made from sizes, from numbers, or in the likeness of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...dims import Size, is_dim
from ...graph.node import require
from ...graph.ops import Opaque
from ...terms import Term
from ..front_end import is_stand_in
from ..numpy import creation
from ..numpy.array import unsupported
from ..numpy.lower import cast, lift, record
from .activations import drawn
from .elements import numpy_type, operand_type
from .framework import torch
from .shaping import size_of, sizes
from .table import arr, as_tensor, implements, is_real, is_tensor, out
from .tensor import SymbolicTensor


def filled(shape: tuple[Size, ...], value: Any, dtype: Any) -> SymbolicTensor:
    """A tensor of one value."""
    for size in shape:
        if not size >= 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {size}")
    return out(creation.full(shape, arr(value), numpy_type(dtype)), dtype)


def default() -> Any:
    return torch.get_default_dtype()


def _extent(size: tuple[Any, ...], options: Mapping[str, Any]) -> tuple[Size, ...]:
    return sizes(size if size else (options.get("size", ()),))


def zeros(*size: Any, dtype: Any = None, **options: Any) -> SymbolicTensor:
    return filled(_extent(size, options), 0, dtype or default())


def ones(*size: Any, dtype: Any = None, **options: Any) -> SymbolicTensor:
    return filled(_extent(size, options), 1, dtype or default())


def full(size: Any, fill_value: Any, *, dtype: Any = None, **_: Any) -> SymbolicTensor:
    known = dtype or (operand_type(fill_value) if not isinstance(fill_value, float) else default())
    return filled(sizes((size,)), fill_value, known)


def random(*size: Any, dtype: Any = None, **options: Any) -> SymbolicTensor:
    return drawn(_extent(size, options), dtype or default())


def randint(*args: Any, size: Any = None, dtype: Any = None, **options: Any) -> SymbolicTensor:
    *bounds, shape = (*args, size) if size is not None else args
    low, high = bounds if len(bounds) == 2 else (options.get("low", 0), *bounds, options.get("high"))[:2]
    return _between(low, high, sizes((shape,)), dtype or torch.int64)


def _between(low: Any, high: Any, shape: tuple[Size, ...], dtype: Any) -> SymbolicTensor:
    """Whole numbers from `low` on and below `high`: there must be one."""
    if not (is_tensor(low) or is_tensor(high)):
        require(low < high, f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    return drawn(shape, dtype)


def randperm(n: Any, *, dtype: Any = None, **_: Any) -> SymbolicTensor:
    count = size_of(n)
    require(count >= 0, f"randperm of {count}")
    return drawn((count,), dtype or torch.int64)


def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, dtype: Any = None, **_: Any) -> SymbolicTensor:
    if size is not None:
        return drawn(sizes((size,)), dtype or default())
    return drawn(tuple((mean + std if is_tensor(mean) or is_tensor(std) else as_tensor(mean)).shape), default())


def _is_whole(value: Any) -> bool:
    return is_dim(value) or (isinstance(value, (int, float)) and value == int(value))


def arange(start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None, **_: Any) -> SymbolicTensor:
    if end is None:
        start, end = 0, start
    fractional = any(isinstance(v, float) and not is_dim(v) for v in (start, end, step))
    if fractional:
        if all(map(_is_whole, (start, end, step))):
            start, end, step = (v if is_dim(v) else int(v) for v in (start, end, step))
        else:
            raise unsupported("torch.arange with a start, end or step that is no whole number")
    known = dtype or (default() if fractional else torch.int64)
    first, last, stride = size_of(start), size_of(end), size_of(step)
    if not (is_tensor(first) or is_tensor(last) or is_tensor(stride)):
        require(stride != 0, "arange: a step of 0")
        if stride > 0:
            require(first <= last, f"arange from {first} to {last} by {stride}")
        else:
            require(last <= first, f"arange from {first} to {last} by {stride}")
    return out(cast(creation.arange(first, last, stride), numpy_type(known)), known)


def inclusive(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None, **_: Any) -> SymbolicTensor:
    """`torch.range`: the last number too, in the default element type."""
    if end is None or not (type(step) is int and step == 1):
        raise unsupported("torch.range with a step", "use torch.arange")
    arange(start, end)
    return arange(start, end + 1, dtype=dtype or default())


def eye(n: Any, m: Any = None, *, dtype: Any = None, **_: Any) -> SymbolicTensor:
    known = dtype or default()
    return out(creation.eye(size_of(n), None if m is None else size_of(m), dtype=numpy_type(known)), known)


def linspace(start: Any, end: Any, steps: Any, *, dtype: Any = None, **_: Any) -> SymbolicTensor:
    known, count = dtype or default(), size_of(steps)
    require(count >= 0, f"linspace of {count} steps")
    return out(record(Opaque("linspace", (count,), (None,)), dtype=numpy_type(known)), known)


def tril_indices(row: Any, col: Any, offset: Any = 0, *, dtype: Any = None, **_: Any) -> SymbolicTensor:
    """Row and column of each place of a triangle: n * (n + 1) / 2 of them in a square."""
    from ..numpy.ordering import fresh_size

    rows, columns = size_of(row), size_of(col)
    square = str(rows) == str(columns) and type(offset) is int and offset in (0, -1, 1)
    count = rows * (rows + 1) // 2 if square and offset == 0 else fresh_size()
    return out(record(Opaque("tril_indices", (2, count), (None, None)), dtype=np.int64), torch.int64)


def tensor(data: Any, *, dtype: Any = None, **_: Any) -> SymbolicTensor:
    """A tensor of numbers, sizes and stand-ins."""
    if is_stand_in(data) or is_real(data):
        known = as_tensor(data)
        return known.clone() if dtype is None else known.to(dtype).clone()
    if isinstance(data, (list, tuple)) and data:
        rows = [tensor(v, dtype=dtype) for v in data]
        return torch.stack(rows)
    found = operand_type(data)
    known = dtype or (default() if found.is_floating_point else found)
    return out(lift(data), known)


def from_numpy(array: Any) -> SymbolicTensor:
    from .elements import torch_type

    known = lift(array)
    return out(known, torch_type(known.dtype.name))


def complex_pair(real: Any, imag: Any, **_: Any) -> SymbolicTensor:
    from ..numpy.lower import broadcast_shapes

    shape = broadcast_shapes([tuple(as_tensor(x).shape) for x in (real, imag)], "complex")
    known = torch.complex64 if real.dtype is not torch.float64 else torch.complex128
    op = Opaque("complex", shape, tuple(range(len(shape))))
    return out(record(op, arr(real).node, arr(imag).node, dtype=numpy_type(known)), known)


FACTORIES: Mapping[str, Callable[..., Any]] = {
    "zeros": zeros, "empty": zeros, "ones": ones, "full": full, "rand": random, "randn": random, "randint": randint,
    "randperm": randperm, "normal": normal, "arange": arange, "range": inclusive, "eye": eye, "linspace": linspace,
    "logspace": linspace, "tril_indices": tril_indices, "triu_indices": tril_indices, "tensor": tensor,
    "as_tensor": tensor, "asarray": tensor, "from_numpy": from_numpy,
}  # fmt: skip
"""Functions that take no tensor and so do not dispatch: `session` puts these in their place."""
ALWAYS = frozenset({"zeros", "empty", "ones", "full", "rand", "randn", "normal", "eye"})
"""Tensors that are filled later, maybe with symbolic values, or become parameters."""


def holds_symbols(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(holds_symbols, value))
    if isinstance(value, slice):
        return any(map(holds_symbols, (value.start, value.stop, value.step)))
    return is_dim(value) or type(value) is Term or is_stand_in(value)


# -- in the likeness of another -------------------------------------------------------------------


def _like(name: str, make: Callable[..., Any]) -> None:
    implements(f"{name}_like", f"{name}_like")(
        lambda input, *args, dtype=None, **_: make(tuple(input.shape), *args, dtype=dtype or input.dtype)
    )


for _name, _make in (
    ("zeros", zeros),
    ("empty", zeros),
    ("ones", ones),
    ("rand", random),
    ("randn", random),
    ("full", full),
):
    _like(_name, _make)


@implements("randint_like")
def _randint_like(input: Any, *bounds: Any, dtype: Any = None, **options: Any) -> Any:
    low, high = bounds if len(bounds) == 2 else (options.get("low", 0), *bounds, options.get("high"))[:2]
    return _between(low, high, tuple(input.shape), dtype or input.dtype)


def _new(name: str, make: Callable[..., Any]) -> None:
    implements(f"new_{name}", only=(torch.Tensor,))(
        lambda self, *args, dtype=None, **options: make(*args, dtype=dtype or self.dtype, **options)
    )


for _name, _make in (("zeros", zeros), ("empty", zeros), ("ones", ones), ("full", full), ("tensor", tensor)):
    _new(_name, _make)


@implements("fill", "constant")
def _fill(input: Any, value: Any) -> Any:
    return filled(tuple(input.shape), value, input.dtype)


@implements("zero")
def _zero(input: Any) -> Any:
    return filled(tuple(input.shape), 0, input.dtype)


@implements(
    "uniform", "normal", "trunc_normal", "exponential", "random", "geometric", "cauchy", "log_normal", "kaiming_uniform"
)
def _random(input: Any, *_: Any, **__: Any) -> Any:
    return drawn(tuple(input.shape), input.dtype)


implements("complex", only=(torch,))(complex_pair)


@implements("polar")
def _polar(abs: Any, angle: Any) -> Any:
    return complex_pair(abs * angle.cos(), abs * angle.sin())


@implements("view_as_complex")
def _view_as_complex(input: Any) -> Any:
    require(input.shape[-1] == 2, f"view_as_complex: the last axis of [{', '.join(map(str, input.shape))}] must be 2")
    known = torch.complex64 if input.dtype is torch.float32 else torch.complex128
    shape = tuple(input.shape[:-1])
    return out(
        record(Opaque("complex", shape, tuple(range(len(shape)))), arr(input).node, dtype=numpy_type(known)), known
    )


@implements("view_as_real")
def _view_as_real(input: Any) -> Any:
    known = torch.float32 if input.dtype is torch.complex64 else torch.float64
    shape = (*input.shape, 2)
    op = Opaque("real", shape, (*range(input.ndim), None))
    return out(record(op, arr(input).node, dtype=numpy_type(known)), known)


@implements("real", "imag", "angle")
def _real(input: Any) -> Any:
    if not input.dtype.is_complex:
        return input
    known = torch.float32 if input.dtype is torch.complex64 else torch.float64
    shape = tuple(input.shape)
    return out(record(Opaque("real", shape, tuple(range(len(shape)))), arr(input).node, dtype=numpy_type(known)), known)
