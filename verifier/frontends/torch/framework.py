"""PyTorch itself, untyped: the checks of this package run where it is not installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

torch: Any = import_module("torch")
F: Any = import_module("torch.nn.functional")
"""`torch.nn.functional`, under the name that everybody gives it."""
