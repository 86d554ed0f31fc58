"""Attention as one call: `scaled_dot_product_attention`, and what `nn.MultiheadAttention` runs."""

from __future__ import annotations

from typing import Any

from ...dims import Size
from ...graph.node import require
from ..numpy import lower
from .activations import dropout, softmax
from .framework import F, torch
from .layout import UNKNOWN
from .making import filled
from .products import matmul, one_type
from .table import as_tensor, implements, out, through
from .tensor import SymbolicTensor


def _show(shape: Any) -> str:
    return f"[{', '.join(map(str, shape))}]"


@implements("scaled_dot_product_attention", only=(F,))
def _attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: Any = 0.0, is_causal: bool = False,
    scale: Any = None, enable_gqa: bool = False,
) -> Any:  # fmt: skip
    """softmax(Q K^T / sqrt(d_k) + mask) V, written out; a mask of truth values keeps what is True."""
    q, k, v = as_tensor(query), as_tensor(key), as_tensor(value)
    one_type("scaled_dot_product_attention", q, k, v)
    for tensor in (q, k, v):
        if tensor.ndim < 2:
            raise RuntimeError(f"scaled_dot_product_attention: expected at least 2 axes, got {_show(tensor.shape)}")
    if attn_mask is not None and is_causal:
        raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
    if enable_gqa:
        k, v = _for_every_query_head(q, k), _for_every_query_head(q, v)
    batch = tuple(q.shape[:-2])
    for other in (k, v):
        batch = lower.broadcast_shapes(
            [batch, tuple(other.shape[:-2])],
            f"batch axes of @: queries {_show(q.shape)}, keys {_show(k.shape)}, values {_show(v.shape)}",
        )
    width = q.shape[-1]
    factor = width**0.5 if scale is None else None
    products = matmul(q, k.mT)
    scores = products / factor if factor is not None else products * scale
    if is_causal:
        rows, columns = q.shape[-2], k.shape[-2]
        scores = scores.masked_fill(~filled((rows, columns), True, torch.bool).tril(), float("-inf"))
    elif attn_mask is not None:
        scores = _masked(scores, as_tensor(attn_mask))
    weights = dropout(softmax(scores, -1), dropout_p, True)
    return out(matmul(weights, v).array, q.dtype, UNKNOWN)


def _for_every_query_head(query: SymbolicTensor, other: SymbolicTensor) -> SymbolicTensor:
    heads, mine = query.shape[-3], other.shape[-3]
    require(heads % mine == 0, f"splitting {heads} query heads into {mine} groups")
    return other.repeat_interleave(heads // mine, dim=-3)


def _masked(scores: Any, mask: SymbolicTensor) -> Any:
    """The mask broadcasts to the scores, and not the other way round."""
    purpose = f"attn_mask {_show(mask.shape)} against scores {_show(scores.shape)}"
    lead: tuple[Size, ...] = tuple(scores.shape[: max(0, scores.ndim - mask.ndim)])
    for size, wanted in zip(mask.shape, tuple(scores.shape)[len(lead) :], strict=False):
        if size == 1:
            continue
        require(size == wanted, purpose)
    require(mask.ndim <= scores.ndim, purpose)
    if mask.dtype is torch.bool:
        return scores.masked_fill(~mask, float("-inf"))
    if mask.dtype is not scores.dtype and mask.dtype is not torch.float32:
        raise RuntimeError(
            f"Expected attn_mask dtype to be bool or float or to match query dtype, but got {mask.dtype} and query "
            f"{scores.dtype}"
        )
    return scores + mask.to(scores.dtype)


@implements("multi_head_attention_forward", only=(F,))
def _multi_head(*args: Any, **options: Any) -> Any:
    return through(F.multi_head_attention_forward)(*args, **options)
