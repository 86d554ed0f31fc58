"""PyTorch on symbolic sizes: a tensor stand-in, and PyTorch's functions lowered onto NumPy's rows.

`tensor` is the stand-in, `layout` its strides, `table` what `__torch_function__` dispatches to; the rows stand in a
file for each chapter of PyTorch's reference. `session` replaces what does not dispatch for the length of a run.
Nothing here is imported before the code under test has imported PyTorch.
"""

from .front_end import PyTorch

FRONT_END = PyTorch()

__all__ = ["FRONT_END"]
