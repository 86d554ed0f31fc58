"""Proves statements, configs and array code about attention for every size, or shows the size that breaks."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .shape_assertion import assert_shapes

__version__ = "0.1.0"
__all__ = ["__version__", "assert_shapes"]


def __getattr__(name: str) -> Any:
    # Late, so that `import verifier` stays light.
    if name == "assert_shapes":
        from .shape_assertion import assert_shapes

        return assert_shapes
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
