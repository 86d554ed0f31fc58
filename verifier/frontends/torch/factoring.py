"""Decompositions of matrices. Their shapes follow from two sizes; their values are not followed."""

from __future__ import annotations

from typing import Any

from ...dims import Size
from ...graph.node import require
from ..numpy.ordering import opaque
from .elements import numpy_type
from .framework import torch
from .layout import UNKNOWN
from .table import as_tensor, implements, out
from .tensor import SymbolicTensor


def _matrices(name: str, value: Any) -> SymbolicTensor:
    tensor = as_tensor(value)
    if tensor.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if not (tensor.dtype.is_floating_point or tensor.dtype.is_complex):
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {tensor.dtype}")
    return tensor


def _squares(name: str, value: Any) -> SymbolicTensor:
    tensor = _matrices(name, value)
    require(tensor.shape[-2] == tensor.shape[-1], f"{name}: matrices as high as wide")
    return tensor


def _part(tensor: SymbolicTensor, name: str, *sizes: Size, dtype: Any = None) -> SymbolicTensor:
    """One of the factors: the leading axes are the matrices', the others have no origin."""
    batch = tuple(tensor.shape[:-2])
    origin = (*range(len(batch)), *(None for _ in sizes))
    kind = tensor.dtype if dtype is None else dtype
    return out(opaque(name, (*batch, *sizes), origin, tensor.array, dtype=numpy_type(kind)), kind, UNKNOWN)


def _sides(tensor: SymbolicTensor) -> tuple[Size, Size, Size]:
    """Height, width, and the smaller of them."""
    height, width = tensor.shape[-2:]
    return height, width, height if height <= width else width


@implements("svd", only=(torch, torch.Tensor))
def _svd(input: Any, some: bool = True, compute_uv: bool = True) -> Any:
    tensor = _matrices("linalg.svd", input)
    height, width, least = _sides(tensor)
    reduced = some and compute_uv
    left = _part(tensor, "svd", height, least if reduced else height)
    right = _part(tensor, "svd", width, least if reduced else width)
    return torch.return_types.svd((left, _part(tensor, "svd", least, dtype=tensor.dtype.to_real()), right))


@implements("svd", only=(torch.linalg,))
def _linalg_svd(A: Any, full_matrices: bool = True, driver: Any = None) -> Any:
    tensor = _matrices("linalg.svd", A)
    height, width, least = _sides(tensor)
    left = _part(tensor, "svd", height, height if full_matrices else least)
    right = _part(tensor, "svd", width if full_matrices else least, width)
    return torch.return_types.linalg_svd((left, _part(tensor, "svd", least, dtype=tensor.dtype.to_real()), right))


@implements("svdvals", only=(torch.linalg,))
def _svdvals(A: Any, driver: Any = None) -> Any:
    tensor = _matrices("linalg.svdvals", A)
    return _part(tensor, "svdvals", _sides(tensor)[2], dtype=tensor.dtype.to_real())


@implements("eig", only=(torch.linalg,))
def _eig(A: Any) -> Any:
    tensor = _squares("linalg.eig", A)
    size, dtype = tensor.shape[-1], tensor.dtype.to_complex()
    values = _part(tensor, "eig", size, dtype=dtype)
    return torch.return_types.linalg_eig((values, _part(tensor, "eig", size, size, dtype=dtype)))


@implements("eigvals", only=(torch.linalg,))
def _eigvals(A: Any) -> Any:
    tensor = _squares("linalg.eigvals", A)
    return _part(tensor, "eigvals", tensor.shape[-1], dtype=tensor.dtype.to_complex())


@implements("eigh", only=(torch.linalg,))
def _eigh(A: Any, UPLO: str = "L") -> Any:
    tensor = _squares("linalg.eigh", A)
    size = tensor.shape[-1]
    values = _part(tensor, "eigh", size, dtype=tensor.dtype.to_real())
    return torch.return_types.linalg_eigh((values, _part(tensor, "eigh", size, size)))


@implements("eigvalsh", only=(torch.linalg,))
def _eigvalsh(A: Any, UPLO: str = "L") -> Any:
    tensor = _squares("linalg.eigvalsh", A)
    return _part(tensor, "eigvalsh", tensor.shape[-1], dtype=tensor.dtype.to_real())
