"""Proves statements, configs and array code about attention for every size, or shows the size that breaks."""

from collections.abc import Callable
from typing import Any

__version__ = "0.1.0"
__all__ = ["__version__", "assert_shapes"]


def assert_shapes(function: Callable[..., Any], *given: str, values: bool = True) -> None:
    """Passes where the annotated function is right for every size; see `verifier.shape_assertion`."""
    from importlib import import_module  # late and by name: `import verifier` stays light, and layers stay layers

    import_module("verifier.shape_assertion").assert_shapes(function, *given, values=values)
