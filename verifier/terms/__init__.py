"""Real numbers in index notation: what an element of an array is, in terms of the inputs' elements.

What belongs here represents and normalises; that two terms are equal is decided in `prove`. Sizes take part
as they are (`dims`), arrays do not (`graph` says what the element of a node is). No SymPy.
"""

from .atoms import Call, Entry, Exponential, Fold, Group, Indicator
from .term import Term, as_term, exponential, function, indicator, one, select, zero

__all__ = [
    "Call",
    "Entry",
    "Exponential",
    "Fold",
    "Group",
    "Indicator",
    "Term",
    "as_term",
    "exponential",
    "function",
    "indicator",
    "one",
    "select",
    "zero",
]
