"""Nodes of a graph, the obligations that their shape rules state, and the line that made each."""

from __future__ import annotations

import linecache
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from types import CodeType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dims import Relation, Size, symbol
from ..dims.looked_at import by_code_under_test
from ..errors import Unsupported

if TYPE_CHECKING:
    from .primitive import Primitive

Shape = tuple[Size, ...]


@dataclass(frozen=True)
class SourceLine:
    """A line of the code under test."""

    file: str
    line: int
    function: str = ""
    outer: tuple[tuple[CodeType, int], ...] = field(default=(), compare=False, repr=False)
    """The calls under test that led there, innermost first: each function, and the instruction that it was at."""

    @property
    def text(self) -> str:
        """What stands on the line, or nothing where the source is not to be had."""
        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Obligation:
    """A relation that a shape rule needs, and what for."""

    relation: Relation | bool
    purpose: str
    operands: tuple[Shape, ...] = ()
    """The shapes of the arrays that are contracted, where it is of two of their axes."""
    joined: tuple[Shape, ...] = ()
    """The shapes of the arrays that are broadcast against each other."""


class ShapeMismatch(Exception):
    """Sizes that an operation cannot join.

    Code under test may catch it by the class that its framework raises for the same call, and by no other.
    """

    def __init__(self, obligation: Obligation) -> None:
        super().__init__(obligation)
        self.obligation = obligation

    def __str__(self) -> str:
        if by_code_under_test():
            raise Unsupported("the text of an error decides", remedy="catch it by its class, or compare the sizes")
        return f"{self.obligation.purpose}: {self.obligation.relation} does not hold"


class MismatchAsValueError(ShapeMismatch, ValueError):
    """As NumPy raises it."""


class MismatchAsRuntimeError(ShapeMismatch, RuntimeError):
    """As PyTorch raises it."""


class MismatchAsIndexError(ShapeMismatch, IndexError):
    """As PyTorch raises it where square brackets do not fit."""


@dataclass(frozen=True, eq=False)
class Node:
    """One array: the primitive that made it, of what, with which shape and element type."""

    op: Primitive
    inputs: tuple[Node, ...]
    shape: Shape
    dtype: np.dtype[Any]
    source: SourceLine | None
    obligations: tuple[Obligation, ...] = ()
    label: str = field(default="")
    serial: int = field(default_factory=count(1).__next__)
    """No other node of this process ever has it, as addresses in memory are had again."""

    @property
    def name(self) -> str:
        return self.label or self.op.title


def upstream(*nodes: Node) -> Generator[Node]:
    """The nodes and all that they were made of, each once."""
    seen: set[int] = set()
    todo = list(nodes)
    while todo:
        node = todo.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            todo.extend(node.inputs)


_stated: ContextVar[list[Obligation] | None] = ContextVar("_stated", default=None)


def require(relation: Any, purpose: str, operands: tuple[Shape, ...] = (), joined: tuple[Shape, ...] = ()) -> None:
    """States an obligation of the operation at work; where it fails, the operation does.

    With plain sizes the relation is a bool; with symbolic ones the explorer decides it, or takes both ways.

    Raises:
        ShapeMismatch: the relation does not hold, on this path.
    """
    obligation = Obligation(relation, purpose, operands, joined)
    if not relation:
        raise MismatchAsValueError(obligation)
    stated = _stated.get()
    if stated is not None and isinstance(relation, Relation):
        stated.append(obligation)


@contextmanager
def stating() -> Generator[list[Obligation]]:
    """Collects what is required inside."""
    collected: list[Obligation] = []
    token = _stated.set(collected)
    try:
        yield collected
    finally:
        _stated.reset(token)


@dataclass
class Graph:
    """The nodes of one run in the order they were made."""

    nodes: list[Node] = field(default_factory=lambda: list[Node]())
    overwritten: set[int] = field(default_factory=lambda: set[int]())
    """Identities of the nodes whose memory was written to since; whatever still looks at it is out of date."""

    counts: dict[int, Size] = field(default_factory=lambda: dict[int, Size]())
    """How many elements of a node are True, by its identity: a size that only the data decide."""

    def count_of(self, mask: Node) -> Size:
        return self.counts.setdefault(id(mask), symbol(f"count_{len(self.nodes)}_{len(self.counts)}"))

    def add(self, op: Primitive, *inputs: Node, dtype: Any, source: SourceLine | None = None, label: str = "") -> Node:
        """The node of a primitive applied to nodes; its shape rule is asked, its obligations kept."""
        with stating() as obligations:
            shape = op.shape(*(n.shape for n in inputs))
        node = Node(op, inputs, shape, np.dtype(dtype), source, tuple(obligations), label)
        self.nodes.append(node)
        return node

    def reaching(self, outputs: tuple[Node, ...]) -> list[Node]:
        """The nodes that the outputs depend on, in order."""
        needed = {id(n) for n in upstream(*outputs)}
        return [n for n in self.nodes if id(n) in needed]
