"""NumPy's front end."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...dims import Size
from ...graph.node import Node
from ...graph.ops import Input
from ..recording import current_graph
from .array import SymbolicArray


def _random() -> tuple[Any, ...]:
    name, key, *rest = np.random.get_state()
    return (name, tuple(key), *rest)


class NumPy:
    """`numpy.ndarray`, and whatever an annotation leaves open."""

    name = "numpy"
    element_types = (
        *("float64", "float32", "int64", "int32", "bool", "complex128", "float16", "uint8", "int8", "int16", "uint16"),
        *("uint32", "uint64", "complex64"),
    )

    switches = (("the state of NumPy's random numbers", _random, np.random.set_state),)
    """What a call may leave changed in NumPy itself."""

    def owns(self, array_type: Any) -> bool:
        return array_type is Any or (isinstance(array_type, type) and issubclass(np.ndarray, array_type))

    def symbolic(self, name: str, shape: tuple[Size, ...], element: str) -> SymbolicArray:
        return self.wrap(current_graph().add(Input(name, shape), dtype=np.dtype(element)))

    def wrap(self, node: Node) -> SymbolicArray:
        return SymbolicArray(node)

    def real(self, values: np.ndarray, element: str) -> np.ndarray:
        return values.astype(np.dtype(element))

    def to_numpy(self, value: Any) -> np.ndarray | None:
        return value if isinstance(value, (np.ndarray, np.generic)) else None  # pyright: ignore[reportReturnType]

    def prepare(self) -> None:
        """Nothing: NumPy dispatches to our stand-in by itself."""

    @contextmanager
    def session(self) -> Generator[None]:
        from .creation import symbolic_creation
        from .libraries import without_caches

        with symbolic_creation(), without_caches():
            yield
