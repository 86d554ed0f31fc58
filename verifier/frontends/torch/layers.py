"""Losses."""

from __future__ import annotations

from typing import Any

from ...graph.node import require
from ..numpy.ordering import opaque
from .activations import log_softmax
from .framework import F
from .reducing import mean
from .table import arr, as_tensor, implements, out

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
