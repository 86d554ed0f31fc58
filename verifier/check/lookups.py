"""Sets and dictionaries of sizes: what Python decides by a hash is asked as a comparison.

A set looks an element up by its hash, and the hash of a symbol is not that of the number it stands for: `n in {1, 2}`
would be False for every n. Here each such look-up is a row of `==`, which the explorer decides or takes both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, KeysView, Mapping
from contextlib import suppress
from types import BuiltinFunctionType
from typing import Any, cast

from ..dims import Relation, is_dim
from ..errors import NeedsConcreteSize, Unsupported
from ..frontends.front_end import MAPPINGS, is_stand_in
from ..terms import Term
from . import operators, swallowing

HASHED = (set, frozenset, dict)


def holds_size(value: object) -> bool:
    """A size or a term, or a tuple with one in it."""
    if issubclass(type(value), tuple):
        return any(map(holds_size, cast("tuple[Any, ...]", value)))
    return is_dim(value) or type(value) is Term


def settled(value: Any) -> Any:
    """A comparison, decided; anything else as it is."""
    return bool(value) if type(value) is Relation else value


def contains(value: Any, container: Any) -> bool:
    """`value in container`."""
    value = settled(value)
    if isinstance(container, (*HASHED, KeysView)):
        keys = cast("Iterable[Any]", container)
        if holds_size(value) or any(map(holds_size, keys)):
            return any(_equal(value, k) for k in keys)
        if isinstance(container, SizeDict):
            return dict.__contains__(cast("dict[Any, Any]", container), value)  # its own `in` asks here
    if isinstance(container, (list, tuple)):
        return any(value is k or _equal(value, k) for k in cast("Iterable[Any]", container))
    return value in container


def lacks(value: Any, container: Any) -> bool:
    """`value not in container`."""
    return not contains(value, container)


def distinct(values: Iterable[Any]) -> list[Any]:
    """The values without those that equal an earlier one; what a set is made of."""
    found: list[Any] = []
    listed = [settled(v) for v in values]
    if not any(map(holds_size, listed)):
        return listed
    for value in listed:
        if not any(_equal(value, k) for k in found):
            found.append(value)
    return found


def key_in(mapping: Any, key: Any) -> Any:
    """The key of the dictionary that equals this one, or this one where none does."""
    key = settled(key)
    if isinstance(mapping, dict):
        keys = cast("dict[Any, Any]", mapping)
        if holds_size(key) or any(map(holds_size, keys)):
            return next((k for k in keys if _equal(key, k)), key)
    return key


def mapping_of(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """A dictionary display: a later pair replaces one with an equal key. One of other keys is plain, if not empty."""
    listed = list(pairs)
    if listed and not any(holds_size(key) or type(key) is Relation for key, _ in listed):
        return dict(listed)
    made = SizeDict()
    for key, value in listed:
        made[key] = value
    return made


def set_of(values: Iterable[Any]) -> set[Any]:
    """A set display: a plain set unless it holds sizes."""
    listed = distinct(values)
    return SizeSet(listed) if any(map(holds_size, listed)) else set(listed)


def _plain(values: Iterable[Any]) -> list[Any]:
    listed = [settled(v) for v in values]
    _refuse(listed)
    return listed


def _refuse(*containers: Any) -> None:
    """Operations that compare hashes inside C, where nothing asks: the sizes are wanted as numbers."""
    for container in containers:
        for value in cast("Iterable[Any]", container) if isinstance(container, (list, *HASHED)) else ():
            for part in cast("tuple[Any, ...]", value) if type(value) is tuple else (value,):
                if holds_size(part):
                    raise NeedsConcreteSize(part)


def _refusing(kind: type, name: str) -> Callable[..., Any]:
    plain = getattr(kind, name)

    def guarded(self: Any, *args: Any, **options: Any) -> Any:
        _refuse(self, *args)
        return plain(self, *args, **options)

    return guarded


class SizeSet(set[Any]):
    """A set that may hold sizes: its elements were compared when it was made; it has a length and can be walked."""

    __hash__ = None  # type: ignore[assignment]


SET_ALGEBRA = """
    __and__ __rand__ __or__ __ror__ __sub__ __rsub__ __xor__ __rxor__ __iand__ __ior__ __isub__ __ixor__
    __eq__ __ne__ __le__ __lt__ __ge__ __gt__ __contains__ isdisjoint issubset issuperset union intersection
    difference copy pop symmetric_difference update intersection_update difference_update
    symmetric_difference_update
"""
for _name in SET_ALGEBRA.split():
    setattr(SizeSet, _name, _refusing(set, _name))


class SizeDict(dict[Any, Any]):
    """A dictionary that may hold sizes as keys: each look-up is a row of comparisons."""

    def __getitem__(self, key: Any) -> Any:
        return dict.__getitem__(self, key_in(self, key))

    def __setitem__(self, key: Any, value: Any) -> None:
        dict.__setitem__(self, key_in(self, key), value)

    def __delitem__(self, key: Any) -> None:
        dict.__delitem__(self, key_in(self, key))

    def __contains__(self, key: object) -> bool:
        return contains(key, self)

    def get(self, key: Any, default: Any = None) -> Any:
        return dict.get(self, key_in(self, key), default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        return dict.setdefault(self, key_in(self, key), default)

    def pop(self, key: Any, *default: Any) -> Any:
        return dict.pop(self, key_in(self, key), *default)


for _name in ["__eq__", "__ne__", "__or__", "__ror__", "__ior__", "update", "copy"]:
    setattr(SizeDict, _name, _refusing(dict, _name))


MAPPINGS.append(SizeDict)


def item_of(mapping: dict[Any, Any], key: Any) -> Any:
    """`mapping[key]`."""
    return mapping[key_in(mapping, key)]


def same_object(left: Any, right: Any) -> bool:
    """`left is right`: whether a number is the same object as another is not known of a size."""
    left, right = settled(left), settled(right)
    if left is NotImplemented or right is NotImplemented:
        operators.refuse()
    if left is not right and any(is_dim(v) for v in (left, right)):
        for one, other in ((left, right), (right, left)):
            if is_dim(one) and isinstance(other, int) and type(other) is not bool:
                raise NeedsConcreteSize(one)
    return left is right


def other_object(left: Any, right: Any) -> bool:
    """`left is not right`."""
    return not same_object(left, right)


def subject_of(value: Any) -> Any:
    """What a `match` looks at: comparisons in it are decided first."""
    if type(value) is tuple:
        return tuple(map(subject_of, cast("tuple[Any, ...]", value)))
    return settled(value)


def _equal(left: Any, right: Any) -> bool:
    left, right = settled(left), settled(right)
    if left is NotImplemented or right is NotImplemented:
        operators.refuse()
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
    args = (settled(args[0]), *args[1:])
    if isinstance(owner, dict):
        return callee(key_in(owner, args[0]), *args[1:], **options)
    if isinstance(owner, (set, frozenset)):
        same = next((k for k in cast("Iterable[Any]", owner) if _equal(args[0], k)), args[0])
        return callee(same, *args[1:], **options)
    return callee(*args, **options)


METHODS = frozenset({"get", "setdefault", "pop", "add", "discard", "remove"})
ALGEBRA = frozenset(
    ["isdisjoint", "issubset", "issuperset", "union", "intersection", "difference", "symmetric_difference", "update"]
)
"""Methods that look up each element of another set."""


def method(callee: Callable[..., Any], args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """The rule for such a call, where a size is looked up."""
    owner = getattr(callee, "__self__", None)
    if isinstance(owner, HASHED) and args and getattr(callee, "__name__", "") in ALGEBRA:
        _refuse(owner, *args)
    if isinstance(owner, HASHED) and args and getattr(callee, "__name__", "") in METHODS:
        if type(args[0]) is Relation:
            return _method
        keys = cast("Iterable[Any]", owner)
        if holds_size(args[0]) or any(map(holds_size, keys)):
            return _method
    return None


def hash_of(callee: Any, value: Any) -> int:
    value = settled(value)
    if holds_size(value):
        raise NeedsConcreteSize(_first_size(value))
    return callee(value)


def _first_size(value: Any) -> Any:
    if issubclass(type(value), tuple):
        return _first_size(next(v for v in value if holds_size(v)))
    return value


def type_of(callee: Any, *args: Any, **options: Any) -> Any:
    """`type(x)` of a stand-in is what it stands for."""
    if len(args) == 1 and not options:
        if is_dim(args[0]):
            return int
        if type(args[0]) is Relation:
            return bool
        if type(args[0]) is Term:
            return float
        if is_stand_in(args[0]):
            return args[0].__class__
    return callee(*args, **options)


def instance_of(callee: Any, value: Any, kind: Any) -> bool:
    """`isinstance` of a comparison: it is a bool, whichever it is."""
    return callee(True if type(value) is Relation else value, kind)


def identity_of(callee: Any, value: Any) -> int:
    if holds_size(value) or is_stand_in(value):
        raise Unsupported("the identity of an object decides", remedy="compare by ==, or by a shape")
    return callee(value)


def has_attribute(callee: Any, value: Any, name: str, *default: Any) -> Any:
    """`hasattr` and `getattr` of a stand-in, where what it stands for has that attribute as well or as little."""
    if is_dim(value) or type(value) in (Term, Relation) or is_stand_in(value):
        kind: type = bool if type(value) is Relation else value.__class__
        if hasattr(kind, name) != hasattr(type(value), name) and (callee is hasattr or default):
            raise Unsupported(
                f"whether a {kind.__name__} has {name!r} decides", remedy="ask by isinstance, or by a shape"
            )
    return operators.guarded(callee(value, name, *default))


RULES: Mapping[Any, Callable[..., Any]] = {
    hash: hash_of,
    type: type_of,
    isinstance: instance_of,
    id: identity_of,
    hasattr: has_attribute,
    getattr: has_attribute,
    suppress: lambda _, *errors: swallowing.Suppress(*errors),
    set: lambda callee, *args: set_of(*args) if args else callee(),
    frozenset: lambda callee, *args: callee(*map(_plain, args)),
}
"""Built-in functions that look at what a size is, not at what it equals."""


def rule_of(callee: Any) -> Callable[..., Any] | None:
    """The rule for a built-in function or class."""
    return RULES.get(callee) if isinstance(callee, (type, BuiltinFunctionType)) else None
