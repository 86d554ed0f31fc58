"""JAX's front end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from ...dims import Size
from ...graph.node import Node
from ...graph.ops import Input
from ..numpy.array import SymbolicArray
from ..recording import current_graph
from .array import KEY, SymbolicJaxArray
from .engine import jax, jnp
from .flax_modules import REFUSALS, bound, streams
from .session import prepare, session
from .types import canonical_type, named

CONCRETE = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.TracerBoolConversionError,
    jax.errors.NonConcreteBooleanIndexError,
    jax.errors.UnexpectedTracerError,
)
"""What JAX raises where a trace meets code that wants values."""
KEYS = "prng_key"
"""jaxtyping's name of the element type of keys of random numbers."""


class Jax:
    """`jax.Array`, with single precision first: what JAX makes unless x64 is on."""

    name = "jax"
    compiles = True
    switches = (
        (
            "whether JAX has 64 bits",
            lambda: bool(jax.config.jax_enable_x64),
            lambda wide: jax.config.update("jax_enable_x64", wide),
        ),
    )
    """What a call may leave changed in JAX itself."""

    @property
    def element_types(self) -> tuple[str, ...]:
        wide = ("float64", "int64", "complex128") if jax.config.jax_enable_x64 else ()
        narrow = ("float32", "int32", "bool", "complex64", "bfloat16", "float16", "uint32", "uint8", "int8")
        return (*wide, *narrow, *(() if wide else ("float64", "int64", "complex128")), KEYS)

    def owns(self, array_type: Any) -> bool:
        return isinstance(array_type, type) and issubclass(array_type, jax.Array)

    def symbolic(self, name: str, shape: tuple[Size, ...], element: str) -> SymbolicJaxArray:
        dtype = KEY if element == KEYS else canonical_type(named(element))
        return self.wrap(current_graph().add(Input(name, shape), dtype=dtype))

    def wrap(self, node: Node) -> SymbolicJaxArray:
        return SymbolicJaxArray(SymbolicArray(node))

    def real(self, values: np.ndarray, element: str) -> Any:
        if element == KEYS:
            return jax.random.split(jax.random.key(0), values.shape) if values.shape else jax.random.key(0)
        return jnp.asarray(values, dtype=canonical_type(named(element)))

    def to_numpy(self, value: Any) -> np.ndarray | None:
        if not isinstance(value, jax.Array):
            return None
        made = np.asarray(value)
        return made if made.dtype.kind in "biufc" else made.astype(np.float32)

    def value_of(self, hint: type, scalar: Callable[[str, str, Any], Any]) -> Any:
        return streams(hint, lambda: scalar("key", KEYS, jax.Array))

    def bound(self, function: Callable[..., Any], args: Sequence[Any]) -> Callable[..., Any] | None:
        return bound(function, args)

    def abstractly(self, run: Callable[[], None]) -> None:
        """JAX's own tracing at plain sizes says the same of shapes as running, without compiling for each of them.

        What branches on values, or changes what was made before, is run.
        """
        try:
            jax.eval_shape(run)
        except Exception as error:
            if not isinstance(error, CONCRETE) and type(error).__name__ not in REFUSALS:
                raise
            run()

    def prepare(self) -> None:
        prepare()

    def session(self) -> AbstractContextManager[None]:
        return session()
