"""Element types inside `torch.autocast("cpu")`: the operations whose operands are converted first, by name.

Source: PyTorch 2, "Automatic Mixed Precision package", CPU op-specific behavior. On a machine without CUDA PyTorch
itself switches autocast for CUDA off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ..front_end import is_stand_in
from ..numpy.array import unsupported
from .framework import torch

LOWER = frozenset(
    {
        *("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "bmm", "mm"),
        *("baddbmm", "addmm", "addbmm", "linear", "matmul", "__matmul__", "__rmatmul__", "einsum", "tensordot"),
        *("linalg_vecdot", "scaled_dot_product_attention", "bilinear"),
    }
)
"""Carried out in the type that autocast was asked for."""
SINGLE = frozenset(
    {
        *("avg_pool3d", "binary_cross_entropy", "grid_sample", "polar", "prod", "quantile", "nanquantile", "stft"),
        *("cdist", "trace", "view_as_complex", "cholesky", "cholesky_inverse", "cholesky_solve", "inverse"),
        *("pinverse", "kl_div", "mse_loss", "nll_loss", "smooth_l1_loss", "cross_entropy", "l1_loss", "huber_loss"),
        *("ctc_loss", "svd", "qr", "cosine_embedding_loss", "hinge_embedding_loss", "poisson_nll_loss"),
        *("margin_ranking_loss", "multi_margin_loss", "soft_margin_loss", "triplet_margin_loss"),
        *("multilabel_margin_loss", "binary_cross_entropy_with_logits", "max_pool3d", "adaptive_avg_pool3d"),
        *("adaptive_max_pool3d", "fft_fft", "fft_ifft", "fft_fft2", "fft_ifft2", "fft_fftn", "fft_ifftn", "fft_rfft"),
        *("fft_irfft", "fft_rfftn", "fft_irfftn", "fft_hfft", "linalg_matrix_norm", "linalg_cond"),
        *("linalg_matrix_rank", "linalg_solve", "linalg_cholesky", "linalg_svdvals", "linalg_eigvals"),
        *("linalg_eigvalsh", "linalg_inv", "linalg_householder_product", "linalg_tensorinv", "linalg_tensorsolve"),
        *("linalg_qr", "linalg_svd", "linalg_eig", "linalg_eigh", "linalg_lstsq"),
    }
)
"""Carried out in float32."""
WIDEST = frozenset({"cat", "concat", "concatenate", "stack", "index_copy"})
"""Carried out in the widest type of their operands."""
RECURRENT = frozenset({"lstm", "gru", "rnn_tanh", "rnn_relu"})


def is_on() -> bool:
    return torch._C.is_autocast_enabled("cpu")  # what code under test is told when it asks is another function


def converted(name: str, args: Sequence[Any], options: Mapping[str, Any]) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """The arguments as autocast passes them on."""
    if name in RECURRENT:
        raise unsupported(f"torch.{name} inside autocast")
    if name in LOWER:
        wanted = torch.get_autocast_dtype("cpu")
    elif name in SINGLE:
        wanted = torch.float32
    elif name in WIDEST:
        types = {t.dtype for t in _tensors(args) if _is_eligible(t)}
        if len(types) < 2:
            return args, options
        wanted = torch.float32
    else:
        return args, options
    return [_convert(a, wanted) for a in args], {k: _convert(v, wanted) for k, v in options.items()}


def _is_eligible(value: Any) -> bool:
    return value.dtype.is_floating_point and value.dtype is not torch.float64


def _tensors(value: Any) -> list[Any]:
    if is_stand_in(value) or isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [t for part in cast("Sequence[Any]", value) for t in _tensors(part)]
    return []


def _convert(value: Any, wanted: Any) -> Any:
    if is_stand_in(value) or isinstance(value, torch.Tensor):
        return value.to(wanted) if _is_eligible(value) and value.dtype is not wanted else value
    if type(value) in (list, tuple):
        return type(value)(_convert(part, wanted) for part in value)
    return value
