"""What the axes reading finds."""

from __future__ import annotations

from dataclasses import dataclass

from ..graph.node import Node, SourceLine


@dataclass(frozen=True)
class Oddity:
    """Two axes that met and should not have, or one that was used as another."""

    code: str
    message: str
    source: SourceLine | None
    node: Node
    fix: str = ""
    severity: str = "error"


__all__ = ["Oddity"]
