"""Products of whole axes and numpy.linalg."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...graph.node import Shape, require
from ...graph.ops import Input
from ...graph.primitive import elements
from ...terms.fold import INVERSE
from .array import SymbolicArray, unsupported
from .functions import TABLE, apply_ufunc, dispatch, implements
from .lower import broadcast_shapes, contract, element_type, lift, matmul, normal_axes, record, reshape
from .ordering import opaque


class Decomposed(NamedTuple):
    """What numpy.linalg.svd returns, under NumPy's names."""

    U: SymbolicArray
    S: SymbolicArray
    Vh: SymbolicArray


def dispatch_product(left: SymbolicArray, right: SymbolicArray) -> SymbolicArray:
    """left * right, element by element."""
    return apply_ufunc(np.multiply, "__call__", (left, right), {})


@implements(np.tensordot)
def _tensordot(a: Any, b: Any, axes: Any = 2) -> SymbolicArray:
    left, right = lift(a), lift(b)
    if isinstance(axes, (tuple, list)):
        first, second = axes
        mine = normal_axes(first, left.ndim)
        theirs = normal_axes(second, right.ndim)
    else:
        count = axes.__index__()
        mine, theirs = tuple(range(left.ndim - count, left.ndim)), tuple(range(count))
    if len(mine) != len(theirs) or any(i < 0 for i in mine):
        raise ValueError("shape-mismatch for sum")
    one, two = [f"a{i}" for i in range(left.ndim)], [f"b{i}" for i in range(right.ndim)]
    for i, j in zip(mine, theirs, strict=True):
        two[j] = one[i]
    result = [s for i, s in enumerate(one) if i not in mine] + [s for j, s in enumerate(two) if j not in theirs]
    return contract((left, right), (one, two), result, element_type(np.multiply, (left, right)))


@implements(np.inner)
def _inner(a: Any, b: Any) -> SymbolicArray:
    left, right = lift(a), lift(b)
    if not left.shape or not right.shape:
        return dispatch_product(left, right)
    return _tensordot(left, right, ((-1,), (-1,)))


@implements(np.vdot)
def _vdot(a: Any, b: Any) -> SymbolicArray:
    left, right = (reshape(lift(x), (elements(lift(x).shape),)) for x in (a, b))
    return _tensordot(left, right, 1)


@implements(np.kron)
def _kron(a: Any, b: Any) -> SymbolicArray:
    left, right = lift(a), lift(b)
    rank = max(left.ndim, right.ndim)
    left, right = (reshape(x, (1,) * (rank - x.ndim) + x.shape) for x in (left, right))
    slow = reshape(left, tuple(s for e in left.shape for s in (e, 1)))
    fast = reshape(right, tuple(s for e in right.shape for s in (1, e)))
    wide = dispatch_product(slow, fast)
    return reshape(wide, tuple(x * y for x, y in zip(left.shape, right.shape, strict=True)))


@implements(np.linalg.multi_dot)
def _multi_dot(arrays: Any, *, out: Any = None) -> SymbolicArray:
    ranks = [lift(a).ndim for a in arrays]
    if len(ranks) < 2:
        raise ValueError("Expecting at least two arrays.")
    ends = (ranks[0], ranks[-1]) if len(ranks) > 2 else ()  # two of them are multiplied as they are
    if any(r not in (1, 2) for r in ends) or any(r != 2 for r in ranks[1:-1]):
        raise np.linalg.LinAlgError("multi_dot takes matrices, and a vector at either end")
    result = lift(arrays[0])
    for other in arrays[1:]:
        result = matmul(result, lift(other))
    return result


@implements(np.linalg.norm)
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> SymbolicArray:  # noqa: A002  NumPy's name
    array = lift(x)
    if axis is None and ord is not None and array.ndim not in (1, 2):
        raise ValueError("Improper number of dimensions to norm.")
    _known_order(ord, array.ndim if axis is None else len(axis) if isinstance(axis, (tuple, list)) else 1, axis)
    if ord in (None, 2, "fro") and (ord != 2 or axis is None or not isinstance(axis, (tuple, list))):
        if ord == 2 and axis is None and array.ndim == 2:
            return opaque("norm", (), (), array, dtype=np.float64)
        squares = dispatch(np.sum, (dispatch_product(array, array),), {"axis": axis, "keepdims": keepdims})
        return np.sqrt(squares)  # pyright: ignore[reportReturnType, reportCallIssue, reportArgumentType]
    places = normal_axes(axis, array.ndim)
    kept = [i for i in range(array.ndim) if i not in places]
    result = opaque("norm", tuple(array.shape[i] for i in kept), tuple(kept), array, dtype=np.float64)
    return reshape(result, tuple(1 if i in places else s for i, s in enumerate(array.shape))) if keepdims else result


def _known_order(order: Any, rank: int, axis: Any) -> None:
    """Vectors take any number for `ord`, matrices few; of more axes there is only the plain norm of all."""
    if (axis is not None and rank not in (1, 2)) or (order is not None and rank not in (1, 2)):
        raise ValueError("Improper number of dimensions to norm.")
    if rank == 1 and isinstance(order, str):
        raise ValueError(f"Invalid norm order {order!r} for vectors")
    if rank == 2 and order not in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        raise ValueError("Invalid norm order for matrices.")


def _square(array: SymbolicArray, name: str) -> Shape:
    if array.ndim < 2:
        raise np.linalg.LinAlgError(f"{array.ndim}-dimensional array given. Array must be at least two-dimensional")
    require(array.shape[-2] == array.shape[-1], f"{name} of a matrix that must be square")
    return array.shape


def _floating(array: SymbolicArray) -> np.dtype[Any]:
    return array.dtype if array.dtype.kind in "fc" else np.dtype(np.float64)


@implements(np.linalg.inv)
def _inv(a: Any) -> SymbolicArray:
    """Of an argument, a matrix of its own whose product with it the meaning reading knows; else opaque."""
    array = lift(a)
    shape = _square(array, "inv")
    if isinstance(array.node.op, Input) and array.ndim == 2:
        return record(Input(f"{array.node.op.name}{INVERSE}", shape), dtype=_floating(array))
    swapped = (*range(array.ndim - 2), array.ndim - 1, array.ndim - 2)
    return opaque("inv", shape, swapped, array, dtype=_floating(array))


@implements(np.linalg.pinv)
def _pinv(a: Any, *_: Any, **__: Any) -> SymbolicArray:
    array = lift(a)
    shape = (*array.shape[:-2], array.shape[-1], array.shape[-2])
    return opaque("pinv", shape, (None,) * array.ndim, array, dtype=_floating(array))


@implements(np.linalg.cholesky)
def _cholesky(a: Any, /, *, upper: bool = False) -> SymbolicArray:
    array = lift(a)
    return opaque("cholesky", _square(array, "cholesky"), tuple(range(array.ndim)), array, dtype=_floating(array))


@implements(np.linalg.det)
def _det(a: Any) -> SymbolicArray:
    array = lift(a)
    shape = _square(array, "det")[:-2]
    return opaque("det", shape, tuple(range(len(shape))), array, dtype=_floating(array))


@implements(np.linalg.solve)
def _solve(a: Any, b: Any) -> SymbolicArray:
    left, right = lift(a), lift(b)
    _square(left, "solve")
    if right.ndim == 1:
        require(left.shape[-1] == right.shape[0], "solve: rows of both sides")
        shape = (*left.shape[:-2], left.shape[-1])
    else:
        require(left.shape[-1] == right.shape[-2], "solve: rows of both sides")
        batch = broadcast_shapes([left.shape[:-2], right.shape[:-2]], "solve")
        shape = (*batch, left.shape[-1], right.shape[-1])
    return opaque("solve", shape, (None,) * len(shape), left, right, dtype=_floating(left))


@implements(np.linalg.svd)
def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    array = lift(a)
    if array.ndim < 2:
        raise np.linalg.LinAlgError(f"{array.ndim}-dimensional array given. Array must be at least two-dimensional")
    *batch, m, n = array.shape
    k = m if m <= n else n
    dtype = _floating(array)

    def part(*shape: Any) -> SymbolicArray:
        return opaque("svd", (*batch, *shape), (*range(len(batch)), *(None for _ in shape)), array, dtype=dtype)

    if not compute_uv:
        return part(k)
    return Decomposed(part(m, m if full_matrices else k), part(k), part(n if full_matrices else k, n))


@implements(np.linalg.qr)
def _qr(a: Any, mode: str = "reduced") -> Any:
    array = lift(a)
    if mode not in ("reduced", "complete", "r"):
        raise unsupported(f"numpy.linalg.qr with mode={mode!r}")
    *batch, m, n = array.shape
    k = m if mode == "complete" else m if m <= n else n
    dtype = _floating(array)
    origin = tuple(range(len(batch)))
    q = opaque("qr", (*batch, m, k), (*origin, None, None), array, dtype=dtype)
    r = opaque("qr", (*batch, k, n), (*origin, None, None), array, dtype=dtype)
    return r if mode == "r" else (q, r)


@implements(np.linalg.eigh)
def _eigh(a: Any, UPLO: str = "L") -> Any:
    array = lift(a)
    shape = _square(array, "eigh")
    values = opaque("eigh", shape[:-1], (None,) * (len(shape) - 1), array, dtype=_floating(array))
    return values, opaque("eigh", shape, (None,) * len(shape), array, dtype=_floating(array))


TABLE[np.linalg.matrix_norm] = lambda x, keepdims=False, ord="fro": _norm(x, ord, (-2, -1), keepdims)  # noqa: A006  NumPy's name


@implements(np.linalg.vector_norm)
def _vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> SymbolicArray:  # noqa: A002
    array = lift(x)
    if axis is None:
        made = _norm(reshape(array, (elements(array.shape),)), ord, 0)
        return reshape(made, (1,) * array.ndim) if keepdims else made
    return _norm(array, ord, axis, keepdims)
