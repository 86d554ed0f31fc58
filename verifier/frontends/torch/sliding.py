"""Convolutions, pooling and resizing: shapes by their formulas, values not followed where windows slide.

PyTorch takes such an input with a batch or without one, and nothing else: each row asks for its number of axes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dims import Size
from ...graph.node import require
from ..numpy.array import unsupported
from ..numpy.ordering import opaque
from .framework import F, torch
from .layout import UNKNOWN
from .products import one_type
from .reducing import mean
from .shaping import axis_of, size_of
from .table import arr, as_tensor, implements, out
from .tensor import SymbolicTensor


def _each(name: str, value: Any, count: int) -> tuple[Size, ...]:
    """A number for each axis.

    Raises:
        RuntimeError: a list of another length, which PyTorch takes for no operation.
    """
    if isinstance(value, (tuple, list)):
        if len(value) not in (1, count):
            raise RuntimeError(f"{name}: expected one integer or a list of {count}, got {len(value)}")
        return tuple(map(size_of, value)) * (count if len(value) == 1 else 1)
    return (size_of(value),) * count


def ranked(name: str, tensor: SymbolicTensor, *wanted: int) -> None:
    """Asks for a number of axes.

    Raises:
        RuntimeError: the tensor has another.
    """
    if tensor.ndim not in wanted:
        raise RuntimeError(
            f"{name} wants {' or '.join(map(str, wanted))} axes, and got [{', '.join(map(str, tensor.shape))}]"
        )


def floating(name: str, tensor: SymbolicTensor) -> None:
    """Asks for numbers with a point.

    Raises:
        RuntimeError: the tensor holds others.
    """
    if not tensor.dtype.is_floating_point:
        raise RuntimeError(f'"{name}" not implemented for {tensor.dtype}')


def _slid(size: Size, window: Size, stride: Size, padding: Size, dilation: Size, axis: int) -> Size:
    """How many windows fit along an axis."""
    room = _room(size, window, stride, padding, dilation)
    require(room >= 0, f"a window of {window} along axis {axis} of size {size}")
    return room // stride + 1


def _room(size: Size, window: Size, stride: Size, padding: Size, dilation: Size) -> Size:
    require(window >= 1, f"a window of {window}")
    require(stride >= 1, f"a stride of {stride}")
    require(dilation >= 1, f"a dilation of {dilation}")
    require(padding >= 0, f"a padding of {padding}")
    return size + 2 * padding - dilation * (window - 1) - 1


def _slid_up(size: Size, window: Size, stride: Size, padding: Size, dilation: Size, axis: int) -> Size:
    """How many windows begin along an axis: with `ceil_mode` the last may hang over, but not begin beyond the end."""
    count = -(-_room(size, window, stride, padding, dilation) // stride) + 1
    if (count - 1) * stride >= size + padding:
        count = count - 1
    require(count >= 1, f"a window of {window} along axis {axis} of size {size}")
    return count


def _opaque(
    name: str, tensor: SymbolicTensor, lead: int, rest: tuple[Size, ...], *others: SymbolicTensor
) -> SymbolicTensor:
    """A result that goes along the leading axes and makes the others new."""
    shape = (*tuple(tensor.shape)[:lead], *rest)
    origin = tuple(i if i < lead else None for i in range(len(shape)))
    array = opaque(name, shape, origin, arr(tensor), *(arr(o) for o in others), dtype=arr(tensor).dtype)
    return out(array, tensor.dtype)


# -- convolutions ---------------------------------------------------------------------------------


def _kernel(name: str, rank: int, tensor: SymbolicTensor, weight: Any, bias: Any, groups: Size) -> SymbolicTensor:
    """The weights, which go with the input in rank and element type."""
    kernel = as_tensor(weight)
    ranked(name, tensor, rank + 1, rank + 2)
    ranked(f"the weight of {name}", kernel, rank + 2)
    given = (tensor, kernel) if bias is None else (tensor, kernel, as_tensor(bias))
    one_type(name, *given)
    if tensor.dtype is torch.bool:
        raise RuntimeError(f'"{name}" not implemented for {tensor.dtype}')
    require(groups >= 1, f"{name}: {groups} groups")
    return kernel


def _biased(name: str, bias: Any, channels: Size) -> None:
    if bias is not None:
        ranked(f"the bias of {name}", as_tensor(bias), 1)
        require(bias.shape[0] == channels, f"{name}: a bias for each output channel")


def _convolution(rank: int) -> Callable[..., Any]:
    name = f"conv{rank}d"

    def row(
        input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1
    ) -> Any:
        tensor, groups = as_tensor(input), size_of(groups)
        kernel = _kernel(name, rank, tensor, weight, bias, groups)
        first = tensor.ndim - rank - 1
        channels = tensor.shape[first]
        require(
            kernel.shape[1] * groups == channels,
            f"{name}: weights for {kernel.shape[1] * groups} channels, the input has {channels}",
        )
        require(
            kernel.shape[0] % groups == 0, f"splitting {kernel.shape[0]} output channels into {groups} equal groups"
        )
        _biased(name, bias, kernel.shape[0])
        steps, gaps = _each(name, stride, rank), _each(name, dilation, rank)
        spatial: list[Size] = []
        for i in range(rank):
            axis = first + 1 + i
            if padding == "same":
                require(steps[i] == 1, f"{name}: padding='same' with a stride of {steps[i]}")
                spatial.append(tensor.shape[axis])
                continue
            edge = 0 if padding == "valid" else _each(name, padding, rank)[i]
            spatial.append(_slid(tensor.shape[axis], kernel.shape[2 + i], steps[i], edge, gaps[i], axis))
        return _opaque(name, tensor, first, (kernel.shape[0], *spatial), kernel)

    return row


def _transposed(rank: int) -> Callable[..., Any]:
    name = f"conv_transpose{rank}d"

    def row(
        input: Any,
        weight: Any,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: Any = 1,
        dilation: Any = 1,
    ) -> Any:
        tensor, groups = as_tensor(input), size_of(groups)
        kernel = _kernel(name, rank, tensor, weight, bias, groups)
        first = tensor.ndim - rank - 1
        require(
            kernel.shape[0] == tensor.shape[first],
            f"{name}: weights for {kernel.shape[0]} channels, the input has {tensor.shape[first]}",
        )
        require(kernel.shape[0] % groups == 0, f"splitting {kernel.shape[0]} channels into {groups} equal groups")
        channels = kernel.shape[1] * groups
        _biased(name, bias, channels)
        steps, gaps, edges, extra = (_each(name, x, rank) for x in (stride, dilation, padding, output_padding))
        spatial: list[Size] = []
        for i in range(rank):
            size, window = tensor.shape[first + 1 + i], kernel.shape[2 + i]
            _room(size, window, steps[i], edges[i], gaps[i])
            require(extra[i] >= 0, f"{name}: an output padding of {extra[i]}")
            if extra[i] >= steps[i]:
                require(extra[i] < gaps[i], f"{name}: an output padding of {extra[i]} for a stride of {steps[i]}")
            length = (size - 1) * steps[i] - 2 * edges[i] + gaps[i] * (window - 1) + extra[i] + 1
            require(length >= 1, f"{name}: {length} places are left of axis {first + 1 + i} of size {size}")
            spatial.append(length)
        return _opaque(name, tensor, first, (channels, *spatial), kernel)

    return row


# -- pooling --------------------------------------------------------------------------------------


def _pooling(name: str, rank: int, *, maximum: bool) -> Callable[..., Any]:
    def row(
        input: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        *rest: Any,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
        count_include_pad: bool = True,
        divisor_override: Any = None,
    ) -> Any:
        if return_indices:
            raise unsupported(f"{name} with return_indices")
        if maximum and rest:
            dilation, *rest_ = rest
            ceil_mode = bool(rest_[0]) if rest_ else ceil_mode
        elif rest:
            ceil_mode = bool(rest[0])
        tensor = as_tensor(input)
        ranked(name, tensor, rank + 1, rank + 2)
        _pooled(name, tensor, maximum and rank == 1)
        lead = tensor.ndim - rank
        windows, edges, gaps = (_each(name, v, rank) for v in (kernel_size, padding, dilation))
        unsaid = stride is None or (isinstance(stride, (tuple, list)) and not stride)
        for i in range(rank if name == "avg_pool3d" else 0):
            size = tensor.shape[lead + i]
            require(
                size >= windows[i], f"a window of {windows[i]} along axis {lead + i} of size {size}, without padding"
            )
        steps = windows if unsaid else _each(name, stride, rank)
        count = _slid_up if ceil_mode else _slid
        for window, edge, gap in zip(windows, edges, gaps, strict=True):
            require(
                2 * edge <= (gap * (window - 1) + 1),
                f"{name}: a padding of {edge} for a window of {window}",
            )
        spatial = tuple(
            count(tensor.shape[lead + i], windows[i], steps[i], edges[i], gaps[i], lead + i) for i in range(rank)
        )
        return _opaque(name, tensor, lead, spatial)

    return row


def _pooled(name: str, tensor: SymbolicTensor, whole: bool) -> None:
    """Pools are there for numbers with a point, and for whole ones where PyTorch says so: those have no rule here."""
    if tensor.dtype.is_complex or tensor.dtype is torch.bool:
        raise RuntimeError(f'"{name}" not implemented for {tensor.dtype}')
    if not tensor.dtype.is_floating_point:
        raise unsupported(f"{name} of {tensor.dtype}")


def _adaptive(name: str, rank: int) -> Callable[..., Any]:
    def row(input: Any, output_size: Any, return_indices: bool = False) -> Any:
        if return_indices:
            raise unsupported(f"{name} with return_indices")
        tensor = as_tensor(input)
        many = isinstance(output_size, (tuple, list))
        wanted = tuple(output_size) if many else (output_size,) * rank
        if "avg" in name and rank > 1 and all(type(s) is int and s == 1 for s in wanted) and len(wanted) == rank:
            ranked(name, tensor, *range(rank + many, 9))  # PyTorch takes the mean, whatever stands in front
        else:
            ranked(name, tensor, rank + 1, rank + 2)
        _pooled(name, tensor, False)
        lead = tensor.ndim - rank
        if len(wanted) not in ((rank,) if rank > 1 else (1,)) or (None in wanted and (rank == 1 or not many)):
            raise RuntimeError(f"{name}: output_size must have {rank} sizes")
        spatial = tuple(tensor.shape[lead + i] if s is None else size_of(s) for i, s in enumerate(wanted))
        for size in spatial:
            require(size >= 0, f"{name}: an output of {size}")
        if all(type(s) is int and s == 1 for s in spatial) and "avg" in name:
            return mean(tensor, tuple(range(lead, tensor.ndim)), True)
        return _opaque(name, tensor, lead, spatial)

    return row


for _rank in (1, 2, 3):
    implements(f"conv{_rank}d")(_convolution(_rank))
    implements(f"conv_transpose{_rank}d")(_transposed(_rank))
    for _kind in ("max", "avg"):
        implements(f"{_kind}_pool{_rank}d")(_pooling(f"{_kind}_pool{_rank}d", _rank, maximum=_kind == "max"))
        implements(f"adaptive_{_kind}_pool{_rank}d")(_adaptive(f"adaptive_{_kind}_pool{_rank}d", _rank))


# -- resizing -------------------------------------------------------------------------------------

RESIZED = {
    "nearest": (3, 4, 5), "nearest-exact": (3, 4, 5), "area": (3, 4, 5), "linear": (3,), "bilinear": (4,),
    "bicubic": (4,), "trilinear": (5,),
}  # fmt: skip
"""How many axes an input has in each mode of interpolation."""


@implements("interpolate", "upsample", only=(F,))
def _interpolate(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
    antialias: bool = False,
) -> Any:
    tensor = as_tensor(input)
    if mode not in RESIZED:
        raise unsupported(f"interpolate with mode={mode!r}")
    if align_corners is not None and not mode.endswith(("linear", "cubic")):
        raise ValueError("align_corners option can only be set with the interpolating modes")
    if antialias and mode not in ("bilinear", "bicubic"):
        raise ValueError("Anti-alias option is restricted to bilinear and bicubic modes")
    ranked(f"interpolate with mode={mode!r}", tensor, *RESIZED[mode])
    _pooled("interpolate", tensor, False)
    if (size is None) is (scale_factor is None):
        raise ValueError("one of size and scale_factor must be given to interpolate")
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    rank = tensor.ndim - 2
    asked = size if size is not None else scale_factor
    if isinstance(asked, (tuple, list)) and len(asked) != rank:
        raise ValueError(f"interpolate: {len(asked)} numbers for {rank} spatial axes")
    if size is not None:
        spatial = _each("interpolate", size, rank)
    else:
        factors = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * rank
        if not all(type(f) is int or (type(f) is float and f == int(f)) for f in factors):
            raise unsupported("interpolate by a factor that is no whole number")
        spatial = tuple(s * int(f) for s, f in zip(tensor.shape[2:], factors, strict=True))
    for place, length in enumerate(spatial):
        require(length >= 1, f"interpolate: {length} places of axis {place + 2}")
    return _opaque("interpolate", tensor, 2, spatial)


@implements("pixel_shuffle")
def _pixel_shuffle(input: Any, upscale_factor: Any) -> Any:
    tensor, r = as_tensor(input), size_of(upscale_factor)
    if tensor.ndim < 3:
        raise RuntimeError(f"pixel_shuffle expects at least 3 axes, got {tensor.ndim}")
    require(r >= 1, f"pixel_shuffle: a factor of {r}")
    *lead, c, h, w = tensor.shape
    require(c % (r * r) == 0, f"splitting {c} channels into {r * r} equal parts")
    n = len(lead)
    split = input.reshape(*lead, c // (r * r), r, r, h, w)
    return split.permute(*range(n), n, n + 3, n + 1, n + 4, n + 2).reshape(*lead, c // (r * r), h * r, w * r)


@implements("unfold", only=(torch.Tensor,))
def _unfold(self: Any, dimension: Any, size: Any, step: Any) -> Any:
    place = axis_of(dimension, self.ndim)
    if not self.ndim:
        raise unsupported("unfold of a tensor of no axes")
    window = size_of(size)
    require(window >= 0, f"a window of {window}")
    step = size_of(step)
    require(step >= 1, f"a step of {step}")
    require(window <= self.shape[place], f"a window of {window} along axis {place} of size {self.shape[place]}")
    count = (self.shape[place] - window) // step + 1
    shape = (*tuple(count if i == place else s for i, s in enumerate(self.shape)), window)
    origin = (*(None if i == place else i for i in range(self.ndim)), None)
    return out(opaque("unfold", shape, origin, arr(self), dtype=arr(self).dtype), self.dtype, UNKNOWN)


@implements("unfold", only=(F,))
def _patches(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    tensor = as_tensor(input)
    ranked("unfold", tensor, 3, 4)
    if not (tensor.dtype.is_floating_point or tensor.dtype.is_complex or tensor.dtype is torch.bool):
        raise RuntimeError(f'"im2col_out" not implemented for {tensor.dtype}')
    first = tensor.ndim - 3
    windows, gaps, edges, steps = (_each("unfold", x, 2) for x in (kernel_size, dilation, padding, stride))
    counts = [
        _slid(tensor.shape[first + 1 + i], windows[i], steps[i], edges[i], gaps[i], first + 1 + i) for i in range(2)
    ]
    channels = tensor.shape[first]
    return _opaque("unfold", tensor, first, (channels * windows[0] * windows[1], counts[0] * counts[1]))
