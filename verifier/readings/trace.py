"""A kernel's run on symbolic sizes, recorded once for each choice of optional arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..dims import Scope, Size
from ..errors import VerifierError
from ..frontends.explorer import Path, explore
from ..frontends.front_end import is_stand_in
from ..frontends.signature import Argument, arguments_of, scope_of, symbolic_call
from ..graph.node import Graph, Node
from ..graph.ops import Input


@dataclass(frozen=True)
class Trace:
    """Every path of a function over the sizes of its annotations."""

    function: Callable[..., Any]
    arguments: tuple[Argument, ...]
    present: frozenset[str]
    scope: Scope
    paths: tuple[Path, ...]

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def path(self) -> Path:
        """The one path that returns a value.

        Raises:
            VerifierError: there is none, or more than one, so that a single reading does not exist.
        """
        returning = [p for p in self.paths if p.error is None]
        if len(returning) == 1:
            return returning[0]
        if not returning:
            raise VerifierError(f"{self.name} returns at no size: {self.paths[0].error}")
        conditions = "; ".join(" and ".join(map(str, p.conditions)) for p in returning)
        raise VerifierError(
            f"{self.name} takes different ways at different sizes: {conditions}",
            remedy="add an assumption that leaves one of them",
        )

    @property
    def graph(self) -> Graph:
        return self.path.graph

    @property
    def outputs(self) -> tuple[Node, ...]:
        """The arrays returned, in order."""
        value = self.path.value
        values = value if isinstance(value, tuple) else (value,)
        return tuple(v.node for v in values if is_stand_in(v))

    def input(self, name: str) -> Node:
        """The node of an argument."""
        for node in self.graph.nodes:
            if isinstance(node.op, Input) and node.op.name == name:
                return node
        raise VerifierError(f"{self.name} has no array argument {name!r}")


@lru_cache(maxsize=512)
def trace(function: Callable[..., Any], present: frozenset[str] = frozenset(), premises: tuple[str, ...] = ()) -> Trace:
    """The function's run with the optional arguments in `present`, under premises about its sizes."""
    arguments = arguments_of(function)
    scope = scope_of(arguments)
    for premise in premises:
        scope = scope.assuming(premise)
    unknown = present - {a.name for a in arguments}
    if unknown:
        raise VerifierError(f"{function.__name__} has no argument {', '.join(sorted(unknown))}")
    paths = explore(lambda: symbolic_call(function, arguments, present, scope.names), scope)
    return Trace(function, arguments, present, scope, tuple(paths))


def summary(function: Callable[..., Any]) -> str:
    """The first line of the function's documentation."""
    return (inspect.getdoc(function) or "").partition("\n")[0]


def at(sizes: Mapping[str, Size], size: Size) -> Size:
    """A size with symbols replaced, by numbers or by other sizes."""
    from ..dims.dim import substitute

    return substitute(size, sizes)
