"""Sets, dictionaries and texts of sizes: what Python decides by a hash is asked as a comparison.

A set looks an element up by its hash, and the hash of a symbol is not that of the number it stands for: `n in {1, 2}`
would be False for every n. Here each such look-up is a row of `==`, which the explorer decides or takes both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from ..dims import is_dim
from ..errors import NeedsConcreteSize
from ..frontends.front_end import is_stand_in
from ..terms import Term

HASHED = (set, frozenset, dict)


def holds_size(value: object) -> bool:
    """A size or a term, or a tuple with one in it."""
    if type(value) is tuple:
        return any(map(holds_size, cast("tuple[Any, ...]", value)))
    return is_dim(value) or type(value) is Term


def contains(value: Any, container: Any) -> bool:
    """`value in container`."""
    if isinstance(container, HASHED):
        keys = cast("Iterable[Any]", container)
        if holds_size(value) or any(map(holds_size, keys)):
            return any(_equal(value, k) for k in keys)
    return value in container


def lacks(value: Any, container: Any) -> bool:
    """`value not in container`."""
    return not contains(value, container)


def distinct(values: Iterable[Any]) -> list[Any]:
    """The values without those that equal an earlier one; what a set is made of."""
    found: list[Any] = []
    listed = list(values)
    if not any(map(holds_size, listed)):
        return listed
    for value in listed:
        if not any(_equal(value, k) for k in found):
            found.append(value)
    return found


def key_in(mapping: Any, key: Any) -> Any:
    """The key of the dictionary that equals this one, or this one where none does."""
    if isinstance(mapping, dict):
        keys = cast("dict[Any, Any]", mapping)
        if holds_size(key) or any(map(holds_size, keys)):
            return next((k for k in keys if _equal(key, k)), key)
    return key


def mapping_of(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """A dictionary display: a later pair replaces one with an equal key."""
    made: dict[Any, Any] = {}
    for key, value in pairs:
        made[key_in(made, key)] = value
    return made


def _equal(left: Any, right: Any) -> bool:
    if type(left) is tuple and type(right) is tuple:
        mine, other = cast("tuple[Any, ...]", left), cast("tuple[Any, ...]", right)
        return len(mine) == len(other) and all(map(_equal, mine, other))
    if holds_size(left) or holds_size(right):
        if not all(holds_size(v) or isinstance(v, (int, float)) for v in (left, right)):
            return False
        return bool(left == right)
    return left is right or bool(left == right)


def _method(callee: Any, *args: Any, **options: Any) -> Any:
    """A method of a set or dictionary that looks its first argument up."""
    owner = callee.__self__
    if isinstance(owner, dict):
        return callee(key_in(owner, args[0]), *args[1:], **options)
    if isinstance(owner, (set, frozenset)):
        same = next((k for k in cast("Iterable[Any]", owner) if _equal(args[0], k)), args[0])
        return callee(same, *args[1:], **options)
    return callee(*args, **options)


METHODS = frozenset({"get", "setdefault", "pop", "add", "discard", "remove"})


def method(callee: Callable[..., Any], args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """The rule for such a call, where a size is looked up."""
    owner = getattr(callee, "__self__", None)
    if isinstance(owner, HASHED) and args and callee.__name__ in METHODS:
        keys = cast("Iterable[Any]", owner)
        if holds_size(args[0]) or any(map(holds_size, keys)):
            return _method
    return None


class SizeText(str):
    """The text of a size: it can be printed; what is decided by it depends on the number."""

    __slots__ = ()

    def _refuse(self, *_: Any) -> Any:
        raise NeedsConcreteSize(self.size)

    size: Any = None
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __len__ = __getitem__ = _refuse  # type: ignore[assignment]
    __hash__ = _refuse  # type: ignore[assignment]


def text_of(callee: Any, value: Any = "", *rest: Any) -> Any:
    """`str(n)` and `repr(n)`."""
    if not holds_size(value):
        return callee(value, *rest)
    made = type("SizeText", (SizeText,), {"size": value, "__slots__": ()})
    return made(callee(value, *rest))


def hash_of(callee: Any, value: Any) -> int:
    if holds_size(value):
        raise NeedsConcreteSize(value)
    return callee(value)


def type_of(callee: Any, *args: Any, **options: Any) -> Any:
    """`type(x)` of a stand-in is what it stands for."""
    if len(args) == 1 and not options:
        if is_dim(args[0]):
            return int
        if type(args[0]) is Term:
            return float
        if is_stand_in(args[0]):
            return args[0].__class__
    return callee(*args, **options)


RULES: Mapping[Any, Callable[..., Any]] = {
    hash: hash_of,
    str: text_of,
    repr: text_of,
    type: type_of,
    set: lambda callee, *args: callee(*map(distinct, args)),
    frozenset: lambda callee, *args: callee(*map(distinct, args)),
}
"""Built-in functions that look at what a size is, not at what it equals."""
