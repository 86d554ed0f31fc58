"""One primitive operation a file: its shape rule with obligations, its cost, its meaning, its evaluation.

What belongs here is irreducible: whatever can be said through two others (mean, softmax, matmul with batch
axes) is lowered by a front end.
"""

from .broadcast import Broadcast
from .concatenate import Concatenate
from .constant import Constant
from .contraction import Contraction
from .elementwise import Elementwise
from .gather import Gather
from .input import Input
from .iota import Iota
from .reduction import Reduction
from .reshape import Reshape
from .slice import Slice
from .transpose import Transpose

__all__ = [
    "Broadcast",
    "Concatenate",
    "Constant",
    "Contraction",
    "Elementwise",
    "Gather",
    "Input",
    "Iota",
    "Reduction",
    "Reshape",
    "Slice",
    "Transpose",
]
