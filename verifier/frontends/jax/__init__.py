"""JAX on symbolic sizes: a stand-in for `jax.Array`, and JAX's functions lowered to what NumPy's are.

`array` is the stand-in, `types` the element types, `table` the rules by public name with one file for each of JAX's
chapters, `mapping` is vmap, `fallback` what has no rule, `session` puts the rules in place of JAX's functions. Only
imported once the code under test has imported JAX.
"""

from .array import SymbolicJaxArray
from .front_end import Jax

FRONT_END = Jax()

__all__ = ["FRONT_END", "SymbolicJaxArray"]
