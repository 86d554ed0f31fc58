"""State that attributes and items do not show: of generators, buffers and whatever else is written in C.

Such an object is asked for what it would be pickled as; one that cannot be pickled cannot be followed.
"""

from __future__ import annotations

import gc
import re
import types
import weakref
from collections import deque
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, cast

import numpy as np

from ..frontends.front_end import FRAMEWORKS

STATE = ".<state>"
"""The place of what an object holds and does not show."""
POINTER = 8
SHOWN = (object, list, dict, tuple, set, frozenset, deque, int, float, complex, str, bytes, BaseException)
"""Built-in classes whose objects hold what their items and attributes show."""
FIXED = (
    *(re.Pattern, property, classmethod, staticmethod, weakref.ReferenceType, np.ufunc, types.CodeType),
    *(types.WrapperDescriptorType, types.MethodDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType),
    *(types.MappingProxyType, types.GenericAlias, types.UnionType, types.EllipsisType, types.NotImplementedType),
)
"""Classes whose objects never change, though they cannot be pickled."""
BOUND = (types.BuiltinFunctionType, types.MethodWrapperType)
"""Methods of built-in classes: they hold the object that they are of."""
Cached = type(lru_cache(int))
_hiding: weakref.WeakKeyDictionary[type, bool] = weakref.WeakKeyDictionary()


def hides(kind: type) -> bool:
    """Whether objects of a class hold more than their attributes and items show."""
    known = _hiding.get(kind)
    if known is None:
        known = _hiding[kind] = _has_more(kind)
    return known


def _has_more(kind: type) -> bool:
    if issubclass(kind, (*FIXED, *BOUND, type, types.ModuleType, types.FunctionType, types.MethodType)):
        return False
    while kind not in SHOWN:
        base = kind.__base__
        if base is None or kind.__itemsize__ != base.__itemsize__:
            return True
        own = vars(kind)
        places = len(slots_of(kind)) + ("__dict__" in own) + ("__weakref__" in own)
        if kind.__basicsize__ - base.__basicsize__ > POINTER * places:
            return True
        kind = base
    return False


def slots_of(kind: type) -> tuple[str, ...]:
    """The attributes that a class says its objects have."""
    slots = vars(kind).get("__slots__", ())
    if isinstance(slots, str):
        return (slots,)
    return tuple(cast("Any", slots)) if isinstance(slots, (tuple, list, dict, set, frozenset)) else ()


def hidden_parts(value: Any) -> tuple[Any, ...] | None:
    """What an object that hides its state is made of, and that state; None where it does not say."""
    if isinstance(value, ContextVar):
        return (cast("ContextVar[Any]", value).get(None),)
    kind = type(value)
    if kind is Cached:
        return (*cached_results(value), value.__wrapped__)
    if kind.__module__ == "_thread" and hasattr(value, "acquire"):
        return (repr(value),)  # whether it is locked, by whom and how often
    try:
        made = value.__reduce_ex__(4)
    except Exception:  # whatever a library's own raises
        return (id(value),) if kind.__module__.partition(".")[0].removesuffix("lib") in FRAMEWORKS else None
    return (made,) if isinstance(made, str) else tuple(made[1:3])


def cached_results(function: Any) -> list[Any]:
    """What a function under `lru_cache` will return again; only the collector of garbage is told what C holds."""
    held = gc.get_referents(function)
    if function.cache_parameters()["maxsize"] is None:
        places = [i for i, r in enumerate(held) if r is function.__wrapped__ and i and isinstance(held[i - 1], dict)]
        return list(held[places[0] - 1].values()) if places else [object()]  # or another Python than those known
    known = [r for r in held if isinstance(r, dict) and all(type(v).__name__ == "_lru_list_elem" for v in r.values())]
    keys = {id(k) for r in known for k in r}
    other = {id(function.__wrapped__), id(vars(function)), *keys, *map(id, known)}
    return [r for r in held if id(r) not in other and not isinstance(r, type)]


def put_back(value: Any, parts: tuple[Any, ...]) -> bool:
    """Gives an object the state again that it had when it told its parts; whether that can be done."""
    kind, state = type(value), parts[1] if len(parts) > 1 else None
    if not parts:
        return False
    try:
        if isinstance(value, np.random.Generator):
            return put_back(value.bit_generator, parts[-1])
        if isinstance(value, ContextVar):
            value.set(parts[0])
        elif state is not None and hasattr(kind, "__setstate__"):
            value.__setstate__(state)
        elif hasattr(kind, "__setitem__") and state is None:
            value[:] = kind(*parts[0])
        else:
            return False
    except Exception:  # it was not made for this
        return False
    return True
