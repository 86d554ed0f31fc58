"""The graph that is being recorded, if any."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from ..graph.node import Graph

_current: ContextVar[Graph | None] = ContextVar("_current", default=None)


def current_graph() -> Graph:
    """The graph of the run at work.

    Raises:
        RuntimeError: a symbolic array was used outside a run.
    """
    graph = _current.get()
    if graph is None:
        raise RuntimeError("a symbolic array belongs to a run of the explorer and was used outside it")
    return graph


@contextmanager
def recording(graph: Graph) -> Generator[Graph]:
    """Operations on symbolic arrays go into the graph, and NumPy's creation functions take symbolic sizes."""
    from .numpy.creation import symbolic_creation

    token = _current.set(graph)
    try:
        with symbolic_creation():
            yield graph
    finally:
        _current.reset(token)
