"""Sizes: integer expressions, relations between them, scopes with assumptions, jaxtyping's axis grammar.

What belongs here speaks about sizes alone and decides nothing that needs a search or a proof
(that is `prove`), knows no arrays (`graph`) and no real numbers (`terms`). No SymPy.
"""

from .dim import Dim, FloorDiv, Lookup, Size, identical, is_dim, lookup, symbol
from .relation import Relation, deciding
from .scope import Assumption, Scope

__all__ = [
    "Assumption",
    "Dim",
    "FloorDiv",
    "Lookup",
    "Relation",
    "Scope",
    "Size",
    "deciding",
    "identical",
    "is_dim",
    "lookup",
    "symbol",
]
