"""Softmax, activations, normalisations and dropout."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...graph.node import require
from ...graph.ops import Opaque
from ...graph.primitive import elements
from ..numpy.lower import record
from .arithmetic import applied
from .framework import F, torch
from .reducing import amax, mean, variance
from .shaping import axis_of, size_of, typed
from .table import as_tensor, implements, out
from .tensor import SymbolicTensor


def softmax(input: Any, dim: Any, dtype: Any = None) -> SymbolicTensor:
    """exp(x - max) over its sum along an axis."""
    tensor = as_tensor(input) if dtype is None else typed(as_tensor(input), dtype)
    if not tensor.dtype.is_floating_point:
        raise RuntimeError(f'"softmax_lastdim_kernel_impl" not implemented for {tensor.dtype}')
    place = axis_of(dim, tensor.ndim)
    if _is_empty(tensor, place):
        return _packed(tensor)
    exponentials = (tensor - amax(tensor, place, True)).exp()
    return _packed(exponentials / exponentials.sum(place, True))


def _is_empty(tensor: SymbolicTensor, place: int) -> bool:
    """Whether an axis has no element: nothing is to be done then, and nothing is the greatest."""
    return bool(tensor.shape) and bool(tensor.shape[place] == 0)


def _packed(tensor: Any) -> SymbolicTensor:
    """Softmax writes in the order of the axes whatever its operand's strides."""
    return out(tensor.array, tensor.dtype)


@implements("softmax", "softmax", only=(torch, torch.Tensor, torch.special))
def _softmax(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    return softmax(input, dim, dtype)


@implements("softmax", only=(F,))
def _f_softmax(input: Any, dim: Any = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    return softmax(input, _implicit(dim, input.ndim), dtype)


def _implicit(dim: Any, rank: int) -> Any:
    return (0 if rank in (0, 1, 3) else 1) if dim is None else dim


@implements("softmin", only=(F,))
def _softmin(input: Any, dim: Any = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    return softmax(-input, _implicit(dim, input.ndim), dtype)


def log_softmax(input: Any, dim: Any, dtype: Any = None) -> SymbolicTensor:
    """x - max less the logarithm of the sum of its exponentials."""
    tensor = as_tensor(input) if dtype is None else typed(as_tensor(input), dtype)
    if not tensor.dtype.is_floating_point:
        raise NotImplementedError(f'"log_softmax_kernel_impl" not implemented for {tensor.dtype}')
    place = axis_of(dim, tensor.ndim)
    if _is_empty(tensor, place):
        return _packed(tensor)
    shifted = tensor - amax(tensor, place, True)
    return _packed(shifted - shifted.exp().sum(place, True).log())


@implements("log_softmax", only=(torch, torch.Tensor, torch.special))
def _log_softmax(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    return log_softmax(input, dim, dtype)


@implements("log_softmax", only=(F,))
def _f_log_softmax(input: Any, dim: Any = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    return log_softmax(input, _implicit(dim, input.ndim), dtype)


@implements("gumbel_softmax", only=(F,))
def _gumbel_softmax(logits: Any, tau: Any = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    return softmax((logits + drawn(tuple(logits.shape), logits.dtype)) / tau, dim)


# -- activations ----------------------------------------------------------------------------------


@implements("sigmoid", "expit")
def sigmoid(input: Any) -> Any:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + (-input).exp())


def _activation(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An activation, which may say inplace=True."""

    def register(row: Callable[..., Any]) -> Callable[..., Any]:
        def activation(input: Any, *args: Any, inplace: bool = False, **options: Any) -> Any:
            result = row(as_tensor(input), *args, **options)
            if not inplace:
                return result
            from .writing import write_into

            return write_into(input, result, names[0])

        implements(*names)(activation)
        return row

    return register


_activation("relu")(lambda x: applied("maximum", x.dtype, x, 0))
_activation("relu6")(lambda x: applied("minimum", x.dtype, applied("maximum", x.dtype, x, 0), 6))
_activation("silu")(lambda x: x / (1 + (-x).exp()))
_activation("mish")(lambda x: x * (x.exp() + 1).log().tanh())
_activation("softplus")(lambda x, beta=1, threshold=20: ((x * beta).exp() + 1).log() / beta)
_activation("softsign")(lambda x: x / (x.abs() + 1))
_activation("logsigmoid")(lambda x: sigmoid(x).log())
_activation("tanhshrink")(lambda x: x - x.tanh())
_activation("elu")(lambda x, alpha=1.0: torch.where(x > 0, x, alpha * (x.exp() - 1)))
_activation("celu")(lambda x, alpha=1.0: torch.where(x > 0, x, alpha * ((x / alpha).exp() - 1)))
_activation("selu")(lambda x: 1.0507009873554805 * torch.where(x > 0, x, 1.6732632423543772 * (x.exp() - 1)))
_activation("leaky_relu")(lambda x, negative_slope=0.01: torch.where(x > 0, x, x * negative_slope))
_activation("hardtanh")(lambda x, min_val=-1.0, max_val=1.0: x.clamp(min_val, max_val))
_activation("hardsigmoid")(lambda x: (x / 6 + 0.5).clamp(0, 1))
_activation("hardswish")(lambda x: x * (x / 6 + 0.5).clamp(0, 1))
_activation("threshold")(lambda x, threshold, value: torch.where(x > threshold, x, value))


@implements("gelu", only=(F,))
def _gelu(input: Any, *, approximate: str = "none") -> Any:
    if approximate == "tanh":
        inner = (input + 0.044715 * input**3) * math.sqrt(2 / math.pi)
        return 0.5 * input * (1 + inner.tanh())
    return 0.5 * input * (1 + (input / math.sqrt(2)).erf())


@implements("prelu")
def _prelu(input: Any, weight: Any) -> Any:
    shape = (1, -1, *(1 for _ in range(input.ndim - 2))) if weight.numel() != 1 and input.ndim > 1 else ()
    slope = weight.reshape(shape) if shape else weight.reshape(())
    if shape:
        require(weight.shape[0] == input.shape[1], "prelu: a slope for each channel")
    return torch.where(input > 0, input, input * slope)


@implements("glu", only=(F,))
def _glu(input: Any, dim: Any = -1) -> Any:
    place = axis_of(dim, input.ndim)
    require(input.shape[place] % 2 == 0, f"splitting axis {place} of size {input.shape[place]} into 2 equal parts")
    value, gate = input.chunk(2, place)
    return value * sigmoid(gate)


# -- dropout --------------------------------------------------------------------------------------


def drawn(shape: tuple[Any, ...], dtype: Any) -> SymbolicTensor:
    """Random numbers: a shape, and values that nothing is known of."""
    from .elements import numpy_type

    return out(record(Opaque("random", shape, (None,) * len(shape)), dtype=numpy_type(dtype)), dtype)


def _probability(p: Any) -> Any:
    if type(p) in (int, float) and not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return p


@implements("dropout3d")
def _dropout3d(input: Any, p: Any = 0.5, training: bool = True, inplace: bool = False) -> Any:
    if not input.ndim:  # a batch of one is put in front of all others
        _of_channels(input, p, training)
    return dropout(input, p, training, inplace)


@implements("feature_dropout", "dropout2d", "feature_alpha_dropout")
def _of_channels(input: Any, p: Any = 0.5, training: bool = True, inplace: bool = False, train: Any = None) -> Any:
    """Whole channels: there must be an axis of them."""
    if (training if train is None else train) and not (type(p) in (int, float) and p == 0) and input.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return dropout(input, p, training, inplace, train)


@implements("dropout1d")
def _dropout1d(input: Any, p: Any = 0.5, training: bool = True, inplace: bool = False) -> Any:
    _probability(p)
    if input.ndim not in (2, 3):
        raise RuntimeError(f"dropout1d: Expected 2D or 3D input, but received a {input.ndim}D input.")
    return dropout(input, p, training, inplace)


@implements("dropout", "alpha_dropout")
def dropout(input: Any, p: Any = 0.5, training: bool = True, inplace: bool = False, train: Any = None) -> Any:
    """Nothing outside training; inside, some elements are zero and the others larger."""
    training = training if train is None else train
    if not training or (type(_probability(p)) in (int, float) and p == 0):
        return input
    kept = input * drawn(tuple(input.shape), input.dtype)
    if inplace:
        from .writing import write_into

        return write_into(input, kept, "dropout")
    return kept


# -- normalisations -------------------------------------------------------------------------------


def _normalised_axes(name: str, tensor: SymbolicTensor, normalized_shape: Any) -> tuple[int, ...]:
    wanted = tuple(
        map(size_of, normalized_shape if isinstance(normalized_shape, (tuple, list)) else (normalized_shape,))
    )
    if not wanted:
        raise RuntimeError(f"{name}: normalized_shape must have an axis")
    if len(wanted) > tensor.ndim:
        raise RuntimeError(f"{name}: normalized_shape has {len(wanted)} axes, the input {tensor.ndim}")
    tail = tuple(tensor.shape)[tensor.ndim - len(wanted) :]
    for size, given in zip(tail, wanted, strict=True):
        require(
            size == given,
            f"{name}: last axes of [{', '.join(map(str, tensor.shape))}], normalised over "
            f"[{', '.join(map(str, wanted))}]",
        )
    return tuple(range(tensor.ndim - len(wanted), tensor.ndim))


def _scaled(name: str, tensor: Any, axes: tuple[int, ...], weight: Any, bias: Any) -> Any:
    for factor in (weight, bias):
        if factor is not None:
            if factor.ndim != len(axes):
                raise RuntimeError(f"{name}: weights of {factor.ndim} axes for {len(axes)} normalised ones")
            for size, place in zip(factor.shape, axes, strict=True):
                require(size == tensor.shape[place], f"{name}: weights of the normalised axes")
    result = tensor if weight is None else tensor * weight
    return result if bias is None else result + bias


@implements("layer_norm")
def _layer_norm(
    input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-5, cudnn_enable: bool = True
) -> Any:
    tensor = as_tensor(input)
    axes = _normalised_axes("layer_norm", tensor, normalized_shape)
    centred = tensor - mean(tensor, axes, True)
    scaled = centred / (mean(centred * centred, axes, True) + eps).sqrt()
    return _packed(_scaled("layer_norm", scaled, axes, weight, bias))


@implements("rms_norm")
def _rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Any:
    tensor = as_tensor(input)
    axes = _normalised_axes("rms_norm", tensor, normalized_shape)
    epsilon = torch.finfo(tensor.dtype).eps if eps is None else eps
    scaled = tensor / (mean(tensor * tensor, axes, True) + epsilon).sqrt()
    return _scaled("rms_norm", scaled, axes, weight, None)


def _by_channel(factor: Any, rank: int) -> Any:
    return factor.reshape((1, factor.shape[0], *(1 for _ in range(rank - 2))))


@implements("batch_norm", only=(F,))
def _batch_norm(
    input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
    momentum: Any = 0.1, eps: Any = 1e-5,
) -> Any:  # fmt: skip
    if input.ndim < 2:
        raise RuntimeError(f"batch_norm: expected at least 2D input (got {input.ndim}D input)")
    channels = input.shape[1]
    for given in (running_mean, running_var, weight, bias):
        if given is not None:
            require(
                given.shape[0] == channels, f"batch_norm: {given.shape[0]} channels known, the input has {channels}"
            )
    if training:
        count = elements((input.shape[0], *input.shape[2:]))
        require(count >= 2, f"batch_norm in training: {count} values of each channel, and one is not enough")
    elif running_mean is None or running_var is None:
        raise RuntimeError("batch_norm: running_mean and running_var must be defined in evaluation mode")
    if training:
        axes = tuple(i for i in range(input.ndim) if i != 1)
        middle, spread = mean(input, axes, True), variance(input, axes, False, True)
    else:
        middle, spread = _by_channel(running_mean, input.ndim), _by_channel(running_var, input.ndim)
    result = (input - middle) / (spread + eps).sqrt()
    if weight is not None:
        result = result * _by_channel(weight, input.ndim)
    return result if bias is None else result + _by_channel(bias, input.ndim)


@implements("instance_norm", only=(F,))
def _instance_norm(
    input: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None,
    use_input_stats: bool = True, momentum: Any = 0.1, eps: Any = 1e-5,
) -> Any:  # fmt: skip
    if input.ndim < 2:
        raise IndexError(f"instance_norm: expected at least 2 axes, got {input.ndim}")
    channels = input.shape[1]
    for given in (running_mean, running_var, weight, bias):
        if given is not None:
            require(given.shape[0] == channels, f"instance_norm: {given.shape[0]} channels, the input has {channels}")
    if not use_input_stats:
        return _batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    count = elements(tuple(input.shape[2:]))
    require(count >= 2, f"instance_norm: {count} places in each channel, and one is not enough")
    axes = tuple(range(2, input.ndim))
    result = (input - mean(input, axes, True)) / (variance(input, axes, False, True) + eps).sqrt()
    if weight is not None:
        result = result * _by_channel(weight, input.ndim)
    return result if bias is None else result + _by_channel(bias, input.ndim)


@implements("group_norm", only=(F,))
def _checked_group_norm(input: Any, num_groups: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-5) -> Any:
    if input.ndim < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.ndim}")
    result = _group_norm(input, num_groups, weight, bias, eps)
    count = input.shape[0] * input.shape[1] // size_of(num_groups) * elements(tuple(input.shape[2:]))
    require(count >= 2, f"group_norm: {count} values of each channel, and one is not enough")
    return result


@implements("group_norm", only=(torch,))
def _group_norm(
    input: Any, num_groups: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-5, cudnn_enabled: bool = True
) -> Any:
    channels = input.shape[1]
    groups = size_of(num_groups)
    require(channels % groups == 0, f"splitting axis 1 of size {channels} into {groups} equal groups")
    grouped = input.reshape((input.shape[0], groups, channels // groups, *input.shape[2:]))
    axes = tuple(range(2, grouped.ndim))
    scaled = (grouped - mean(grouped, axes, True)) / (variance(grouped, axes, False, True) + eps).sqrt()
    result = scaled.reshape(tuple(input.shape))
    for factor in (weight, bias):
        if factor is not None:
            require(factor.shape[0] == channels, f"group_norm: {factor.shape[0]} weights for {channels} channels")
    if weight is not None:
        result = result * _by_channel(weight, input.ndim)
    return result if bias is None else result + _by_channel(bias, input.ndim)


@implements("normalize", only=(F,))
def _normalize(input: Any, p: Any = 2.0, dim: Any = 1, eps: Any = 1e-12, out: Any = None) -> Any:
    length = torch.linalg.vector_norm(input, p, dim, keepdim=True)
    return input / length.clamp_min(eps)
