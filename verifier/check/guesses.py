"""What is supposed where annotations say nothing of how to make an argument, and how sizes with a default are taken.

A verdict names every guess, and nothing is refuted under one: what fails there may be the guess.
"""

from __future__ import annotations

import ast
import enum
import inspect
import sys
import textwrap
import typing
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any

import numpy as np

from ..frontends.front_end import front_end_of, is_bare_array
from .annotated import is_array_hint, is_union

FOREIGN = frozenset({"builtins", "numpy", "typing", "collections", "jaxtyping", "jax", "jaxlib", "types"})
"""Modules whose classes say nothing of how to make a value of them."""
KEYS = ("key", "rng", "prng", "prng_key", "rng_key")
CONTAINERS = (list, tuple, Sequence, typing.Sequence)


class Style(StrEnum):
    """How the integers of a constructor that have a default are taken."""

    SIZES = "sizes"
    """As sizes, whatever the default: the verdict speaks of all of them."""
    DEFAULTS = "defaults"
    """As their defaults, unless an annotation names them: the verdict is one at these numbers."""
    GIVEN = "given"
    """As their defaults; of those that may be None one at a time is given, as a size."""


def values_of(hint: Any) -> tuple[Any, ...] | None:
    """All values of a hint that lists them; None for any other."""
    if hint is bool:
        return (False, True)
    if typing.get_origin(hint) is typing.Literal:
        return typing.get_args(hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return tuple(hint)
    return None


def is_layer(owner: type) -> bool:
    """Whether a class's objects are called, as PyTorch's and Equinox's layers are."""
    return any(name in vars(kind) for kind in owner.__mro__ for name in ("forward", "__call__"))


def is_optional_int(hint: Any) -> bool:
    return is_union(hint) and int in typing.get_args(hint)


def can_make(hint: Any) -> bool:
    """Whether a value can be made of a hint, as far as one can see without making it."""
    if is_array_hint(hint) or hint in (None, type(None), bool, int, float, complex):
        return True
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return can_make(inner[0])
    if is_union(hint):
        return any(can_make(h) for h in inner if h is not type(None))
    if origin is typing.Literal:
        return True
    if origin in CONTAINERS:
        return bool(inner) and all(can_make(h) for h in inner if h is not Ellipsis)
    if not isinstance(hint, type) or is_bare_array(hint):
        return False
    if issubclass(hint, (enum.Enum, np.number, np.bool_, np.random.Generator)):
        return True
    if _identity(hint) is not None:  # the class of all layers says nothing of which
        return False
    return hint.__module__.partition(".")[0] not in FOREIGN and not inspect.isabstract(hint)


def guessed(name: str, hint: Any, layer: bool) -> tuple[Any, str] | None:
    """The hint to take for a parameter whose own says nothing, and what is supposed with it; None where none is near.

    `layer`: the parameter is one of a layer's constructor.
    """
    last = name.rpartition(".")[2]
    nothing = hint is inspect.Parameter.empty
    if "jax" in sys.modules and (last in KEYS or last.endswith("_key")) and (nothing or _is_jax_array(hint)):
        return import_module("jaxtyping").PRNGKeyArray, f"{name} is a key of random numbers"
    if nothing and layer:
        return int, f"{name} is a size"
    return None


def element_type_for(name: str, hint: Any) -> tuple[Any, str] | None:
    """An element type for a parameter called `dtype` whose annotation says nothing of which, and what is supposed."""
    last = name.rpartition(".")[2]
    if not (last == "dtype" or last.endswith("_dtype")) or hint not in (Any, inspect.Parameter.empty):
        return None
    module = next((m for m in ("jax.numpy", "torch") if m in sys.modules), "numpy")
    return import_module(module).float32, f"{name} is float32"


def read_of(owner: type, name: str) -> set[str]:
    """The attributes that a constructor reads of a parameter: it is no number then."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(owner.__init__)))
    except (OSError, TypeError, SyntaxError):
        return set()
    return {
        n.attr
        for n in ast.walk(tree)
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == name
    }


def is_configuration(owner: type, name: str) -> bool:
    """Whether a constructor's parameter without annotation is an object with settings, and no size."""
    return name in CONFIGURATIONS or bool(read_of(owner, name))


def configuration_for(owner: type, name: str) -> type | None:
    """The one dataclass beside a layer whose fields are all that its constructor reads of a parameter."""
    module = sys.modules.get(owner.__module__)
    if module is None or not is_configuration(owner, name):
        return None
    read = read_of(owner, name)
    beside = [v for v in vars(module).values() if isinstance(v, type) and is_dataclass(v) and not is_layer(v)]
    fitting = [c for c in dict.fromkeys(beside) if read <= {f.name for f in fields(c)}]
    return fitting[0] if len(fitting) == 1 else None


CONFIGURATIONS = ("config", "cfg", "args", "params", "hparams")
"""What a parameter is called that holds a model's settings."""


def _is_jax_array(hint: Any) -> bool:
    return is_bare_array(hint) and front_end_of(hint).name == "jax"


def substitute_for(name: str, hint: Any) -> tuple[Any, str] | None:
    """A value for a layer's parameter that is a function or any layer, and what is supposed with it."""
    options = typing.get_args(hint) if is_union(hint) else (hint,)
    for option in options:
        kind = typing.get_origin(option) or option
        if kind is Callable or kind is typing.Callable:
            found = _activation()
            if found is not None:
                return found, f"{name} is an activation, {found.__name__}"
        if isinstance(kind, type):
            made = _identity(kind)
            if made is not None:
                return made, f"{name} changes nothing"
    return None


def _activation() -> Callable[..., Any] | None:
    """A function of each element, in the framework at work."""
    for module, name in (("jax.nn", "gelu"), ("torch.nn.functional", "gelu")):
        if module in sys.modules:
            return getattr(sys.modules[module], name)
    return None


def _identity(kind: type) -> Any:
    """The framework's layer that changes nothing, for a parameter annotated with the class of all layers."""
    for module, base in (("equinox", "Module"), ("torch.nn", "Module")):
        known = sys.modules.get(module)
        if known is not None and kind is getattr(known, base, None):
            return known.nn.Identity() if module == "equinox" else known.Identity()
    return None
