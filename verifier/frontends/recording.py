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


def graph_at_work() -> Graph | None:
    """The graph of the run at work, if there is one: what a run returned may be looked at later."""
    return _current.get()


@contextmanager
def recording(graph: Graph) -> Generator[Graph]:
    """Operations on symbolic arrays go into the graph, and functions that do not dispatch take symbolic sizes."""
    from .front_end import sessions

    token = _current.set(graph)
    try:
        with sessions():
            yield graph
    finally:
        _current.reset(token)
