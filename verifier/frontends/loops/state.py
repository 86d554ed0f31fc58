"""What one iteration leaves for the next: compared before and after, and forgotten down to its shapes."""

from __future__ import annotations

import enum
import re
from collections import deque
from collections.abc import Iterator, Mapping
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    MappingProxyType,
    MethodType,
    ModuleType,
)
from typing import Any, cast

import numpy as np

from ...dims import Relation, is_dim
from ...terms import Term
from ..explorer import is_machinery
from ..front_end import StandIn, is_stand_in
from .syntax import NotForAllCounts

MAX_OBJECTS = 4_000
PLAIN = (int, float, complex, str, bytes, bool, type(None), range, slice, type(Ellipsis), type(NotImplemented))
STATELESS = (type, ModuleType, BuiltinFunctionType, np.dtype, np.ufunc, np.generic, re.Pattern, enum.Enum, property)
LIBRARIES = ("numpy", "torch", "jax", "jaxlib", "ml_dtypes", "einops", "jaxtyping", "typing", "functools", "types")

Token = tuple[Any, ...]


def traces(roots: Mapping[str, Any], appended: Mapping[str, Any]) -> dict[int, tuple[object, Token]]:
    """What every mutable object that can be reached holds; the object itself is kept, so that no address is had again.

    Raises:
        NotForAllCounts: an object that may keep what cannot be seen.
    """
    found: dict[int, tuple[object, Token]] = {}
    growing = {id(v) for v in appended.values()}
    todo: list[Any] = list(roots.values())
    while todo:
        value = todo.pop()
        if id(value) in found or id(value) in growing:
            continue
        if len(found) > MAX_OBJECTS:
            raise NotForAllCounts("more objects can be reached from the loop than are looked at")
        token, parts = _look(value)
        found[id(value)] = (value, token)
        todo.extend(parts)
    return found


def _look(value: Any) -> tuple[Token, list[Any]]:
    """What an object holds, by identity or as it is, and the objects to look at next."""
    if is_stand_in(value):
        return (value.contents,), []
    if is_dim(value) or type(value) is Term or isinstance(value, (Relation, *PLAIN)):
        return (), []
    if isinstance(value, (list, tuple, deque)):
        items = list(cast("list[Any]", value))
        return tuple(map(id, items)), items
    if isinstance(value, (dict, MappingProxyType)):
        pairs = cast("dict[Any, Any]", value)
        return tuple((id(k), id(v)) for k, v in pairs.items()), [*pairs, *pairs.values()]
    if isinstance(value, (set, frozenset)):
        items = sorted(cast("set[Any]", value), key=id)
        return tuple(map(id, items)), items
    if isinstance(value, np.ndarray):
        return (value.tobytes() if value.dtype != object else id(value),), []
    if hasattr(type(value), "__next__"):
        raise NotForAllCounts(f"a {type(value).__name__} remembers how far it was read")
    if isinstance(value, FunctionType):
        if is_machinery(value.__code__.co_filename):
            return (), [c for c in value.__closure__ or () if isinstance(_inside(c), FunctionType)]
        parts = [*(value.__closure__ or ()), *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        return (), [*parts, vars(value)]
    if isinstance(value, CellType):
        return (id(_inside(value)),), [_inside(value)]
    if isinstance(value, MethodType):
        return (), [value.__self__, value.__func__]
    if isinstance(value, STATELESS):
        return (), []
    held = _attributes(value)
    if held is not None:
        return tuple((k, id(v)) for k, v in held.items()), list(held.values())
    if type(value).__module__.split(".")[0] in LIBRARIES:
        return (), []
    raise NotForAllCounts(f"a {type(value).__name__} may remember something")


def _inside(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _attributes(value: Any) -> dict[str, Any] | None:
    slots = [s for c in type(value).__mro__ for s in _slots(c)]
    if not hasattr(value, "__dict__") and not slots:
        return None
    held: dict[str, Any] = dict(getattr(value, "__dict__", {}))
    held.update({s: getattr(value, s) for s in slots if hasattr(value, s)})
    return held


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def changed(before: dict[int, tuple[object, Token]], after: dict[int, tuple[object, Token]], free: set[int]) -> bool:
    """Whether an object that was there holds something else now; those in `free` may."""
    return any(i not in free and i in after and after[i][1] != token for i, (_, token) in before.items())


def outline(value: Any) -> Any:
    """What is kept of a value from one iteration to the next: of an array its shape and element type."""
    if is_stand_in(value):
        if not value.is_ordinary:
            raise NotForAllCounts("a view, or a tensor of another order in memory, is carried to the next iteration")
        return ("array", type(value), tuple(value.shape), str(value.dtype))
    if isinstance(value, tuple):
        return ("tuple", tuple(outline(v) for v in cast("tuple[Any, ...]", value)))
    return ("value", value)


def same_outline(left: Any, right: Any) -> bool:
    """Whether two outlines agree at every size of the path at work."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        one, other = cast("tuple[Any, ...]", left), cast("tuple[Any, ...]", right)
        return len(one) == len(other) and all(map(same_outline, one, other))
    if left is right:
        return True
    if is_dim(left) or is_dim(right):
        equal: Any = left == right
        return equal.known is True if isinstance(equal, Relation) else equal is True
    if isinstance(left, PLAIN) and type(left) is type(right):
        return bool(left == right)
    return False


def arrays_in(value: Any) -> Iterator[StandIn]:
    if is_stand_in(value):
        yield value
    elif isinstance(value, tuple):
        for part in cast("tuple[Any, ...]", value):
            yield from arrays_in(part)
