"""The square brackets, gathering, scattering, sorting: places that values or indices choose."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dims import Size, identical, is_dim
from ...graph.node import require
from ...graph.ops import Gather, Opaque
from ..numpy import indexing, updating
from ..numpy.array import SymbolicArray, unsupported
from ..numpy.functions import dispatch
from ..numpy.lower import cast, elementwise, record, reshape
from ..numpy.ordering import along, fresh_size, opaque
from ..recording import current_graph
from .elements import numpy_type
from .framework import F, torch
from .layout import CONTIGUOUS, UNKNOWN, Layout, strides_of, tidy
from .reducing import Pair
from .shaping import axis_of, looking, size_of
from .table import arr, as_tensor, implements, is_real, is_tensor, out
from .tensor import SymbolicTensor
from .writing import apart, refuse_leaf


def _key(key: Any) -> Any:
    """The key with tensors as NumPy's stand-ins; a list picks."""
    if isinstance(key, tuple):
        return tuple(_key_part(k) for k in key)
    return _key_part(key)


def _key_part(key: Any) -> Any:
    if is_tensor(key):
        known = _number(key)
        return known if known is not None else key.array
    if is_real(key) or isinstance(key, (list, np.ndarray, range)):
        return arr(list(key) if isinstance(key, range) else key)
    if isinstance(key, slice):
        if type(key.step) is int and key.step < 0:
            raise ValueError("step must be greater than zero")
        return slice(*(size_of(s) if s is not None and not is_dim(s) else s for s in (key.start, key.stop, key.step)))
    return key


def _number(key: SymbolicTensor) -> Any:
    """A size that a tensor of no axes holds."""
    if key.shape or key.dtype is torch.bool:
        return None
    from ..numpy.lower import constant_value

    found = constant_value(key.node)
    return found if is_dim(found) or type(found) is int else None


def _parts(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def _is_basic(key: Any) -> bool:
    return not any(type(k) is SymbolicArray or isinstance(k, (bool, np.bool_)) for k in _parts(key))


def replaced(array: SymbolicArray, key: Any, value: Any) -> SymbolicArray:
    """The array with a part of it replaced, as a new one."""
    from ..numpy.updating import memory_of

    fresh = SymbolicArray(array.node)
    overwritten = current_graph().overwritten
    before = set(overwritten)
    updating.set_item(fresh, key, value)
    overwritten.intersection_update(before | {id(memory_of(fresh._node))})  # pyright: ignore[reportPrivateUsage]
    overwritten.discard(id(memory_of(fresh._node)))  # pyright: ignore[reportPrivateUsage]
    return fresh


@implements("__getitem__", only=(torch.Tensor,))
def _getitem(self: Any, key: Any) -> Any:
    tensor = as_tensor(self)
    asked = _key(key)
    masks = [k for k in _parts(asked) if type(k) is SymbolicArray and k.dtype == np.bool_]
    if masks and len(_parts(asked)) > 1:
        return _masked_among(tensor, list(_parts(asked)))
    if any(isinstance(k, (bool, np.bool_)) for k in _parts(asked)):
        raise unsupported("a truth value among indices")
    if not _is_basic(asked):
        return out(tensor.array[asked], tensor.dtype, CONTIGUOUS if tensor.memory == CONTIGUOUS else UNKNOWN)
    layout = _cut_layout(tensor, asked)
    return looking(
        tensor, lambda array: array[asked], lambda array, value: replaced(array, asked, value), layout, repr(asked)
    )


def _cut_layout(tensor: SymbolicTensor, key: Any) -> Layout:
    """The strides of what a key of slices and numbers selects."""
    shape = tuple(tensor.shape)
    strides = strides_of(tensor.memory, shape)
    if strides is None:
        return UNKNOWN
    keys = list(_parts(key))
    used = sum(k is not None and k is not Ellipsis for k in keys)
    if Ellipsis in [k for k in keys if k is Ellipsis]:
        place = next(i for i, k in enumerate(keys) if k is Ellipsis)
    else:
        place = len(keys)
        keys.append(Ellipsis)
    keys[place : place + 1] = [slice(None)] * (len(shape) - used)
    steps: list[Size] = []
    axis = 0
    for item in keys:
        if item is None:
            steps.append(1)
            continue
        if isinstance(item, slice):
            steps.append(strides[axis] * (1 if item.step is None else item.step))
        axis += 1
    target = tuple(tensor.array[key].shape)
    return tidy(steps, target)


def _masked_among(tensor: SymbolicTensor, keys: list[Any]) -> SymbolicTensor:
    """A mask of one axis among slices: as many places as it has True, a size of its own."""
    shape = list(tensor.shape)
    axis = 0
    found = [k for k in keys if k is not None]
    if any(k is Ellipsis for k in found):
        place = next(i for i, k in enumerate(found) if k is Ellipsis)
        used = sum(k.ndim if type(k) is SymbolicArray and k.dtype == np.bool_ else 1 for k in found) - 1
        found[place : place + 1] = [slice(None)] * (tensor.ndim - used)
    if len(found) != len(keys) or any(not isinstance(k, slice) and type(k) is not SymbolicArray for k in found):
        raise unsupported("a boolean mask among other indices")
    if sum(type(k) is SymbolicArray for k in found) > 1:
        raise unsupported("a boolean mask among other index tensors")
    rest: list[Any] = []
    place, mask = 0, None
    for item in found:
        if isinstance(item, slice):
            rest.append(item)
            axis += 1
            continue
        place, mask = axis, item
        for offset, size in enumerate(item.shape):
            require(
                size == shape[axis + offset],
                f"boolean index of axis {axis + offset}: mask has {size}, array has {shape[axis + offset]}",
            )
            rest.append(slice(None))
        axis += item.ndim
    cut = tensor.array[tuple(rest)]
    assert mask is not None
    count = fresh_size()
    target = (*cut.shape[:place], count, *cut.shape[place + mask.ndim :])
    origin = (*range(place), None, *range(place + mask.ndim, cut.ndim))
    return out(opaque("compress", target, origin, cut, mask, dtype=cut.dtype), tensor.dtype)


@implements("__setitem__", only=(torch.Tensor,))
def _setitem(self: Any, key: Any, value: Any) -> None:
    if not is_tensor(self):
        raise unsupported("writing symbolic values into a real tensor", "make the tensor inside the function")
    refuse_leaf(self)
    if _is_basic(_key(key)):
        apart(self, value, repr(_key(key)))
    new = arr(value)
    if is_tensor(value) and not torch.can_cast(value.dtype, self.dtype) and value.dtype.is_complex:
        raise RuntimeError(f"value cannot be converted to {self.dtype}")
    asked = _key(key)
    masks = [k for k in _parts(asked) if type(k) is SymbolicArray and k.dtype == np.bool_]
    if masks and len(_parts(asked)) > 1:
        raise unsupported("a write under a boolean mask among other indices")
    self.write(replaced(self.array, asked, new))


# -- gathering ------------------------------------------------------------------------------------


def _integers(index: Any, name: str) -> SymbolicArray:
    if as_tensor(index).dtype not in (torch.int64, torch.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32 or int64 for index, got {as_tensor(index).dtype}")
    return arr(index)


@implements("embedding", only=(F,))
def _embedding(
    input: Any,
    weight: Any,
    padding_idx: Any = None,
    max_norm: Any = None,
    norm_type: Any = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    places = _integers(input, "embedding")
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    indexing.inside_axis(places, weight.shape[0], 0)
    return out(record(Gather(0), arr(weight).node, places.node, dtype=arr(weight).dtype), weight.dtype)


implements("embedding", only=(torch,))(lambda weight, indices, *_, **__: _embedding(indices, weight))


@implements("index_select")
def _index_select(input: Any, dim: Any, index: Any) -> Any:
    place = axis_of(dim, input.ndim)
    places = _integers(index, "index_select")
    if places.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    places = places if places.ndim else reshape(places, (1,))
    indexing.inside_axis(places, input.shape[place], place)
    return out(record(Gather(place), arr(input).node, places.node, dtype=arr(input).dtype), input.dtype)


@implements("take")
def _take(input: Any, index: Any) -> Any:
    if as_tensor(index).dtype is not torch.int64:
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {index.dtype}")
    return out(dispatch(np.take, (arr(input), arr(index)), {}), input.dtype)


@implements("gather")
def _gather(input: Any, dim: Any, index: Any, *, sparse_grad: bool = False) -> Any:
    """The index has the input's axes and may be shorter along the others."""
    array, places = arr(input), _integers(index, "gather")
    if places.ndim != array.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    place = axis_of(dim, array.ndim)
    for axis, (size, wanted) in enumerate(zip(places.shape, array.shape, strict=True)):
        if axis != place:
            require(size <= wanted, f"index: gather takes {size} places of axis {axis} of size {wanted}")
    indexing.inside_axis(places, array.shape[place], place)
    origin = tuple(None if i == place or not identical(s, array.shape[i]) else i for i, s in enumerate(places.shape))
    return out(opaque("gather", places.shape, origin, array, places, dtype=array.dtype), input.dtype)


@implements("take_along_dim")
def _take_along_dim(input: Any, indices: Any, dim: Any = None) -> Any:
    return out(dispatch(np.take_along_axis, (arr(input), arr(indices)), {"axis": dim}), input.dtype)


@implements("masked_select")
def _masked_select(input: Any, mask: Any) -> Any:
    from ..numpy.lower import broadcast_shapes

    if as_tensor(mask).dtype is not torch.bool:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    broadcast_shapes([tuple(input.shape), tuple(mask.shape)], "masked_select")
    return out(opaque("compress", (fresh_size(),), (None,), arr(input), arr(mask), dtype=arr(input).dtype), input.dtype)


@implements("nonzero")
def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    """The places of what is not zero: as many as the data have."""
    array = arr(input)
    count = fresh_size()
    if as_tuple:
        return tuple(
            out(opaque("nonzero", (count,), (None,), array, dtype=np.int64), torch.int64) for _ in range(array.ndim)
        )
    return out(opaque("nonzero", (count, array.ndim), (None, None), array, dtype=np.int64), torch.int64)


implements("argwhere")(lambda input: nonzero(input))


@implements("bincount")
def _bincount(input: Any, weights: Any = None, minlength: Any = 0) -> Any:
    tensor = as_tensor(input)
    if tensor.dtype is torch.bool:
        raise RuntimeError(f'"bincount_cpu" not implemented for {tensor.dtype}')
    if tensor.ndim != 1 or tensor.dtype.is_floating_point or tensor.dtype.is_complex:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    known = torch.int64
    if weights is not None:
        weighed = as_tensor(weights)
        if weighed.ndim != 1:
            raise RuntimeError("bincount: weights must be a vector")
        require(weighed.shape[0] == tensor.shape[0], f"bincount: {weighed.shape[0]} weights of {tensor.shape[0]}")
        known = torch.float32 if weighed.dtype is torch.float32 else torch.float64
    return out(opaque("bincount", (fresh_size(),), (None,), arr(input), dtype=numpy_type(known)), known)


@implements("one_hot", only=(F,))
def _one_hot(tensor: Any, num_classes: Any = -1) -> Any:
    if type(num_classes) is int and num_classes == -1:
        raise unsupported("one_hot without num_classes", "say how many classes there are")
    from ..numpy.creation import arange

    if as_tensor(tensor).dtype is not torch.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    require(size_of(num_classes) >= 1, f"one_hot: {num_classes} classes")
    places = arr(tensor)
    column = reshape(places, (*places.shape, 1))
    return out(
        cast(elementwise("equal", column, arange(size_of(num_classes)), dtype=bool), np.dtype(np.int64)), torch.int64
    )


# -- scattering -----------------------------------------------------------------------------------


def _put(input: Any, *sources: Any) -> SymbolicTensor:
    array = arr(input)
    op = Opaque("put", array.shape, tuple(range(array.ndim)))
    return out(record(op, array.node, *(arr(s).node for s in sources), dtype=array.dtype), input.dtype)


@implements("scatter", "scatter_add", "scatter_reduce")
def _scatter(
    input: Any,
    dim: Any,
    index: Any,
    src: Any = None,
    *rest: Any,
    value: Any = None,
    reduce: Any = None,
    include_self: bool = True,
) -> Any:
    place = axis_of(dim, input.ndim)
    places = _integers(index, "scatter")
    if places.ndim != input.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    new = src if src is not None else value
    for axis in range(input.ndim):
        if axis != place:
            require(
                places.shape[axis] <= input.shape[axis],
                f"index: scatter of {places.shape[axis]} places into axis {axis} of size {input.shape[axis]}",
            )
        if is_tensor(new) and new.ndim:
            require(
                places.shape[axis] <= new.shape[axis],
                f"index: scatter of {places.shape[axis]} places from axis {axis} of size {new.shape[axis]}",
            )
    indexing.inside_axis(places, input.shape[place], place)
    return _put(input, index, new)


@implements("index_add", "index_copy")
def _index_add(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    place = axis_of(dim, input.ndim)
    places = _integers(index, "index_add")
    for axis in range(input.ndim):
        wanted = places.shape[0] if axis == place else input.shape[axis]
        require(
            source.shape[axis] == wanted,
            f"assigning by index: axis {axis} of the source has {source.shape[axis]}, needs {wanted}",
        )
    indexing.inside_axis(places, input.shape[place], place)
    return _put(input, index, source)


@implements("index_fill")
def _index_fill(input: Any, dim: Any, index: Any, value: Any) -> Any:
    axis_of(dim, input.ndim)
    return _put(input, index, value)


@implements("index_put")
def _index_put(input: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    return out(replaced(arr(input), _key(tuple(indices)), arr(values)), input.dtype)


@implements("copy")
def _copy(input: Any, src: Any, non_blocking: bool = False) -> Any:
    return as_tensor(src)


@implements("unique", only=(torch, torch.Tensor))
def _unique(
    input: Any,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Any = None,
) -> Any:
    """As many as the values say: a size of their own. The inverse has the input's places, or those of the axis."""
    array, count = arr(input), fresh_size()
    place = None if dim is None else axis_of(dim, array.ndim)
    if place is not None and not array.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    shape = (count,) if place is None else tuple(count if i == place else s for i, s in enumerate(array.shape))
    origin = tuple(None if place is None or i == place else i for i in range(len(shape)))
    found = [out(opaque("unique", shape, origin, array, dtype=array.dtype), input.dtype)]
    if return_inverse:
        whole = array.shape if place is None else (array.shape[place],)
        found.append(out(opaque("inverse", whole, (None,) * len(whole), array, dtype=np.int64), torch.int64))
    if return_counts:
        found.append(out(opaque("counts", (count,), (None,), array, dtype=np.int64), torch.int64))
    return found[0] if len(found) == 1 else tuple(found)


@implements("unique_consecutive", only=(torch, torch.Tensor))
def _unique_consecutive(input: Any, return_inverse: bool = False, return_counts: bool = False, dim: Any = None) -> Any:
    return _unique(input, True, return_inverse, return_counts, dim)


# -- sorting --------------------------------------------------------------------------------------


@implements("topk")
def _topk(input: Any, k: Any, dim: Any = -1, largest: bool = True, sorted: bool = True) -> Any:
    array = arr(input)
    place, count = axis_of(dim, array.ndim), size_of(k)
    require(count >= 0, f"index: the {count} largest of axis {place}")
    if not array.ndim:
        require(count <= 1, f"index: the {count} largest of one")
        return Pair((as_tensor(input), out(along("argsort", array, np.int64), torch.int64)))
    require(count <= array.shape[place], f"index: the {count} largest of axis {place} of size {array.shape[place]}")
    shape = tuple(count if i == place else s for i, s in enumerate(array.shape))
    origin = tuple(None if i == place else i for i in range(array.ndim))
    values = opaque("topk", shape, origin, array, dtype=array.dtype)
    return Pair((out(values, input.dtype), out(opaque("topk", shape, origin, array, dtype=np.int64), torch.int64)))


@implements("kthvalue")
def _kthvalue(input: Any, k: Any, dim: Any = -1, keepdim: bool = False) -> Any:
    array = arr(input)
    place, count = axis_of(dim, array.ndim), size_of(k)
    size = array.shape[place] if array.ndim else 1
    require(count >= 1, f"index: the {count}th smallest of axis {place}")
    require(count <= size, f"index: the {count}th smallest of axis {place} of size {size}")
    if not array.ndim:
        return Pair((as_tensor(input), out(along("argsort", array, np.int64), torch.int64)))
    picked = _topk(input, 1, dim)
    return picked if keepdim else Pair(t.squeeze(dim) for t in picked)


@implements("msort")
def _msort(input: Any) -> Any:
    return _sort(input, 0)[0]


@implements("sort")
def _sort(input: Any, dim: Any = -1, descending: bool = False, stable: bool = False) -> Any:
    array = arr(input)
    axis_of(dim, array.ndim)
    return Pair(
        (out(along("sort", array, array.dtype), input.dtype), out(along("argsort", array, np.int64), torch.int64))
    )


@implements("argsort")
def _argsort(input: Any, dim: Any = -1, descending: bool = False, stable: bool = False) -> Any:
    axis_of(dim, input.ndim)
    return out(along("argsort", arr(input), np.int64), torch.int64)


@implements("multinomial")
def _multinomial(input: Any, num_samples: Any, replacement: bool = False) -> Any:
    array, count = arr(input), size_of(num_samples)
    if array.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not as_tensor(input).dtype.is_floating_point:
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {input.dtype}")
    require(count >= 1, f"multinomial: {count} samples")
    if not replacement:
        require(count <= array.shape[-1], f"multinomial: {count} samples of {array.shape[-1]} without replacement")
    shape = (*array.shape[:-1], count)
    return out(opaque("multinomial", shape, (*range(array.ndim - 1), None), array, dtype=np.int64), torch.int64)


@implements("bernoulli", "poisson")
def _bernoulli(input: Any, p: Any = None) -> Any:
    return out(along("random", arr(input), arr(input).dtype), input.dtype)


@implements("tril")
def _tril(input: Any, diagonal: Any = 0) -> Any:
    return out(dispatch(np.tril, (arr(input), diagonal), {}), input.dtype)


@implements("triu")
def _triu(input: Any, diagonal: Any = 0) -> Any:
    return out(dispatch(np.triu, (arr(input), diagonal), {}), input.dtype)
