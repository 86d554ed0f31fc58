"""The files of rows."""

from __future__ import annotations

ROWS = (
    "arithmetic",
    "shaping",
    "joining",
    "padding",
    "reducing",
    "products",
    "activations",
    "picking",
    "searching",
    "attending",
    "sliding",
    "layers",
    "making",
    "recurrent",
    "factoring",
)


def load() -> None:
    """Imports every file of rows, which registers them."""
    from importlib import import_module

    for name in ROWS:
        import_module(f"{__package__}.{name}")
