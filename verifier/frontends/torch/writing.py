"""Writes into tensors: the value takes the tensor's shape and element type, and never the other way round."""

from __future__ import annotations

from typing import Any

from ..numpy.array import unsupported
from ..numpy.lower import cast
from ..numpy.updating import fit
from .elements import numpy_type
from .framework import torch
from .table import as_tensor
from .tensor import SymbolicTensor


def apart(target: SymbolicTensor, value: Any, key: str = "") -> None:
    """Raises where what is read may overlap what is written: PyTorch refuses that where it sees it.

    The part of the target that is written to, under its own `key`, may be read too: `y[0] += 1` ends with that.
    """
    if type(value) is SymbolicTensor and value is not target and value.root() is target.root():
        if key and value.is_part(target, key):
            return
        raise unsupported("a write from the memory that is written to", "write a clone: y[1:] = y[:-1].clone()")


def refuse_leaf(target: SymbolicTensor) -> None:
    """Raises where autograd would: what gradients are wanted of is not written to, nor through a view.

    Raises:
        RuntimeError: as PyTorch's.
    """
    if not torch._C.is_grad_enabled():
        return
    through = ""
    while True:
        if target._requires_grad:  # pyright: ignore[reportPrivateUsage]
            raise RuntimeError(f"{through}a leaf Variable that requires grad is being used in an in-place operation.")
        base = target.looks_at()
        if base is None:
            return
        target, through = base, "a view of "


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
