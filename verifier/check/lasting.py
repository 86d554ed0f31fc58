"""What outlives a call: globals, default arguments, class attributes, what others own. A run that changes them is none.

Every path of a function is a call in the same process. Where one call leaves something for the next, what a path
returns depends on the paths before it, and no statement about all sizes follows: such a function is tested instead.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any, cast

import numpy as np

from ..dims import is_dim
from ..errors import NeedsConcreteSize, Unsupported
from ..frontends.explorer import is_machinery
from ..frontends.front_end import FRAMEWORKS, is_stand_in
from .foreign import Foreign
from .hidden import Cached, cached_results, hidden_parts, hides, put_back
from .kept import MORE, Kept, is_real
from .loading import loaded
from .swallowing import given

Holder = tuple[str, Any]
MAX_DEPTH = 5
MAX_INSIDE = 2_000
"""Objects of libraries that hold more than this are not compared."""
NOT_ASKED = (type, ModuleType, FunctionType, MethodType, BuiltinFunctionType, CellType, partial, tuple, frozenset)
UNHEEDED = ("logging", "warnings", "torch.fx", "torch._ops", "flax")
"""Whose objects keep things for themselves, which no result is made of."""


def _is_chance(value: Any) -> bool:
    """Whether a global is Python's `random`, a part of it, or a function that imports it itself."""
    if value is random or getattr(value, "__module__", "") == "random":
        return True
    return type(value) is FunctionType and "random" in value.__code__.co_names


class Lasting:
    """The state of the modules under test; what a run changes is put back and named."""

    def __init__(self, function: Callable[..., Any]) -> None:
        code = getattr(function, "__code__", None)
        spaces: dict[int, dict[str, Any]] = {}
        for name in loaded:
            if name in sys.modules:
                spaces[id(vars(sys.modules[name]))] = vars(sys.modules[name])
        own: dict[str, Any] = getattr(function, "__globals__", {})
        if code is not None and not is_machinery(code.co_filename):
            spaces[id(own)] = own
        self.seen: set[int] = set()
        self.remembered: list[tuple[str, Any, Any]] = []
        self.objects: list[_Object] = []
        self.caches: dict[str, Any] = {}
        self.used: dict[str, Any] = {}
        for space in spaces.values():
            self._keep("a global", space, MAX_DEPTH)
        self.objects = [o for o in self.objects if o.is_seen()]
        self.spaces = list(spaces.values())
        self.random = (
            random.getstate()
            if any(_is_chance(v) for s in spaces.values() for v in s.values())
            or "random" in getattr(code, "co_names", ())
            else None
        )
        names: tuple[str, ...] = getattr(code, "co_names", ())
        self.iterator = next((n for n in names if hasattr(type(own.get(n)), "__next__")), None)

    def _keep(self, name: str, value: Any, depth: int) -> None:
        if id(value) in self.seen or depth < 0:
            return
        if isinstance(value, (dict, list, set, deque, np.ndarray)) and not is_stand_in(value):
            self.seen.add(id(value))
            self.remembered.append((name, value, _copy(cast("Any", value))))
            if isinstance(value, dict):
                for key, part in list(cast("dict[Any, Any]", value).items()):
                    if not str(key).startswith("__"):
                        self._keep(str(key), part, depth - 1)
            elif isinstance(value, list):
                for part in cast("list[Any]", value):
                    self._keep(name, part, depth - 1)
            return
        if isinstance(value, (CellType, type)):
            self.remembered.append((name, value, _bound(value)))
        self.seen.add(id(value))
        if isinstance(value, Cached) and not is_machinery(_code_file(value)):
            self.caches[name] = value
        if _is_object(value):
            self.objects.append(_Object(name, value))
            return
        for attribute, holder in _holders(value):
            self._keep(f"{name}.{attribute}" if attribute else name, holder, depth - 1)

    @contextmanager
    def kept(self) -> Generator[None]:
        """A call, after which what it changed is put back; where it returned, that is said.

        Raises:
            Unsupported: the call changed something that outlives it.
        """
        foreign = Foreign(self.spaces)
        given.clear()
        self.used = {n: c.cache_info() for n, c in self.caches.items()}
        try:
            yield
        except BaseException as error:
            self._put_back()
            foreign.put_back()
            lost = next((o.name for o in self.objects if o.is_lost), "")
            if lost and isinstance(error, Exception) and not isinstance(error, (Unsupported, NeedsConcreteSize)):
                raise _outlives(lost) from error  # what the next path finds is not what this one found
            raise
        names = [*self._put_back(), *foreign.put_back()]
        names += [name for name, value, state in given if state.changed(Kept.of({name: value}))]
        given.clear()
        if names:
            raise _outlives(names[0])

    @contextmanager
    def undone(self) -> Generator[None]:
        """A call on real arrays, after which what it changed is put back: no run after it may find that."""
        foreign = Foreign(self.spaces)
        try:
            yield
        finally:
            self._put_back()
            foreign.put_back()

    def _put_back(self) -> list[str]:
        names = [n for n in (self._restore(*kept) for kept in self.remembered) if n]
        names += [o.name for o in self.objects if o.was_changed()]
        used = [n for n, c in self.caches.items() if n in self.used and c.cache_info() != self.used[n]]
        names += [f"what {n} has cached" for n in used if _emptied(self.caches[n])]
        if self.random is not None and random.getstate() != self.random:
            random.setstate(self.random)
            names.append("the state of Python's random")
        return names if self.iterator is None else [*names, self.iterator]

    def _restore(self, name: str, value: Any, copy: Any) -> str:
        if isinstance(value, (CellType, type)):
            return _rebind(name, value, copy)
        if isinstance(value, np.ndarray):
            if value.tobytes() == copy.tobytes():
                return ""
            value[...] = copy
            return name
        if isinstance(value, deque):
            if list(cast("deque[Any]", value)) == copy:
                return ""
            value.clear()
            value.extend(copy)
            return name
        if isinstance(value, dict):
            now, before = cast("dict[Any, Any]", value), cast("dict[Any, Any]", copy)
            differing = [
                k for k in [*now, *(k for k in before if k not in now)]
                if not str(k).startswith("__") and now.get(k, self) is not before.get(k, self)
            ]  # fmt: skip
            for key in differing:
                if key in before:
                    now[key] = before[key]
                else:
                    del now[key]
            return (str(differing[0]) if name == "a global" else name) if differing else ""
        if isinstance(value, list):
            if len(cast("list[Any]", value)) == len(copy) and all(map(_is, cast("list[Any]", value), copy)):
                return ""
            value[:] = copy
            return name
        if len(value) == len(copy) and {id(v) for v in value} == {id(v) for v in copy}:
            return ""
        value.clear()
        value.update(copy)
        return name


def _code_file(function: Any) -> str:
    return getattr(getattr(function.__wrapped__, "__code__", None), "co_filename", "")


def _emptied(function: Any) -> bool:
    """Whether a call used a cache that holds what others may change, as lists; it is emptied then."""
    if not any(map(_may_change, cached_results(function))):
        return False
    function.cache_clear()
    return True


def _may_change(value: Any) -> bool:
    if is_stand_in(value) or is_dim(value) or isinstance(value, (type, ModuleType, FunctionType)):
        return False
    return isinstance(value, (list, dict, set, deque, bytearray)) or hasattr(value, "__dict__")


class _Object:
    """An object that a global holds, and that shows what it holds to those alone who ask."""

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value = name, value
        self.is_lost = False
        """Whether it was changed and could not be put back."""
        self.state = self._look()
        self.parts = hidden_parts(value) if hides(type(value)) and not is_real(value) else None

    def _look(self) -> Kept:
        return Kept.of({self.name: self.value}, MAX_INSIDE)

    def is_seen(self) -> bool:
        """Whether two looks in a row see the same; what does not tell its state always looks changed."""
        return MORE not in self.state.entries and not self.state.changed(self._look())

    def was_changed(self) -> bool:
        """Whether it is another than it was; puts it back, where that can be done."""
        changed = self.state.changed(self._look())
        if not changed:
            return False
        for entry in (self.state.entries.get(n) for n in changed):
            if entry is not None and entry.put is not None:
                entry.put(entry.value)
        if self.parts is not None:
            put_back(self.value, self.parts)
        self.is_lost = bool(self.state.changed(self._look()))
        return True


def _is_object(value: Any) -> bool:
    """Whether what an object holds is asked of the object: a real array, a generator, a library's object."""
    kind = type(value)
    if is_real(value):
        return hasattr(value, "_version")  # JAX's arrays cannot be written to
    if is_stand_in(value) or isinstance(value, (*NOT_ASKED, Cached)):
        return False
    if kind.__module__ in loaded:
        return hides(kind) or not hasattr(value, "__dict__")
    if kind.__module__.startswith(UNHEEDED):
        return False
    family = kind.__module__.partition(".")[0].removesuffix("lib")
    if family in FRAMEWORKS and not hasattr(value, "_buffers"):
        return kind.__name__ == "Generator"
    return hides(kind) or (hasattr(value, "__dict__") and not hasattr(value, "__wrapped__"))


def _outlives(name: str) -> Unsupported:
    return Unsupported(
        f"a call changes {name}, which outlives it", remedy="make it anew in each call, or pass it as argument"
    )


def _is(left: object, right: object) -> bool:
    return left is right


def _bound(value: Any) -> dict[str, Any]:
    """What the names of a class, or a variable of an enclosing function, stand for."""
    if isinstance(value, type):
        return {k: v for k, v in vars(value).items() if not k.startswith(("__", "_abc"))}
    try:
        return {"cell_contents": value.cell_contents}
    except ValueError:
        return {}


def _rebind(name: str, value: Any, before: dict[str, Any]) -> str:
    now, missing = _bound(value), object()
    differing = [k for k in {**now, **before} if now.get(k, missing) is not before.get(k, missing)]
    for key in differing:
        if key in before:
            setattr(value, key, before[key])
        else:
            delattr(value, key)
    return (f"{name}.{differing[0]}" if isinstance(value, type) else name) if differing else ""


def _copy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    return dict(value) if isinstance(value, dict) else list(value)


def _holders(value: Any) -> Iterator[Holder]:
    """Where a function, a class or an object of the code under test keeps things between calls."""
    if isinstance(value, ModuleType):
        return
    if isinstance(value, FunctionType):
        if is_machinery(value.__code__.co_filename):
            return
        yield "", vars(value)
        for default in (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()):
            yield "a default argument", default
        for cell in value.__closure__ or ():
            yield "a variable around it", cell
    elif isinstance(value, partial):
        made = cast("partial[Any]", value)
        for part in (made.func, *made.args, *made.keywords.values()):
            yield "", part
    elif isinstance(value, BuiltinFunctionType) and not isinstance(value.__self__, (ModuleType, type)):
        yield "", value.__self__
    elif isinstance(value, (tuple, frozenset)):
        for part in cast("tuple[Any, ...]", value):
            yield "", part
    elif isinstance(value, CellType):
        for part in _bound(value).values():
            yield "", part
    elif isinstance(value, type):
        if value.__module__ in loaded:
            for name, part in list(vars(value).items()):
                if not name.startswith("__"):
                    yield name, getattr(part, "__func__", getattr(part, "fget", part))
    elif type(value).__module__ in loaded and hasattr(value, "__dict__"):
        yield "", vars(value)
    elif hasattr(value, "__wrapped__"):
        yield "", cast("Any", value).__wrapped__
