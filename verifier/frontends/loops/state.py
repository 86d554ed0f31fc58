"""What one iteration leaves for the next: compared before and after, and forgotten down to its shapes."""

from __future__ import annotations

import enum
import re
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from types import (
    BuiltinFunctionType,
    CellType,
    ClassMethodDescriptorType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    SimpleNamespace,
    WrapperDescriptorType,
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
DESCRIPTORS = (
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    ClassMethodDescriptorType,
    WrapperDescriptorType,
)
STATELESS = (*DESCRIPTORS, np.dtype, np.ufunc, np.generic, re.Pattern, enum.Enum)
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
    if is_dim(value) or type(value) is Term or type(value) in PLAIN or isinstance(value, Relation):
        return (), []
    if type(value) in (list, tuple):
        return tuple(map(id, value)), value
    if isinstance(value, FunctionType):
        if is_machinery(value.__code__.co_filename):
            return (), [c for c in value.__closure__ or () if isinstance(_inside(c), FunctionType)]
        parts = [*(value.__closure__ or ()), *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        return (), [*parts, vars(value)]
    if isinstance(value, CellType):
        return (id(_inside(value)),), [_inside(value)]
    if isinstance(value, type):
        return _look_at_class(value)
    if isinstance(value, ModuleType):
        known = sys.modules.get(value.__name__) is value
        return (), [] if known else [vars(value)]
    if isinstance(value, (MethodType, BuiltinFunctionType, MethodWrapperType)):
        return (), [value.__self__, *([value.__func__] if isinstance(value, MethodType) else [])]
    if isinstance(value, STATELESS):
        return (), []
    if hasattr(type(value), "__next__"):
        raise NotForAllCounts(f"a {type(value).__name__} remembers how far it was read")
    if isinstance(value, (property, classmethod, staticmethod, cached_property)):
        return (), _functions_of(value)
    inside = _contents(value)
    held = _attributes(value)
    if inside is None and type(value).__module__.split(".")[0] in LIBRARIES:
        inside = (("", getattr(value, "_version", 0)),), []  # a real tensor counts the writes into it
    elif inside is None:
        if held is None or _made_in_c(type(value)):
            raise NotForAllCounts(f"a {type(value).__name__} may remember something")
        inside = (), [type(value)]
    held = held or {}
    return (*inside[0], *((k, id(v)) for k, v in held.items())), [*inside[1], *held.values()]


def _contents(value: Any) -> tuple[Token, list[Any]] | None:
    """What containers and others of Python's own kinds hold beside attributes, which their subclasses have."""
    if isinstance(value, PLAIN):
        return (), [type(value)]
    if isinstance(value, (list, tuple, deque, set, frozenset)):
        items = list(cast("list[Any]", value))
        items = sorted(items, key=id) if isinstance(value, (set, frozenset)) else items
        return tuple(map(id, items)), [*items, type(cast("Any", value))]
    if isinstance(value, (dict, MappingProxyType)):
        pairs = cast("dict[Any, Any]", value)
        factory = getattr(pairs, "default_factory", None)
        return tuple((id(k), id(v)) for k, v in pairs.items()), [*pairs, *pairs.values(), factory, type(pairs)]
    if isinstance(value, np.ndarray):
        if value.dtype != object:
            return (value.tobytes(),), []
        items = list(cast("Any", value).flat)
        return tuple(map(id, items)), items
    if isinstance(value, partial):
        made = cast("partial[Any]", value)
        return (id(made.keywords),), [made.func, made.args, made.keywords]
    if isinstance(value, BaseException):
        return (id(value.args),), [value.args]
    return None


def _functions_of(value: Any) -> list[Any]:
    """The functions behind a name of a class."""
    return [getattr(value, n, None) for n in ("fget", "fset", "__func__", "func")]


def _look_at_class(value: type) -> tuple[Token, list[Any]]:
    """What the names of a class of the code under test stand for; a library's class is none that a loop changes."""
    module = sys.modules.get(value.__module__)
    file = getattr(module, "__file__", None)
    known = module is not None and (file is None or is_machinery(file))  # a module that is gone was under test
    if known or value.__module__.split(".")[0] in LIBRARIES:
        return (), []
    names = {
        k: v for k, v in vars(value).items()
        if isinstance(v, FunctionType) or not k.startswith(("__", "_abc", "_tp_"))
    }  # fmt: skip
    looked = [v for v in names.values() if type(v).__name__ != "_tuplegetter"]  # a field of a named tuple
    return tuple((k, id(v)) for k, v in names.items()), [*looked, *value.__bases__]


def _made_in_c(kind: type) -> bool:
    """Whether objects of a class hold more than attributes: what `random.Random` holds no one sees from here."""
    if issubclass(kind, SimpleNamespace):
        return False
    makers = (getattr(vars(c).get("__new__"), "__self__", None) is c for c in kind.__mro__ if c is not object)
    return any(makers)


def _inside(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _attributes(value: Any) -> dict[str, Any] | None:
    slots = {
        (c.__qualname__, name): slot for c in type(value).__mro__ for name, slot in vars(c).items()
        if isinstance(slot, MemberDescriptorType) and "__slots__" in vars(c)
    }  # fmt: skip
    if not hasattr(value, "__dict__") and not slots:
        return None
    held: dict[str, Any] = dict(getattr(value, "__dict__", {}))
    for (owner, name), slot in slots.items():
        try:
            held[f"{owner}.{name}"] = slot.__get__(value)
        except AttributeError:  # a slot that nothing was put into
            continue
    return held


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
