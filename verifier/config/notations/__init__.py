"""Other ways to write the same model down: one file a notation, translated into the field names of Hugging Face.

What belongs here recognises a notation by its keys and renames, with what its own code derives. A file has `TITLE`,
`recognises(raw)` and `translate(raw) -> (fields, notes)`; the folder is scanned.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from types import ModuleType
from typing import Any


@lru_cache(maxsize=1)
def notations() -> tuple[ModuleType, ...]:
    """Every notation, by name."""
    found = sorted(info.name for info in pkgutil.iter_modules(__path__))
    return tuple(importlib.import_module(f"{__name__}.{name}") for name in found)


def translate(raw: dict[str, Any]) -> tuple[dict[str, Any], str | None, list[str]]:
    """The fields in Hugging Face's names, the notation that they came in, and what was taken for granted.

    A config with a `model_type` is Hugging Face's own, whatever else it says.
    """
    if isinstance(raw.get("model_type"), str):
        return raw, None, []
    for notation in notations():
        if notation.recognises(raw):
            fields, notes = notation.translate(raw)
            return fields, notation.TITLE, notes
    return raw, None, []
