"""Recurrent layers and weight normalisation: shapes as PyTorch states them, values not followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...graph.node import require
from ..numpy.array import unsupported
from ..numpy.ordering import opaque
from .elements import numpy_type
from .framework import torch
from .shaping import axis_of
from .table import arr, as_tensor, implements, out
from .tensor import SymbolicTensor


def _made(name: str, shape: tuple[Any, ...], *inputs: SymbolicTensor) -> SymbolicTensor:
    first = inputs[0]
    array = opaque(name, shape, (None,) * len(shape), *(arr(i) for i in inputs), dtype=numpy_type(first.dtype))
    return out(array, first.dtype)


def _recurrent(name: str, *, cells: bool) -> Callable[..., Any]:
    def row(input: Any, hx: Any, params: Any, *rest: Any) -> Any:
        if not isinstance(params, (list, tuple)):
            raise unsupported(f"{name} of a packed sequence")
        has_biases, num_layers, _dropout, _train, bidirectional, batch_first = rest
        tensor = as_tensor(input)
        ways = 2 if bidirectional else 1
        states = list(hx) if cells else [hx]
        width = params[0].shape[1]
        require(
            tensor.shape[-1] == width, f"{name}: the input has {tensor.shape[-1]} features, the layer takes {width}"
        )
        batch = tensor.shape[0 if batch_first else 1]
        hidden = states[0].shape[-1]
        for state in states:
            wanted = (num_layers * ways, batch)
            for size, size_wanted in zip(state.shape[:2], wanted, strict=True):
                require(size == size_wanted, f"{name}: hidden state [{', '.join(map(str, state.shape))}]")
        del has_biases
        result = _made(name, (*tensor.shape[:-1], hidden * ways), tensor, *states, *params)
        return (result, *(_made(name, tuple(s.shape), tensor, *states, *params) for s in states))

    return row


for _name, _cells in (("lstm", True), ("gru", False), ("rnn_tanh", False), ("rnn_relu", False)):
    implements(_name, only=(torch,))(_recurrent(_name, cells=_cells))


@implements("norm_except_dim", only=(torch,))
def _norm_except_dim(v: Any, pow: Any = 2, dim: Any = 0) -> Any:
    if dim == -1:
        return v.norm(pow)
    place = axis_of(dim, v.ndim)
    return torch.linalg.vector_norm(v, pow, tuple(i for i in range(v.ndim) if i != place), keepdim=True)


@implements("_weight_norm", only=(torch,))
def _weight_norm(v: Any, g: Any, dim: Any = 0) -> Any:
    return v * (g / _norm_except_dim(v, 2, dim))
