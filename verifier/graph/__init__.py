"""The record of one run on sizes: nodes with shapes, obligations and source lines, one primitive a file in `ops`.

What belongs here says what an operation *is*: its shape rule, its cost, its meaning, its reference evaluation.
How NumPy spells it is in `frontends`; what follows from a whole graph is in `readings`.
"""

from .node import Graph, Node, Obligation, ShapeMismatch, SourceLine, require
from .primitive import Cost, Meaning, Primitive

__all__ = ["Cost", "Graph", "Meaning", "Node", "Obligation", "Primitive", "ShapeMismatch", "SourceLine", "require"]
