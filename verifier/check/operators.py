"""Operators called by their methods: `(3).__eq__(n)`, `int.__lt__(3, n)`, `operator.is_(n, 3)`.

The methods of Python's own numbers are compiled, see that a size is no number, and answer NotImplemented, which is
neither True nor equal to anything: what is decided by it is decided wrongly, and nobody has asked the size. Here such a
method answers what the operator does. Where NotImplemented comes from elsewhere, the run says that it cannot go on.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import BuiltinFunctionType, MethodDescriptorType, MethodWrapperType, WrapperDescriptorType
from typing import Any

from ..dims import Relation, is_dim
from ..dims.relation import deciding
from ..errors import Unsupported
from ..terms import Term

COMPARING = ("eq", "ne", "lt", "le", "gt", "ge")
REFLECTING = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor")
BINARY: dict[str, Callable[..., Any]] = {
    f"__{name}__": getattr(operator, f"__{name}__") for name in (*COMPARING, *REFLECTING)
} | {"__divmod__": divmod}
REFLECTED: dict[str, Callable[..., Any]] = {f"__r{n}__": BINARY[f"__{n}__"] for n in (*REFLECTING, "divmod")}
UNARY: dict[str, Callable[..., Any]] = {
    "__neg__": operator.neg,
    "__pos__": operator.pos,
    "__abs__": operator.abs,
    "__bool__": bool,
    **dict.fromkeys(("__int__", "__index__", "__trunc__", "__floor__", "__ceil__", "__round__"), operator.pos),
}
LOOKS = frozenset(("__repr__", "__str__", "__hash__", "__format__", "__sizeof__", "__reduce__", "__reduce_ex__"))
"""What an object is, not what it equals."""
METHODS = frozenset(BINARY) | frozenset(REFLECTED) | frozenset(UNARY) | LOOKS
IDENTITIES = ("is_", "is_not")
NAMES = METHODS | frozenset(IDENTITIES)
COMPILED = (MethodWrapperType, WrapperDescriptorType, MethodDescriptorType, BuiltinFunctionType)
NUMBERS = (int, bool, float, complex, object)


def attribute(value: Any, name: str) -> Any:
    """`value.name`, where the name is an operator's method."""
    return guarded(getattr(value, name))


def guarded(callee: Any) -> Any:
    """A compiled method of a number, made to know sizes; anything else as it is."""
    if callee is operator.is_ or callee is operator.is_not:
        from . import lookups

        return lookups.same_object if callee is operator.is_ else lookups.other_object
    if not isinstance(callee, COMPILED) or getattr(callee, "__name__", "") not in METHODS:
        return callee
    owner = getattr(callee, "__self__", None)
    known = getattr(callee, "__objclass__", None) or type(owner)
    if known not in NUMBERS and not isinstance(owner, NUMBERS[:-1]):
        return callee

    def call(*args: Any, **options: Any) -> Any:
        operands = (owner, *args) if isinstance(callee, (MethodWrapperType, BuiltinFunctionType)) else args
        if deciding.get() is None or not any(map(_is_symbolic, operands)):
            return callee(*args, **options)
        return _answered(callee.__name__, known, operands)

    return call


def _is_symbolic(value: Any) -> bool:
    return is_dim(value) or type(value) in (Term, Relation)


def _answered(name: str, owner: type, operands: tuple[Any, ...]) -> Any:
    """What a number's method answers to sizes, comparisons and real numbers made of them."""
    values = tuple(bool(v) if type(v) is Relation else v for v in operands)
    whole = issubclass(owner, int) and all(is_dim(v) or isinstance(v, int) for v in values)
    if whole or owner is float:
        if len(values) == 2 and name in BINARY:
            return BINARY[name](*values)
        if len(values) == 2 and name in REFLECTED:
            return REFLECTED[name](*reversed(values))
        if len(values) == 1 and name in UNARY:
            return UNARY[name](*values)
    raise Unsupported(f"{owner.__name__}.{name} of a size", remedy="write the operator, as in n == 3")


def answered(value: Any) -> Any:
    """The value of a call; NotImplemented is none that a run on sizes can go on with."""
    if value is NotImplemented:
        refuse()
    return value


def refuse() -> None:
    """Whatever is decided by NotImplemented may be decided otherwise where the sizes are numbers."""
    if deciding.get() is not None:
        raise Unsupported("an operator's method answers NotImplemented", remedy="write the operator, as in n == 3")


def replace_in(names: dict[str, Any]) -> None:
    """`from operator import is_` at the head of a module under test."""
    for name, value in list(names.items()):
        if value is operator.is_ or value is operator.is_not:
            names[name] = guarded(value)
