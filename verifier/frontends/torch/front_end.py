"""PyTorch's front end."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from ...dims import Size
from ...graph.node import Node
from ...graph.ops import Input
from ..recording import current_graph
from .elements import numpy_type, torch_type
from .framework import torch
from .session import install, session
from .tensor import SymbolicTensor, wrapped


def _random() -> bytes:
    return torch.default_generator.get_state().numpy().tobytes()


def _set_random(state: bytes) -> None:
    torch.default_generator.set_state(torch.from_numpy(np.frombuffer(state, np.uint8).copy()))


class PyTorch:
    """`torch.Tensor` and its subclasses."""

    name = "PyTorch"
    element_types = (
        *("float32", "int64", "bool", "float64", "bfloat16", "float16", "int32", "complex64", "complex128", "uint8"),
        *("int8", "int16"),
    )

    switches = (
        ("PyTorch's default element type", torch.get_default_dtype, torch.set_default_dtype),
        ("whether PyTorch keeps gradients", torch._C.is_grad_enabled, torch._C._set_grad_enabled),
        ("the state of PyTorch's random numbers", _random, _set_random),
    )
    """What a call may leave changed in PyTorch itself."""

    def owns(self, array_type: Any) -> bool:
        return isinstance(array_type, type) and issubclass(array_type, torch.Tensor)

    def symbolic(self, name: str, shape: tuple[Size, ...], element: str) -> SymbolicTensor:
        dtype = torch_type(element)
        node = current_graph().add(Input(name, shape), dtype=numpy_type(dtype))
        return wrapped(node, dtype)

    def wrap(self, node: Node) -> SymbolicTensor:
        return wrapped(node, torch_type(node.dtype.name))

    def real(self, values: np.ndarray, element: str) -> Any:
        return torch.from_numpy(np.ascontiguousarray(values).reshape(values.shape)).to(torch_type(element))

    def to_numpy(self, value: Any) -> np.ndarray | None:
        if not isinstance(value, torch.Tensor) or isinstance(value, SymbolicTensor):
            return None
        plain = value.detach().resolve_conj().resolve_neg().cpu()
        return (plain.float() if plain.dtype is torch.bfloat16 else plain).numpy()

    def parameters(self, value: Any) -> dict[str, str]:
        """The paths of a module's parameters, by the names of their nodes."""
        if not isinstance(value, torch.nn.Module):
            return {}
        nodes = {path: p.node for path, p in value.named_parameters() if isinstance(p, SymbolicTensor)}
        return {n.op.name: path for path, n in nodes.items() if isinstance(n.op, Input)}

    def prepare(self) -> None:
        install()

    def session(self) -> AbstractContextManager[None]:
        return session()
