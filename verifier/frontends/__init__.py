"""Code + symbolic sizes -> graphs, one for every path.

What belongs here makes foreign code run on sizes: stand-ins for its arrays, the explorer that decides its
comparisons, the reading of its annotations. What an operation *is* stands in `graph`.
"""

from .explorer import Path, explore
from .signature import Argument, arguments_of

__all__ = ["Argument", "Path", "arguments_of", "explore"]
