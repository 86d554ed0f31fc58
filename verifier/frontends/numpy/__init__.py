"""NumPy on symbolic sizes: an array stand-in, and NumPy's functions lowered to primitives.

`array` is the stand-in, `lower` the lowering shared by all, `functions` the table of what `__array_function__`
dispatches, `creation` what makes arrays from sizes, `indexing` the square brackets.
"""

from .array import SymbolicArray
from .front_end import NumPy

FRONT_END = NumPy()

__all__ = ["FRONT_END", "SymbolicArray"]
