"""Products that sum over an axis: matmul and its kin, linear layers, einsum."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.node import require
from ..numpy import lower
from ..numpy.array import unsupported
from ..numpy.functions import dispatch
from .elements import numpy_type, promoted
from .framework import F, torch
from .layout import CONTIGUOUS, UNKNOWN
from .shaping import axis_of
from .table import arr, as_tensor, implements, out
from .tensor import SymbolicTensor


def one_type(name: str, *tensors: SymbolicTensor) -> Any:
    """The element type that the operands of a product must share.

    Raises:
        RuntimeError: they do not, as PyTorch has it outside autocast.
    """
    first = tensors[0].dtype
    for other in tensors[1:]:
        if other.dtype is not first and not torch.is_autocast_enabled("cpu"):
            raise RuntimeError(
                f"{name}: expected both operands to have the same dtype, but got: {first} != {other.dtype}"
            )
    return first


def _ranks(name: str, wanted: tuple[int, ...], *tensors: SymbolicTensor) -> None:
    for tensor, rank in zip(tensors, wanted, strict=True):
        if tensor.ndim != rank:
            raise RuntimeError(f"{name}: expected a tensor of {rank} axes, got [{', '.join(map(str, tensor.shape))}]")


@implements("matmul", "__matmul__")
def matmul(input: Any, other: Any) -> Any:
    """Matrices in the last two axes, batches in front broadcast."""
    left, right = as_tensor(input), as_tensor(other)
    if not left.ndim or not right.ndim:
        raise RuntimeError("both arguments to matmul need to be at least 1D")
    dtype = one_type("matmul", left, right)
    folded = left.ndim <= 2 and right.ndim >= 3
    return out(lower.matmul(left.array, right.array), dtype, UNKNOWN if folded else CONTIGUOUS)


implements("__rmatmul__", only=(torch.Tensor,))(lambda right, left: matmul(left, right))


@implements("mm")
def _mm(input: Any, mat2: Any) -> Any:
    _ranks("mm", (2, 2), as_tensor(input), as_tensor(mat2))
    return matmul(input, mat2)


@implements("bmm")
def bmm(input: Any, mat2: Any) -> Any:
    """Batches of matrices: they do not broadcast."""
    left, right = as_tensor(input), as_tensor(mat2)
    _ranks("bmm", (3, 3), left, right)
    require(
        left.shape[0] == right.shape[0],
        f"batch axes of bmm: [{', '.join(map(str, left.shape))}] with [{', '.join(map(str, right.shape))}]",
    )
    return matmul(left, right)


@implements("mv")
def _mv(input: Any, vec: Any) -> Any:
    _ranks("mv", (2, 1), as_tensor(input), as_tensor(vec))
    return matmul(input, vec)


@implements("dot", "vdot")
def _dot_of_vectors(input: Any, tensor: Any) -> Any:
    _ranks("dot", (1, 1), as_tensor(input), as_tensor(tensor))
    return _dot(input, tensor)


@implements("inner")
def _dot(input: Any, tensor: Any) -> Any:
    left, right = as_tensor(input), as_tensor(tensor)
    dtype = one_type("dot", left, right)
    return out(dispatch(np.inner, (left.array, right.array), {}), dtype)


@implements("outer", "ger")
def _outer(input: Any, vec2: Any) -> Any:
    left, right = as_tensor(input), as_tensor(vec2)
    _ranks("outer", (1, 1), left, right)
    labels = (["i"], ["j"])
    dtype = promoted(torch.mul, left, right)
    return out(lower.contract((left.array, right.array), labels, ["i", "j"], numpy_type(dtype)), dtype)


def _added(input: Any, product: Any, beta: Any, alpha: Any) -> Any:
    product = product if _is_one(alpha) else product * alpha
    if type(beta) in (int, float) and beta == 0:
        return product
    result = (input if _is_one(beta) else input * beta) + product
    for size, wanted in zip(result.shape, product.shape, strict=False):
        require(size == wanted, "adding in place of the product: the first operand must broadcast to it")
    return result


def _is_one(value: Any) -> bool:
    return type(value) in (int, float) and value == 1


@implements("addmm")
def _addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return _added(input, _mm(mat1, mat2), beta, alpha)


@implements("baddbmm")
def _baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return _added(input, bmm(batch1, batch2), beta, alpha)


@implements("addmv")
def _addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return _added(input, _mv(mat, vec), beta, alpha)


@implements("linear", only=(F,))
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """x @ weight.T + bias."""
    tensor, matrix = as_tensor(input), as_tensor(weight)
    given = (tensor, matrix) if bias is None else (tensor, matrix, as_tensor(bias))
    dtype = one_type("linear", *given)
    if matrix.ndim == 1:
        result = matmul(tensor, matrix)
    else:
        lead = [f"b{i}" for i in range(tensor.ndim - 1)]
        shapes = [f"[{', '.join(map(str, s))}]" for s in (tensor.shape, matrix.shape)]
        require(
            tensor.shape[-1] == matrix.shape[1],
            f"axis {tensor.ndim - 1} of {shapes[0]} against axis 1 of {shapes[1]}, the weight of a linear layer",
            (tuple(tensor.shape), tuple(matrix.shape)),
        )
        array = lower.contract(
            (tensor.array, matrix.array), ([*lead, "k"], ["o", "k"]), [*lead, "o"], numpy_type(dtype)
        )
        result = out(array, dtype)
    if bias is None:
        return result
    total = result + bias
    for size, wanted in zip(total.shape, result.shape, strict=True):
        require(size == wanted, "adding the bias of linear")
    return total


@implements("bilinear", only=(F,))
def _bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    lead = "".join(chr(ord("a") + i) for i in range(input1.ndim - 1))
    left, right, matrices = as_tensor(input1), as_tensor(input2), as_tensor(weight)
    _ranks("bilinear", (3,), matrices)
    if left.ndim != right.ndim or not left.ndim:
        raise RuntimeError("bilinear(): input dimensions do not match")
    for a, b in zip((*left.shape[:-1], matrices.shape[1]), (*right.shape[:-1], matrices.shape[1]), strict=True):
        require(a == b, "bilinear: inputs with the same leading axes")
    for place, tensor in ((1, left), (2, right)):
        require(tensor.shape[-1] == matrices.shape[place], f"bilinear: axis {place} of the weight")
    result = einsum(f"{lead}x,oxy,{lead}y->{lead}o", input1, weight, input2)
    return result if bias is None else result + bias


@implements("einsum")
def einsum(equation: Any, *operands: Any) -> Any:
    """NumPy's rule, with operands that may come as a list."""
    given = list(operands[0]) if len(operands) == 1 and isinstance(operands[0], (tuple, list)) else list(operands)
    tensors = [as_tensor(t) for t in given]
    if not isinstance(equation, str):
        raise unsupported("einsum with lists of axes", "write the equation as a string")
    dtype = one_type("einsum", *tensors)
    try:
        array = dispatch(np.einsum, (equation, *(t.array for t in tensors)), {})
    except ValueError as error:
        from ...graph.node import ShapeMismatch

        raise error if isinstance(error, ShapeMismatch) else RuntimeError(f"einsum(): {error}") from None
    return out(array, dtype, UNKNOWN)


@implements("tensordot")
def _tensordot(a: Any, b: Any, dims: Any = 2) -> Any:
    left, right = as_tensor(a), as_tensor(b)
    dtype = one_type("tensordot", left, right)
    return out(dispatch(np.tensordot, (left.array, right.array, dims), {}), dtype)


@implements("chain_matmul", only=(torch,))
def _chain_of_matrices(*matrices: Any) -> Any:
    for matrix in matrices:
        _ranks("chain_matmul", (2,), as_tensor(matrix))
    return matrices[0] if len(matrices) == 1 else _chain(*matrices)


@implements("multi_dot", only=(torch.linalg,))
def _chain(*matrices: Any) -> Any:
    given = list(matrices[0]) if isinstance(matrices[0], (tuple, list)) else list(matrices)
    if len(given) < 2:
        raise RuntimeError("multi_dot(): expected at least 2 tensors")
    for place, matrix in enumerate(given):
        if matrix.ndim not in ((1, 2) if place in (0, len(given) - 1) else (2,)):
            raise RuntimeError(f"multi_dot(): tensor {place} has {matrix.ndim} axes")
    result = given[0]
    for other in given[1:]:
        result = matmul(result, other)
    return result


@implements("trace")
def _trace(input: Any) -> Any:
    _ranks("trace", (2,), as_tensor(input))
    return out(dispatch(np.trace, (arr(input),), {}), input.dtype)


@implements("diagonal")
def _diagonal(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    if axis_of(dim1, input.ndim) == axis_of(dim2, input.ndim):
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return out(dispatch(np.diagonal, (arr(input), offset, dim1, dim2), {}), input.dtype, UNKNOWN)


@implements("diag")
def _diag(input: Any, diagonal: int = 0) -> Any:
    return out(dispatch(np.diag, (arr(input), diagonal), {}), input.dtype)


@implements("kron")
def _kron(input: Any, other: Any) -> Any:
    if any(as_tensor(t).memory != CONTIGUOUS for t in (input, other)):
        raise unsupported("kron of a tensor that is not contiguous", "call .contiguous() first")
    return out(dispatch(np.kron, (arr(input), arr(other)), {}), promoted(torch.mul, input, other))


@implements("cdist")
def _cdist(x1: Any, x2: Any, p: Any = 2.0, compute_mode: Any = None) -> Any:
    from ..numpy.ordering import opaque

    left, right = as_tensor(x1), as_tensor(x2)
    require(left.shape[-1] == right.shape[-1], "cdist: points of one dimension")
    batch = lower.broadcast_shapes([tuple(left.shape[:-2]), tuple(right.shape[:-2])], "cdist")
    shape = (*batch, left.shape[-2], right.shape[-2])
    origin = (*(None for _ in batch), left.ndim - 2, None)
    return out(opaque("cdist", shape, origin, left.array, right.array, dtype=left.array.dtype), left.dtype)
