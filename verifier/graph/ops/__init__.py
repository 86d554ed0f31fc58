"""One primitive operation a file: its shape rule with obligations, its cost, its meaning, its evaluation.

What belongs here is irreducible: whatever can be said through two others (mean, softmax, matmul with batch
axes) is lowered by a front end.
"""

from .broadcast import Broadcast
from .concatenate import Concatenate
from .constant import Constant
from .contraction import Contraction
from .each import Each
from .elementwise import Elementwise
from .gather import Gather
from .input import Input
from .iota import Iota
from .opaque import Opaque
from .reduction import Reduction
from .reshape import Reshape
from .slice import Slice
from .transpose import Transpose
from .update import Update

__all__ = [
    "Broadcast",
    "Concatenate",
    "Constant",
    "Contraction",
    "Each",
    "Elementwise",
    "Gather",
    "Input",
    "Iota",
    "Opaque",
    "Reduction",
    "Reshape",
    "Slice",
    "Transpose",
    "Update",
]
