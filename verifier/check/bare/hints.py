"""Which parameters are arrays of which no annotation names the axes."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from ...errors import VerifierError
from ...frontends.front_end import front_ends
from ..annotated import bare, hints_of, is_record, is_union

MODULES: dict[str, tuple[str, str, str]] = {
    "torch.nn": ("Module", "torch", "Tensor"),
    "equinox": ("Module", "jax", "Array"),
    "flax.nnx": ("Module", "jax", "Array"),
}
"""Where the class of a framework's modules stands, its name, and where its arrays' class stands, and its name."""

METHODS = ("forward", "__call__")


def array_type_of(hint: Any) -> tuple[Any, str] | None:
    """The array type of a hint that says no axes, and the kind of elements where it says one; None of other hints.

    >>> array_type_of(np.ndarray)[1], array_type_of(np.typing.NDArray[np.int64])[1], array_type_of(int)
    ('', 'i', None)
    """
    hint = bare(hint)
    if hint is np.ndarray or (isinstance(hint, type) and any(f.name != "numpy" and f.owns(hint) for f in front_ends())):
        return hint, ""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is np.ndarray:
        element: Any = (typing.get_args(inner[-1]) or (None,))[0] if inner else None
        known = isinstance(element, type) and issubclass(element, np.generic)
        kinds = ((np.integer, "i"), (np.bool_, "b"), (np.complexfloating, "c"), (np.floating, "f"))
        return np.ndarray, next((k for c, k in kinds if known and issubclass(element, c)), "")
    return None


def holds_bare(hint: Any, depth: int = 0) -> bool:
    """Whether an array without axes occurs in a hint."""
    hint = bare(hint)
    if array_type_of(hint) is not None:
        return True
    if depth < 4 and is_record(hint):
        try:
            return any(holds_bare(h, depth + 1) for h in hints_of(hint).values())
        except VerifierError:
            return False
    return depth < 6 and typing.get_origin(hint) is not Callable and any(
        holds_bare(h, depth + 1) for h in typing.get_args(hint) if not isinstance(h, (str, list))
    )  # fmt: skip


def array_of_module(owner: Any) -> Any:
    """The array type that a module's own call takes where it says nothing; None where the class is no module."""
    for place, (kind, framework, array) in MODULES.items():
        base = getattr(sys.modules.get(place), kind, None)
        if base is not None and isinstance(owner, type) and issubclass(owner, base):
            return getattr(sys.modules[framework], array)
    return None


def taken_for(parameter: inspect.Parameter, owner: Any, method: str) -> Any:
    """The array type for a parameter without annotation of a module's own call; None where there is none."""
    plain = parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    if method not in METHODS or not plain or parameter.default is not parameter.empty:
        return None
    return array_of_module(owner)


def takes_bare(function: Callable[..., Any], owner: Any) -> bool:
    """Whether a function has a parameter, or its object a field, that is an array without axes.

    Raises:
        VerifierError: its annotations cannot be read.
    """
    hints = hints_of(function)
    named = list(inspect.signature(function).parameters.values())
    parameters = named[1:] if owner is not None else named
    for parameter in parameters:
        hint = hints.get(parameter.name, parameter.empty)
        if hint is parameter.empty:
            if taken_for(parameter, owner, function.__name__) is not None:
                return True
        elif holds_bare(hint) and (parameter.default is parameter.empty or is_union(hint)):
            return True
    return False


def made_of_bare(owner: Any) -> bool:
    """Whether an object's fields, from which it is made, are arrays without axes."""
    if not isinstance(owner, type) or not is_dataclass(owner):
        return False
    names = [p.name for p in list(inspect.signature(owner.__init__).parameters.values())[1:]]
    made = names == [f.name for f in fields(owner) if f.init]
    return made and any(holds_bare(h) for n, h in hints_of(owner).items() if n in names)
