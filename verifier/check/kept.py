"""What an object keeps from one call of its method to the next, name by name.

Arrays count as what their shape, element type and place in memory say; containers and objects as what they hold.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any, cast

import numpy as np

from ..dims import is_dim
from ..dims.dim import identical
from ..frontends.explorer import is_machinery
from ..frontends.front_end import FRAMEWORKS, is_stand_in, to_numpy
from .arguments import Call
from .hidden import BOUND, STATE, hidden_parts, hides, slots_of
from .loading import loaded

MAX_ENTRIES = 20_000
"""Objects that hold more than this are not followed to their end, which is told like a change."""
FOLDS = re.compile(r"\.(?:_parameters|_buffers|_modules)\['([^']*)'\]")
"""Where PyTorch keeps what is an attribute to everyone else."""
MORE = "more than is looked at"
OURS = f"{__name__.partition('.')[0]}."
PLAIN = (int, float, complex, str, bytes, bool, type(None), range, slice, np.dtype, np.generic)


@dataclass
class Entry:
    """One thing that an object holds; `put` puts another in its place, where that can be done."""

    value: Any
    token: tuple[Any, ...]
    put: Callable[[Any], None] | None = None

    @property
    def is_real_array(self) -> bool:
        return not is_stand_in(self.value) and (isinstance(self.value, np.ndarray) or is_real(self.value))


@dataclass
class Kept:
    """What was found in an object, by name; what was looked at is held, so that no identity is given away twice."""

    entries: dict[str, Entry] = field(default_factory=lambda: dict[str, Entry]())
    seen: dict[int, str] = field(default_factory=lambda: dict[int, str]())
    roots: dict[int, str] = field(default_factory=lambda: dict[int, str]())
    """Memory that arrays look at, by the first of them."""

    most: int = MAX_ENTRIES

    @classmethod
    def of(cls, objects: Mapping[str, Any], most: int = MAX_ENTRIES) -> Kept:
        found = cls(most=most)
        for name, value in objects.items():
            found.look(name, value)
        return found

    def look(self, name: str, value: Any, put: Callable[[Any], None] | None = None) -> None:
        todo: list[tuple[str, Any, Callable[[Any], None] | None]] = [(name, value, put)]
        while todo:
            name, value, put = todo.pop()
            if len(self.entries) > self.most:
                self.entries[MORE] = Entry(None, ("unseen", object()))
                return
            if not is_stand_in(value) and isinstance(value, PLAIN):
                self.entries[name] = Entry(value, ("plain", type(value), _exact(value)), put)
                continue
            known = self.seen.get(id(value))
            if known is not None:
                self.entries[name] = Entry(value, ("same as", known), None)
                continue
            if is_dim(value):
                self.entries[name] = Entry(value, ("size", value), put)
                continue
            self.seen[id(value)] = name
            if is_stand_in(value):
                root = id(memory_of(value))
                self.entries[name] = Entry(value, ("array", id(value), _contents(value), memory_state(value)), put)
                self.roots.setdefault(root, name)
                continue
            parts = list(_parts(value))
            kind = type(value)
            own = _elements(value) if STATE in name else None  # what tells a state is made anew each time
            self.entries[name] = Entry(
                value, ("object", kind, _own_state(value, bool(parts)) if own is None else own), put
            )
            todo += [(f"{name}{place}", part, setter) for place, part, setter in reversed(parts)]

    def changed(self, other: Kept) -> list[str]:
        """The names under which something else stands in `other`, which was looked at later."""
        mine, theirs = self.entries, other.entries
        found = [n for n in mine if n not in theirs or not _alike(mine[n].token, theirs[n].token)]
        return [*found, *(n for n in theirs if n not in mine)]


def _alike(left: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    if len(left) != len(right) or left[0] != right[0]:
        return False
    if left[0] == "size":
        return identical(left[1], right[1])
    if left[0] == "plain":
        return left[1] is right[1] and (left[2] is right[2] or bool(left[2] == right[2]))
    return all(a is b or (isinstance(a, (int, str, bytes, tuple)) and a == b) for a, b in zip(left, right, strict=True))


def _exact(value: Any) -> Any:
    """A value by all that tells it from others: 0.0 is not -0.0."""
    if isinstance(value, np.generic):
        return value.tobytes()
    if isinstance(value, complex):
        return (value.real.hex(), value.imag.hex())
    return value.hex() if isinstance(value, float) else value


def _elements(value: Any) -> object:
    """The elements of a real array that is part of a state; None of anything else."""
    if not isinstance(value, np.ndarray) and not is_real(value):
        return None
    array = to_numpy(value)
    return (array.shape, array.tobytes()) if array.size <= 1_000_000 else None


def memory_of(array: Any) -> Any:
    """What owns the memory that an array looks at; itself where that is its own."""
    root = getattr(type(array), "root", None)
    owner = root(array) if root is not None else array.owner
    return array if owner is None else owner


def memory_state(array: Any) -> object:
    """What is replaced when the memory is written to, through whatever array."""
    memory = memory_of(array)
    return _contents(memory) if is_stand_in(memory) else memory


def _contents(array: Any) -> object:
    return array.contents


def _own_state(value: Any, has_parts: bool) -> object:
    """What tells a change of an object that holds no parts which can be looked at."""
    if isinstance(value, np.ndarray):
        return value.tobytes() if value.size <= 1_000_000 else id(value)
    if is_real(value):
        return (id(value), tuple(value.shape), getattr(value, "_version", 0))  # a real array counts its writes
    if hasattr(type(value), "__next__"):
        return object()  # it remembers how far it was read, which cannot be seen
    if _is_ours(value):
        return None
    if isinstance(value, FunctionType):
        return value.__code__
    if hides(type(value)) and not has_parts:
        return object()  # it does not tell its state
    return None if has_parts or isinstance(value, (list, tuple, dict, set, frozenset, deque)) else id(value)


def is_real(value: Any) -> bool:
    """Whether it is an array of a framework's own."""
    family = type(value).__module__.partition(".")[0].removesuffix("lib")
    return family in FRAMEWORKS and not isinstance(value, type) and hasattr(value, "shape")


def _is_ours(value: Any) -> bool:
    """Whether it is an object of the checker's own, and not the user's dictionary or set, which we stand in for."""
    return type(value).__module__.startswith(OURS) and not isinstance(value, (dict, list, tuple, set))


def _parts(value: Any) -> Iterator[tuple[str, Any, Callable[[Any], None] | None]]:
    """What an object holds: the place, what stands there, and how another is put there."""
    if isinstance(value, (type, ModuleType, np.ndarray)) or is_real(value) or _is_ours(value):
        return
    if isinstance(value, FunctionType):
        yield from _parts_of_function(value)
        return
    if isinstance(value, MethodType):
        yield ".__self__", value.__self__, None
        yield ".__func__", value.__func__, None
        return
    if isinstance(value, BOUND):
        if not isinstance(value.__self__, (type, ModuleType)):
            yield ".__self__", value.__self__, None
            yield ".__name__", value.__name__, None
        return
    if hides(type(value)) and not hasattr(type(value), "__next__"):
        for place, part in enumerate(hidden_parts(value) or ()):
            yield f"{STATE}[{place}]", part, None
    if isinstance(value, dict):
        for key, part in cast("dict[Any, Any]", value).items():
            yield f"[{key!r}]", part, lambda new, key=key: value.__setitem__(key, new)
    elif isinstance(value, (list, deque)):
        for place, part in enumerate(cast("list[Any]", value)):
            yield f"[{place}]", part, lambda new, place=place: value.__setitem__(place, new)
    elif isinstance(value, (tuple, set, frozenset)):
        for place, part in enumerate(cast("tuple[Any, ...]", value)):
            yield f"[{place}]", part, None
    held = getattr(value, "__dict__", None)
    if isinstance(held, dict):
        for name, part in cast("dict[str, Any]", held).items():
            if not _is_empty(part):
                yield f".{name}", part, lambda new, name=name: held.__setitem__(name, new)
    for owner in type(value).__mro__:
        for name in slots_of(owner):
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                yield f".{name}", getattr(value, name), lambda new, name=name: setattr(value, name, new)


def _parts_of_function(function: FunctionType) -> Iterator[tuple[str, Any, Callable[[Any], None] | None]]:
    """What a function holds between calls; of a library's, only the functions that it was wrapped around."""
    own = not is_machinery(function.__code__.co_filename)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if _is_filled(cell) and (own or isinstance(cell.cell_contents, (FunctionType, MethodType))):
            yield f".{name}", cell.cell_contents, None
    if not own:
        return
    for place, part in enumerate(function.__defaults__ or ()):
        yield f".__defaults__[{place}]", part, None
    for held in (function.__kwdefaults__ or {}, function.__dict__):
        for name, part in held.items():
            yield f".{name}", part, lambda new, held=held, name=name: held.__setitem__(name, new)


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _is_empty(value: Any) -> bool:
    """The many empty dictionaries of a module; one that gets something has parts."""
    return isinstance(value, dict) and not value


def spell(name: str) -> str:
    """The name as its owner writes it: `self.k`, and not where PyTorch keeps it."""
    return FOLDS.sub(r".\1", name.partition(STATE)[0])


MODES = (".deterministic", ".use_running_average")
"""Attributes that say in Flax whether a module is in training."""


def has_modes(state: Kept) -> bool:
    """Whether a class under test has an attribute that `eval()` changes; what Flax's own do with theirs fits."""
    owners = (state.entries.get(n.rpartition(".")[0]) for n in state.entries if n.endswith(MODES))
    return any(
        e is not None and hasattr(type(e.value), "set_attributes") and _is_under_test(type(e.value)) for e in owners
    )


def kept_objects(call: Call) -> dict[str, Any]:
    """The arguments that may keep something: objects of classes under test."""
    return {n: v for n, v in call.arguments.items() if not is_stand_in(v) and _is_under_test(type(v))}


def _is_under_test(kind: type) -> bool:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return kind.__module__ in loaded or (file is not None and not is_machinery(file))
