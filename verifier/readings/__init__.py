"""What follows from a graph: shapes and their obligations, costs, meanings, where each axis came from.

What belongs here reads a recorded run and records nothing itself; deciding is `prove`'s.
"""

from .cost import cost_of, parameters_of
from .trace import Trace, trace

__all__ = ["Trace", "cost_of", "parameters_of", "trace"]
