"""Writes into tensors: the value takes the tensor's shape and element type, and never the other way round."""

from __future__ import annotations

from typing import Any

from ..numpy.lower import cast
from ..numpy.updating import fit
from .elements import numpy_type
from .framework import torch
from .table import as_tensor
from .tensor import SymbolicTensor


def write_into(target: SymbolicTensor, value: Any, purpose: str) -> SymbolicTensor:
    """The whole tensor becomes the value.

    Raises:
        ShapeMismatch: the value does not broadcast to the tensor's shape.
        RuntimeError: the element type would lose a kind, as PyTorch refuses it.
    """
    new = as_tensor(value)
    if not torch.can_cast(new.dtype, target.dtype):
        raise RuntimeError(f"result type {new.dtype} can't be cast to the desired output type {target.dtype}")
    fitted = fit(new.array, tuple(target.shape), f"writing {purpose} in place")
    target.write(cast(fitted, numpy_type(target.dtype)))
    return target
