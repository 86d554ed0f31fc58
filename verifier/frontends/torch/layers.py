"""Convolutions, pooling, resizing and losses: shapes by their formulas, values not followed where they slide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dims import Size
from ...graph.node import require
from ..numpy.array import unsupported
from ..numpy.ordering import opaque
from .activations import log_softmax
from .framework import F, torch
from .layout import UNKNOWN
from .reducing import mean
from .shaping import size_of
from .table import arr, as_tensor, implements, out
from .tensor import SymbolicTensor


def _each(value: Any, count: int) -> tuple[Size, ...]:
    if isinstance(value, (tuple, list)):
        return tuple(map(size_of, value)) * (count if len(value) == 1 else 1)
    return (size_of(value),) * count


def _slid(size: Size, window: Size, stride: Size, padding: Size, dilation: Size, axis: int, ceil: bool = False) -> Size:
    """How many windows fit along an axis."""
    room = size + 2 * padding - dilation * (window - 1) - 1
    require(room >= 0, f"a window of {window} along axis {axis} of size {size}")
    return (-(-room // stride) if ceil else room // stride) + 1


def _convolution(rank: int) -> Callable[..., Any]:
    def row(
        input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1
    ) -> Any:
        tensor, kernel = as_tensor(input), as_tensor(weight)
        batched = tensor.ndim == rank + 2
        if tensor.ndim not in (rank + 1, rank + 2):
            raise RuntimeError(
                f"conv{rank}d wants {rank + 1} axes, or {rank + 2} with a batch, and got "
                f"[{', '.join(map(str, tensor.shape))}]"
            )
        first = 1 if batched else 0
        channels = tensor.shape[first]
        require(
            kernel.shape[1] * groups == channels,
            f"conv{rank}d: weights for {kernel.shape[1] * groups} channels, the input has {channels}",
        )
        require(
            kernel.shape[0] % groups == 0, f"splitting {kernel.shape[0]} output channels into {groups} equal groups"
        )
        if bias is not None:
            require(bias.shape[0] == kernel.shape[0], f"conv{rank}d: a bias for each output channel")
        steps, gaps = _each(stride, rank), _each(dilation, rank)
        spatial: list[Size] = []
        for i in range(rank):
            axis = first + 1 + i
            if padding == "same":
                spatial.append(tensor.shape[axis])
                continue
            edge = 0 if padding == "valid" else _each(padding, rank)[i]
            spatial.append(_slid(tensor.shape[axis], kernel.shape[2 + i], steps[i], edge, gaps[i], axis))
        return _opaque(f"conv{rank}d", tensor, first, (kernel.shape[0], *spatial), kernel)

    return row


def _opaque(
    name: str, tensor: SymbolicTensor, lead: int, rest: tuple[Size, ...], *others: SymbolicTensor
) -> SymbolicTensor:
    """A result that goes along the leading axes and makes the others new."""
    shape = (*tuple(tensor.shape)[:lead], *rest)
    origin = tuple(i if i < lead else None for i in range(len(shape)))
    array = opaque(name, shape, origin, arr(tensor), *(arr(o) for o in others), dtype=arr(tensor).dtype)
    return out(array, tensor.dtype)


def _transposed(rank: int) -> Callable[..., Any]:
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
        tensor, kernel = as_tensor(input), as_tensor(weight)
        first = tensor.ndim - rank - 1
        require(
            kernel.shape[0] == tensor.shape[first],
            f"conv_transpose{rank}d: weights for {kernel.shape[0]} channels, the input has {tensor.shape[first]}",
        )
        steps, gaps, edges, extra = (_each(x, rank) for x in (stride, dilation, padding, output_padding))
        spatial = tuple(
            (tensor.shape[first + 1 + i] - 1) * steps[i]
            - 2 * edges[i]
            + gaps[i] * (kernel.shape[2 + i] - 1)
            + extra[i]
            + 1
            for i in range(rank)
        )
        return _opaque(f"conv_transpose{rank}d", tensor, first, (kernel.shape[1] * groups, *spatial), kernel)

    return row


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
        lead = tensor.ndim - rank
        windows, edges, gaps = _each(kernel_size, rank), _each(padding, rank), _each(dilation, rank)
        steps = windows if stride is None or (isinstance(stride, (tuple, list)) and not stride) else _each(stride, rank)
        spatial = tuple(
            _slid(tensor.shape[lead + i], windows[i], steps[i], edges[i], gaps[i], lead + i, ceil_mode)
            for i in range(rank)
        )
        return _opaque(name, tensor, lead, spatial)

    return row


for _rank in (1, 2, 3):
    implements(f"conv{_rank}d")(_convolution(_rank))
    implements(f"conv_transpose{_rank}d")(_transposed(_rank))
    implements(f"max_pool{_rank}d")(_pooling(f"max_pool{_rank}d", _rank, maximum=True))
    implements(f"avg_pool{_rank}d")(_pooling(f"avg_pool{_rank}d", _rank, maximum=False))


def _adaptive(name: str, rank: int) -> Callable[..., Any]:
    def row(input: Any, output_size: Any, return_indices: bool = False) -> Any:
        tensor = as_tensor(input)
        lead = tensor.ndim - rank
        wanted = tuple(output_size) if isinstance(output_size, (tuple, list)) else (output_size,) * rank
        spatial = tuple(tensor.shape[lead + i] if s is None else size_of(s) for i, s in enumerate(wanted))
        if all(type(s) is int and s == 1 for s in spatial) and "avg" in name:
            return mean(tensor, tuple(range(lead, tensor.ndim)), True)
        return _opaque(name, tensor, lead, spatial)

    return row


for _rank in (1, 2, 3):
    implements(f"adaptive_avg_pool{_rank}d")(_adaptive(f"adaptive_avg_pool{_rank}d", _rank))
    implements(f"adaptive_max_pool{_rank}d")(_adaptive(f"adaptive_max_pool{_rank}d", _rank))


@implements("interpolate", "upsample", only=(F,))
def _interpolate(input: Any, size: Any = None, scale_factor: Any = None, *_: Any, **__: Any) -> Any:
    tensor = as_tensor(input)
    rank = tensor.ndim - 2
    if size is not None:
        return _opaque("interpolate", tensor, 2, _each(size, rank))
    factors = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * rank
    if not all(type(f) is int or (type(f) is float and f == int(f)) for f in factors):
        raise unsupported("interpolate by a factor that is no whole number")
    return _opaque("interpolate", tensor, 2, tuple(s * int(f) for s, f in zip(tensor.shape[2:], factors, strict=True)))


@implements("pixel_shuffle")
def _pixel_shuffle(input: Any, upscale_factor: Any) -> Any:
    b, c, h, w = input.shape
    r = size_of(upscale_factor)
    require(c % (r * r) == 0, f"splitting {c} channels into {r * r} equal parts")
    return input.reshape(b, c // (r * r), r, r, h, w).permute(0, 1, 4, 2, 5, 3).reshape(b, c // (r * r), h * r, w * r)


@implements("unfold", only=(torch.Tensor,))
def _unfold(self: Any, dimension: Any, size: Any, step: Any) -> Any:
    from .shaping import axis_of

    place = axis_of(dimension, self.ndim)
    count = _slid(self.shape[place], size, step, 0, 1, place)
    shape = (*tuple(count if i == place else s for i, s in enumerate(self.shape)), size_of(size))
    origin = (*(None if i == place else i for i in range(self.ndim)), None)
    return out(opaque("unfold", shape, origin, arr(self), dtype=arr(self).dtype), self.dtype, UNKNOWN)


@implements("unfold", only=(F,))
def _patches(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    windows, gaps, edges, steps = (_each(x, 2) for x in (kernel_size, dilation, padding, stride))
    channels = input.shape[1]
    counts = [_slid(input.shape[2 + i], windows[i], steps[i], edges[i], gaps[i], 2 + i) for i in range(2)]
    return _opaque("unfold", as_tensor(input), 1, (channels * windows[0] * windows[1], counts[0] * counts[1]))


# -- losses ---------------------------------------------------------------------------------------


def _reduced(loss: Any, reduction: str) -> Any:
    if reduction == "none":
        return loss
    return loss.sum() if reduction == "sum" else mean(loss)


@implements("mse_loss")
def _mse_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None
) -> Any:
    difference = input - target
    return _reduced(difference * difference, reduction)


@implements("l1_loss")
def _l1_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None
) -> Any:
    return _reduced((input - target).abs(), reduction)


@implements("binary_cross_entropy_with_logits", only=(F,))
def _bce_logits(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> Any:
    require(input.ndim == target.ndim, "binary cross entropy of tensors of one shape")
    for a, b in zip(input.shape, target.shape, strict=True):
        require(a == b, "binary cross entropy of tensors of one shape")
    return _reduced(input.clamp_min(0) - input * target + (1 + (-input.abs()).exp()).log(), reduction)


@implements("nll_loss", only=(F,))
def _nll_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """The logit of the class, with classes in axis 1, or in axis 0 of a single sample."""
    scores, classes = as_tensor(input), as_tensor(target)
    place = 0 if scores.ndim == 1 else 1
    rest = tuple(s for i, s in enumerate(scores.shape) if i != place)
    if classes.ndim != len(rest):
        raise RuntimeError(f"Expected target of {len(rest)} axes, got [{', '.join(map(str, classes.shape))}]")
    for axis, (size, wanted) in enumerate(zip(classes.shape, rest, strict=True)):
        require(size == wanted, f"the loss: axis {axis} of the targets has {size}, of the scores {wanted}")
    require(scores.shape[place] != 0, f"index: a target among the 0 classes of axis {place}")
    origin = tuple(i if i < place else i + 1 for i in range(len(rest)))
    picked = out(opaque("nll", rest, origin, arr(scores), arr(classes), dtype=arr(scores).dtype), scores.dtype)
    return _reduced(-picked, reduction)


@implements("cross_entropy", only=(F,))
def _cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: Any = 0.0,
) -> Any:
    place = 0 if as_tensor(input).ndim == 1 else 1
    logs = log_softmax(input, place)
    if as_tensor(target).dtype.is_floating_point:
        for a, b in zip(input.shape, target.shape, strict=True):
            require(a == b, "cross entropy with probabilities of the scores' shape")
        return _reduced(-(logs * target).sum(place), reduction)
    return _nll_loss(logs, target, weight, reduction=reduction)


@implements("cosine_similarity")
def _cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    product = (x1 * x2).sum(dim)
    return product / ((x1 * x1).sum(dim).sqrt() * (x2 * x2).sum(dim).sqrt()).clamp_min(eps)


@implements("kl_div", only=(F,))
def _kl_div(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Any:
    loss = target.exp() * (target - input) if log_target else target * (target.log() - input)
    return loss.sum() / input.shape[0] if reduction == "batchmean" else _reduced(loss, reduction)
