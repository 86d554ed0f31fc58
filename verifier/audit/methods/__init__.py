"""Ways of establishing a claim, one a file, found by their file's name: `method = "relation"` is `relation.py`.

A method's module has `establish(reading, context) -> Verdict`, whose docstring says what a reading's relation must
be and what its verdicts mean. What belongs here asks the prover and the kernels; it never holds an answer.
"""

from __future__ import annotations

import importlib
import pkgutil
from difflib import get_close_matches
from types import ModuleType

from ...errors import VerifierError


def names() -> tuple[str, ...]:
    """Every method there is."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")))


def find(name: str) -> ModuleType:
    """The module of a method.

    Raises:
        VerifierError: there is none of that name; the nearest is suggested.
    """
    known = names()
    if name not in known:
        near = get_close_matches(name, known, 1)
        raise VerifierError(
            f"there is no method {name!r}",
            remedy=f"did you mean {near[0]}?" if near else f"methods: {', '.join(known)}",
        )
    return importlib.import_module(f"{__name__}.{name}")
