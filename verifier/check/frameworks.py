"""The array annotations in a hint, and whose arrays they are: NumPy's, PyTorch's or JAX's."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ..errors import Unsupported
from ..frontends.front_end import front_end_of
from .annotated import bare, hints_of, is_array_hint, is_record
from .bare.hints import array_type_of


def array_hints_in(hint: Any, depth: int = 0) -> Iterator[Any]:
    """The array annotations in a hint, of fields too."""
    hint = bare(hint)
    if is_array_hint(hint):
        yield hint
        return
    inner = hints_of(hint).values() if depth < 4 and is_record(hint) else typing.get_args(hint) if depth < 6 else ()
    for h in inner:
        yield from array_hints_in(h, depth + 1)


def framework_of(hint: Any) -> str:
    """The name of the front end of the first array annotation in a hint, or array type; empty where there is none."""
    for array in array_hints_in(hint):
        with suppress(Unsupported):
            return front_end_of(array.array_type).name
    for kind in (bare(hint), *typing.get_args(bare(hint))):
        known = array_type_of(kind)
        if known is not None:
            return front_end_of(known[0]).name
    return ""
