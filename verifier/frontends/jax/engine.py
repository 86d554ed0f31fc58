"""JAX itself. It ships few types and need not be installed where we are checked: here it is imported as `Any`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

jax: Any = import_module("jax")
jnp: Any = import_module("jax.numpy")
lax: Any = import_module("jax.lax")
nn: Any = import_module("jax.nn")
random: Any = import_module("jax.random")
dtypes: Any = import_module("jax.dtypes")
tree: Any = import_module("jax.tree_util")
Primitive: Any = import_module("jax.extend.core").Primitive

for _lazy in ("jax.export", "jax.scipy.special", "jax.scipy.linalg", "jax.numpy.fft", "jax.numpy.linalg", "jax.image"):
    import_module(_lazy)  # JAX imports them at first use, which would be in the middle of a run
