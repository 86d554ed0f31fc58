"""The shape of an operation without a row, from PyTorch's own engine. (Not yet: unsupported by name.)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..numpy.array import unsupported


def fallback(function: Any, name: str, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
    raise unsupported(f"torch.{name}")
