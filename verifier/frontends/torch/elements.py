"""Element types: PyTorch's, the NumPy ones that nodes carry, and PyTorch's own rules of promotion."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dims import is_dim
from ...terms import Term
from .framework import torch

NUMPY: dict[Any, np.dtype[Any]] = {
    getattr(torch, name): np.dtype(name)
    for name in (
        *("float64", "float32", "float16", "complex128", "complex64", "bool"),
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    )
}
NUMPY[torch.bfloat16] = np.dtype(np.float32)
"""A node of bfloat16 numbers says float32: its values are not rounded anyway, and the tensor knows its own type."""


def numpy_type(dtype: Any) -> np.dtype[Any]:
    """The element type that a node carries for PyTorch's."""
    return NUMPY.get(dtype, np.dtype(np.float32 if dtype.is_floating_point else np.int64))


def torch_type(name: str) -> Any:
    """PyTorch's element type of that name."""
    return getattr(torch, "bool" if name == "bool_" else name)


_known: dict[Any, Any] = {}
_empty: Any = torch.empty
"""PyTorch's own, which a run replaces."""


def promoted(function: Any, *operands: Any, **options: Any) -> Any:
    """The element type of a function's result: PyTorch is asked, with operands of one element that hold no data.

    Raises:
        RuntimeError: PyTorch's own, where it refuses such element types.
    """
    key = (function, *map(_kind, operands), *sorted(options.items()))
    if key not in _known:
        _known[key] = function(*map(_sample, operands), **options).dtype
    return _known[key]


def common_type(*operands: Any) -> Any:
    """The type that arithmetic brings its operands to, whether integers or not."""
    dtype = operand_type(operands[0])
    for place in range(1, len(operands)):
        dtype = promoted(torch.add, operands[place - 1] if place == 1 else _Typed(dtype, 1), operands[place])
    return dtype


class _Typed:
    def __init__(self, dtype: Any, ndim: int) -> None:
        self.dtype, self.ndim = dtype, ndim


def operand_type(value: Any) -> Any:
    """The element type that a value has as a tensor."""
    if hasattr(value, "dtype") and hasattr(value, "ndim"):
        return value.dtype if isinstance(value.dtype, torch.dtype) else torch_type(value.dtype.name)
    return _sample_of(_kind(value)).dtype


def _kind(value: Any) -> Any:
    if hasattr(value, "dtype") and hasattr(value, "ndim"):
        return (value.dtype, value.ndim > 0)
    if type(value) is Term:
        return float
    return int if is_dim(value) else type(value)


def _sample(value: Any) -> Any:
    kind = _kind(value)
    if isinstance(kind, tuple):
        dtype, dimensional = kind
        if not isinstance(dtype, torch.dtype):
            dtype = torch_type(dtype.name)
        return _empty((1,) if dimensional else (), dtype=dtype, device="meta")
    return {int: 1, float: 1.0, bool: True, complex: 1j}.get(kind, value)


def _sample_of(kind: Any) -> Any:
    return _empty((), dtype={int: torch.int64, bool: torch.bool, complex: torch.complex64}.get(kind, torch.float32))
