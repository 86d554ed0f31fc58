"""Other shapes of the same elements: views where PyTorch's strides allow it, copies where they do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...dims import Size, identical, is_dim
from ...graph.node import Shape, require
from ...graph.primitive import elements
from ...terms import Term
from ..numpy import lower
from ..numpy.array import SymbolicArray, unsupported
from ..numpy.functions import dispatch
from ..numpy.ordering import opaque
from .devices import PINNED, needs_a_gpu, refuse_device
from .framework import torch
from .layout import (
    CONTIGUOUS,
    UNKNOWN,
    Layout,
    NotAView,
    is_contiguous,
    like,
    permuted,
    strides_of,
    surely_viewed,
    tidy,
    viewed,
)
from .table import arr, as_tensor, implements, is_real, out
from .tensor import Open, SymbolicShape, SymbolicTensor, View, whole


def size_of(value: Any) -> Size:
    """A size as it is; an integer tensor of no axes as the number that it holds."""
    if is_dim(value) or type(value) is int:
        return value
    if type(value) is Term:
        if "/" in str(value) or "sqrt" in str(value):  # `n ** n` may be an int, `n / 2` is none
            raise TypeError("a size must be an int, not float")
        raise unsupported(f"a size of {value}")
    if type(value) is bool or isinstance(value, float):
        raise TypeError(f"a size must be an int, not {type(value).__name__}")
    if type(value) is SymbolicTensor:
        return size_of(value.item())
    return value.__index__()


def sizes(shape: Sequence[Any]) -> tuple[Size, ...]:
    """`f(2, 3)` and `f((2, 3))` alike."""
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = shape[0]
    return tuple(map(size_of, shape))


def axis_of(dim: Any, rank: int) -> int:
    """A plain axis from 0; a tensor of no axes lets 0 and -1 be named.

    Raises:
        IndexError: as PyTorch does.
    """
    number = dim.__index__()
    reach = max(rank, 1)
    if not -reach <= number < reach:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-reach}, {reach - 1}], but got {number})"
        )
    return number % reach


def axes_of(dim: Any, rank: int) -> tuple[int, ...]:
    if dim is None or (isinstance(dim, (tuple, list)) and not dim):
        return tuple(range(rank))
    axes = tuple(axis_of(d, rank) for d in (dim if isinstance(dim, (tuple, list)) else (dim,)))
    if len(set(axes)) != len(axes):
        raise RuntimeError(f"dim {axes[0]} appears multiple times in the list of dims")
    return axes


def alike(name: str, input: Any) -> SymbolicTensor:
    """A result of the tensor's own shape whose values are not followed."""
    array = arr(input)
    result = opaque(name, array.shape, tuple(range(array.ndim)), array, dtype=array.dtype)
    return out(result, input.dtype, like(input.memory, tuple(input.shape)))


def looking(
    tensor: Any,
    derive: Callable[[SymbolicArray], SymbolicArray],
    back: Callable[..., SymbolicArray],
    layout: Layout,
    key: str = "",
) -> SymbolicTensor:
    """A view of a tensor."""
    base = as_tensor(tensor)
    return SymbolicTensor(derive(base.array), base.dtype, layout, View(base, derive, back, key))


def in_shape(tensor: SymbolicTensor, shape: Shape, layout: Layout) -> SymbolicTensor:
    """The tensor's memory in another shape."""
    return looking(tensor, *_reshaping(shape), layout)


def _reshaping(shape: Shape) -> tuple[Callable[..., SymbolicArray], Callable[..., SymbolicArray]]:
    return (lambda array: lower.reshape(array, shape), lambda array, value: lower.reshape(value, array.shape))


def _undecided() -> Layout:
    raise unsupported(
        "a write into what may be a view, or into what it may look at: the kernel that made it chose how it lies",
        "write to a clone",
    )


@implements("view")
def _view(input: Any, *shape: Any, dtype: Any = None) -> Any:
    if dtype is not None or (len(shape) == 1 and isinstance(shape[0], torch.dtype)):
        raise unsupported("Tensor.view as another element type")
    array = lower.reshape(arr(input), sizes(shape))
    layout = viewed(input.memory, tuple(input.shape), tuple(array.shape))
    if layout is None:
        raise unsupported("a view of what lies in memory as the kernel that made it chose", "use .reshape")
    return in_shape(input, tuple(array.shape), layout)


@implements("view_as")
def _view_as(input: Any, other: Any) -> Any:
    return _view(input, other.shape)


@implements("reshape")
def reshaped(input: Any, *shape: Any) -> Any:
    """A view where the strides allow it at every size, else a copy."""
    tensor = as_tensor(input)
    array = lower.reshape(tensor.array, sizes(shape))
    shape, target, memory = tuple(tensor.shape), tuple(array.shape), tensor.memory
    view = View(tensor, *_reshaping(target))
    if memory == UNKNOWN:
        return SymbolicTensor(array, tensor.dtype, UNKNOWN, Open(view, _undecided, UNKNOWN))
    layout = surely_viewed(memory, shape, target)
    if layout is not None:
        return in_shape(tensor, target, layout)

    def decide() -> Layout | None:
        try:
            return viewed(memory, shape, target)
        except NotAView:
            return None

    return SymbolicTensor(array, tensor.dtype, CONTIGUOUS, Open(view, decide))


@implements("reshape_as")
def _reshape_as(input: Any, other: Any) -> Any:
    return reshaped(input, other.shape)


@implements("flatten")
def _flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    tensor = as_tensor(input)
    shape = tuple(tensor.shape)
    first, last = axis_of(start_dim, len(shape)), axis_of(end_dim, len(shape))
    if not shape:
        return reshaped(tensor, 1)
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    return reshaped(tensor, (*shape[:first], elements(shape[first : last + 1]), *shape[last + 1 :]))


implements("ravel")(lambda input: reshaped(input, (as_tensor(input).numel(),)))


@implements("unflatten")
def _unflatten(input: Any, dim: Any, sizes: Any) -> Any:
    shape, place = tuple(input.shape), axis_of(dim, input.ndim)
    return _view(input, (*shape[:place], *_inferred(shape[place], tuple(sizes)), *shape[place + 1 :]))


def _inferred(size: Size, parts: Shape) -> Shape:
    """The one -1 among the parts made out, so that others stay whole."""
    if not any(type(s) is int and s == -1 for s in parts):
        require(elements(parts) == size, f"reshaping an axis of {size} to [{', '.join(map(str, parts))}]")
        return parts
    known = elements(tuple(s for s in parts if not (type(s) is int and s == -1)))
    require(size % known == 0, f"reshaping an axis of {size} to [{', '.join(map(str, parts))}]")
    return tuple(size // known if type(s) is int and s == -1 else s for s in parts)


# -- orders of axes -------------------------------------------------------------------------------


def ordered(input: Any, order: Sequence[int]) -> SymbolicTensor:
    """The axes in another order."""
    tensor = as_tensor(input)
    axes = tuple(order)
    inverse = tuple(axes.index(i) for i in range(len(axes)))
    return looking(
        tensor,
        lambda array: lower.transpose(array, axes),
        lambda _array, value: lower.transpose(value, inverse),
        permuted(tensor.memory, tuple(tensor.shape), axes),
    )


@implements("permute")
def _permute(input: Any, *dims: Any) -> Any:
    order = dims[0] if len(dims) == 1 and isinstance(dims[0], (tuple, list, range)) else dims
    axes = axes_of(tuple(order), input.ndim)
    if len(axes) != input.ndim or (not order and input.ndim):
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {input.ndim} is not equal to len(dims) = {len(order)}"
        )
    return ordered(input, axes)


@implements("transpose", "swapaxes", "swapdims")
def _transpose(input: Any, dim0: Any, dim1: Any) -> Any:
    order = list(range(input.ndim))
    first, second = axis_of(dim0, input.ndim), axis_of(dim1, input.ndim)
    if not order:
        return input
    order[first], order[second] = order[second], order[first]
    return ordered(input, order)


@implements("t")
def _t(input: Any) -> Any:
    if input.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D")
    return ordered(input, range(input.ndim)[::-1])


@implements("adjoint")
def _adjoint(input: Any) -> Any:
    return _transpose(input, -2, -1)


@implements("movedim", "moveaxis")
def _movedim(input: Any, source: Any, destination: Any) -> Any:
    sources, targets = axes_of(source, input.ndim), axes_of(destination, input.ndim)
    order = [i for i in range(input.ndim) if i not in sources]
    for target, origin in sorted(zip(targets, sources, strict=True)):
        order.insert(target, origin)
    return ordered(input, order)


# -- axes of one element --------------------------------------------------------------------------


@implements("unsqueeze")
def unsqueezed(input: Any, dim: Any) -> Any:
    """A new axis of one element."""
    tensor = as_tensor(input)
    shape = tuple(tensor.shape)
    place = axis_of(dim, len(shape) + 1)
    strides = strides_of(tensor.memory, shape)
    target = (*shape[:place], 1, *shape[place:])
    layout = UNKNOWN if strides is None else tidy((*strides[:place], 1, *strides[place:]), target)
    return in_shape(tensor, target, layout)


@implements("squeeze")
def _squeeze(input: Any, dim: Any = ()) -> Any:
    """Without the axes of one element, all or those named: an axis of another size is left as it is."""
    shape = tuple(input.shape)
    asked = axes_of(dim, len(shape))
    gone = [i for i in asked if shape and shape[i] == 1]
    if not gone:
        return input
    kept = [i for i in range(len(shape)) if i not in gone]
    strides = strides_of(input.memory, shape)
    target = tuple(shape[i] for i in kept)
    return in_shape(input, target, UNKNOWN if strides is None else tidy([strides[i] for i in kept], target))


# -- repetition -----------------------------------------------------------------------------------


def stretched(input: Any, shape: Shape, purpose: str) -> SymbolicTensor:
    """A view in which axes of one element repeat; -1 leaves an axis as it is."""
    tensor = as_tensor(input)
    mine = tuple(tensor.shape)
    if len(shape) < len(mine):
        raise RuntimeError(
            f"expand: the number of sizes provided ({len(shape)}) must be greater or equal to the number of dimensions "
            f"in the tensor ({len(mine)})"
        )
    front = len(shape) - len(mine)
    if any(type(s) is int and s == -1 for s in shape[:front]):
        raise RuntimeError("expand: -1 is not allowed in a leading, non-existing dimension")
    target = (
        *shape[:front],
        *(m if type(s) is int and s == -1 else s for s, m in zip(shape[front:], mine, strict=True)),
    )
    strides = strides_of(tensor.memory, mine)
    steps: list[Size] = [0] * front
    for place, (size, wanted) in enumerate(zip(mine, target[front:], strict=True)):
        same = identical(size, wanted)
        if not same and size != 1:
            require(size == wanted, f"{purpose} [{', '.join(map(str, mine))}] to [{', '.join(map(str, target))}]")
            same = True
        steps.append((strides[place] if same else 0) if strides is not None else 0)

    def refuse(*_: Any) -> SymbolicArray:
        raise unsupported("a write into an expanded tensor", "write to a clone")

    layout = UNKNOWN if strides is None else tidy(steps, target)
    return looking(tensor, lambda array: lower.broadcast_to(array, target), refuse, layout)


@implements("expand", "broadcast_to")
def _expand(input: Any, *size: Any, implicit: bool = False) -> Any:
    return stretched(input, sizes(size), "expanding")


@implements("expand_as")
def _expand_as(input: Any, other: Any) -> Any:
    return stretched(input, tuple(other.shape), "expanding")


@implements("broadcast_tensors")
def _broadcast_tensors(*tensors: Any) -> Any:
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    shape = lower.broadcast_shapes([tuple(as_tensor(t).shape) for t in given], "broadcast_tensors")
    return tuple(stretched(t, shape, "expanding") for t in given)


@implements("repeat", "tile")
def _repeat(input: Any, *repeats: Any) -> Any:
    times = sizes(repeats)
    if len(times) < input.ndim:
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    return out(dispatch(np.tile, (arr(input), times), {}), input.dtype)


@implements("tile")
def _tile(input: Any, *dims: Any) -> Any:
    return out(dispatch(np.tile, (arr(input), sizes(dims)), {}), input.dtype)


@implements("repeat_interleave")
def _repeat_interleave(input: Any, repeats: Any, dim: Any = None, *, output_size: Any = None) -> Any:
    if type(repeats) is SymbolicTensor and repeats.shape:
        from ..numpy.ordering import fresh_size

        place = 0 if dim is None else axis_of(dim, input.ndim)
        array = arr(input) if dim is not None else lower.reshape(arr(input), (input.numel(),))
        count = fresh_size() if output_size is None else size_of(output_size)
        shape = tuple(count if i == place else s for i, s in enumerate(array.shape))
        origin = tuple(None if i == place else i for i in range(array.ndim))
        return out(opaque("repeat_interleave", shape, origin, array, dtype=array.dtype), input.dtype)
    times = size_of(repeats)
    if dim is not None and not input.ndim:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    place = None if dim is None else axis_of(dim, input.ndim)
    return out(dispatch(np.repeat, (arr(input), times), {"axis": place}), input.dtype)


# -- memory ---------------------------------------------------------------------------------------


@implements("contiguous")
def _contiguous(input: Any) -> Any:
    tensor = as_tensor(input)
    memory, shape = tensor.memory, tuple(tensor.shape)
    if memory == CONTIGUOUS:
        return tensor
    decide = _undecided if memory == UNKNOWN else lambda: CONTIGUOUS if is_contiguous(memory, shape) else None
    return SymbolicTensor(tensor.array, tensor.dtype, CONTIGUOUS, Open(whole(tensor), decide, CONTIGUOUS))


@implements("clone")
def _clone(input: Any) -> Any:
    from ..numpy.updating import duplicate

    return out(duplicate(arr(input)), input.dtype, like(input.memory, tuple(input.shape)))


implements("detach", "alias", "cpu", "share_memory_", "positive")(lambda input, *_: input)


@implements("cuda", "ipu", "xpu")
def _to_gpu(input: Any, device: Any = None, *_: Any) -> Any:
    raise needs_a_gpu("Tensor.cuda" if device is None else f"Tensor.cuda({device!r})")


@implements("pin_memory")
def _pin_memory(input: Any, *_: Any) -> Any:
    raise needs_a_gpu(f"a tensor in {PINNED}")


@implements("to")
def _to(input: Any, *args: Any, dtype: Any = None, copy: bool = False) -> Any:
    for arg in args[:1]:
        refuse_device("Tensor.to", arg.device if is_real(arg) else arg)
    for arg in args:
        if isinstance(arg, torch.dtype):
            dtype = arg
        elif isinstance(arg, torch.Tensor):
            dtype = arg.dtype
    return typed(input, dtype) if dtype is not None else (_clone(input) if copy else input)


def typed(input: Any, dtype: Any) -> SymbolicTensor:
    """The tensor in another element type; itself where it has it."""
    if input.dtype is dtype:
        return input
    return out(arr(input), dtype, like(input.memory, tuple(input.shape)))


@implements("type")
def _type(input: Any, dtype: Any = None, non_blocking: bool = False) -> Any:
    if dtype is None:
        raise unsupported("Tensor.type without an element type")
    if isinstance(dtype, (str, type)):
        if "cuda" in (dtype if isinstance(dtype, str) else dtype.__module__):
            raise needs_a_gpu("Tensor.type of torch.cuda")
        name = (dtype if isinstance(dtype, str) else dtype.__name__).rpartition(".")[2]
        dtype = TENSOR_TYPES.get(name)
        if dtype is None:
            raise unsupported(f"Tensor.type({name})")
    return typed(input, dtype)


TENSOR_TYPES = {
    "FloatTensor": torch.float32,
    "DoubleTensor": torch.float64,
    "HalfTensor": torch.float16,
    "BFloat16Tensor": torch.bfloat16,
    "LongTensor": torch.int64,
    "IntTensor": torch.int32,
    "ByteTensor": torch.uint8,
    "BoolTensor": torch.bool,
}
implements("type_as")(lambda input, other: typed(input, other.dtype))
for _name, _dtype in {
    **{n: getattr(torch, n) for n in ("float", "double", "half", "bfloat16", "long", "int", "bool", "short", "cfloat")},
    "char": torch.int8,
    "byte": torch.uint8,
    "cdouble": torch.complex128,
}.items():
    implements(_name, only=(torch.Tensor,))(lambda input, dtype=_dtype: typed(input, dtype))


@implements("numel")
def _numel(input: Any) -> Any:
    return input.numel()


for _name in ("size", "dim", "stride", "is_contiguous", "element_size", "is_floating_point", "is_complex", "item"):
    implements(_name)(lambda input, *args, name=_name, **options: getattr(input, name)(*args, **options))
implements("is_tensor")(lambda _obj: True)
implements("broadcast_shapes")(
    lambda *shapes: SymbolicShape(lower.broadcast_shapes([tuple(s) for s in shapes], "broadcast_shapes"))
)
