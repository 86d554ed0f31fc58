"""Proves statements, configs and array code about attention for every size, or shows the size that breaks."""

__version__ = "0.1.0"
__all__ = ["__version__"]
