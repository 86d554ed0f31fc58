"""What a tensor tells of itself besides its contents: its shape, what it looks at, and what it is made of."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...graph.node import Node, upstream
from ..numpy.array import SymbolicArray, unsupported
from ..recording import current_graph
from .layout import Layout

if TYPE_CHECKING:
    from .tensor import SymbolicTensor


@dataclass(frozen=True)
class View:
    """How a tensor looks at another one's memory: what it sees of it, and the base with a new view put back."""

    base: SymbolicTensor
    derive: Callable[[SymbolicArray], SymbolicArray]
    put_back: Callable[[SymbolicArray, SymbolicArray], SymbolicArray]
    key: str = ""
    """The square brackets that made it, where it was made by some."""


@dataclass(frozen=True)
class Open:
    """What may be a view of another tensor or a copy, which the sizes decide: asked only where it matters."""

    view: View
    decide: Callable[[], Layout | None]
    """The layout as a view, or None where it is a copy."""
    either: Layout | None = None
    """The layout where it is the same in both cases."""


def whole(base: SymbolicTensor) -> View:
    return View(base, lambda array: array, lambda _array, value: value)


PARAMETER = "parameter_"
"""What the names of parameters' nodes start with."""


def of_arguments(node: Node) -> bool:
    """Whether values of the call's own arguments are in it."""
    from ...graph.ops import Input

    return any(isinstance(n.op, Input) and not n.op.name.startswith(PARAMETER) for n in upstream(node))


_slices: list[int] = []
"""Where the runs of one slice that are at work began, by the number of the last node before them."""


@contextmanager
def mapping() -> Generator[None]:
    """The run of a function of one slice: nothing from outside may be written to."""
    nodes = current_graph().nodes
    _slices.append(nodes[-1].serial if nodes else 0)
    try:
        yield
    finally:
        _slices.pop()


def refuse_from_outside(born: int) -> None:
    """Raises where a tensor with that first node is older than the slice that writes to it."""
    if _slices and born <= _slices[-1]:
        raise unsupported("a write into a tensor from outside the function that vmap maps")
