"""The choices of a union that are worth a try."""

from __future__ import annotations

import typing
from typing import Any

import numpy as np

from ..frontends.front_end import front_end_of
from ..frontends.signature import admits
from .annotated import is_array_hint, is_union
from .guesses import CONTAINERS


def options_of(hint: Any) -> tuple[Any, ...]:
    """The choices of a union: no dictionaries or texts, of which nothing can be made, where there is another.

    Of keys of random numbers, which JAX has in three forms, the newest.
    """
    options = typing.get_args(hint)
    options = tuple(o for o in options if not _is_of_text(o)) or options
    newest = [o for o in options if is_array_hint(o) and admits(o, "prng_key")]
    old = [o for o in options if is_array_hint(o) and o.dim_str in ("2", "4") and admits(o, "uint32")]
    rest = tuple(o for o in options if not (newest and o in old))
    return _one_of_each(rest)


def texts_of(hint: Any) -> tuple[str, ...]:
    """The names of the choices that are left out for being texts or dictionaries."""
    kept = options_of(hint)
    if any(getattr(o, "__name__", "") == "device" for o in kept):  # `str | torch.device`: a text is a device's name
        return ()
    return tuple(_name_of(o) for o in typing.get_args(hint) if _is_of_text(o) and o not in kept)


def _is_of_text(option: Any) -> bool:
    """Whether it is a text, a dictionary, or a list of these: nothing says what would stand in one."""
    kind = typing.get_origin(option) or option
    inner = [h for h in typing.get_args(option) if h is not Ellipsis]
    return kind in (dict, str) or (kind in CONTAINERS and bool(inner) and any(map(_is_of_text, inner)))


def _name_of(option: Any) -> str:
    return option.__name__ if type(option) is type else str(option).removeprefix("typing.")


def _one_of_each(options: tuple[Any, ...]) -> tuple[Any, ...]:
    """`Float[ArrayLike, ""]` names every array and number there is: one array, and Python's numbers, stand for all."""
    arrays = [o for o in options if is_array_hint(o)]
    if len(arrays) < 2 or len({(o.dim_str, o.name if hasattr(o, "name") else "") for o in arrays}) > 1:
        return options
    kept = arrays[0] if front_end_of(arrays[0].array_type).name != "numpy" else arrays[-1]
    numbers = (int, float, bool)
    return tuple(o for o in options if o is kept or o in numbers or not (is_array_hint(o) or _is_number(o)))


def _is_number(option: Any) -> bool:
    return option is complex or (isinstance(option, type) and issubclass(option, (np.number, np.bool_)))


def without_none(hint: Any) -> Any:
    if not is_union(hint):
        return hint
    rest = tuple(h for h in typing.get_args(hint) if h is not type(None))
    return typing.Union[rest]  # noqa: UP007  built from a tuple
