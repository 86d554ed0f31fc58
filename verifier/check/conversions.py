"""Python's own calls on sizes: what `float(d)`, `int(d)`, `len(x)`, `math.sqrt(d)` and `table[:n]` are.

Each answers symbolically where it can, and is the original on everything else.
"""

from __future__ import annotations

import builtins
import math
import operator
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import numpy as np

from ..dims import is_dim
from ..errors import NeedsConcreteSize
from ..frontends.front_end import is_stand_in
from ..terms import Term, as_term
from ..terms.term import apply
from . import lookups


def call(callee: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """The call, answered symbolically where the original would ask for a number."""
    rule = lookups.rule_of(callee)
    if rule is not None:
        return rule(callee, *args, **options)
    rule = lookups.method(callee, args)
    if rule is not None:
        return rule(callee, *args, **options)
    if args and (is_symbolic_scalar(args[0]) or is_stand_in(args[0]) or any(map(is_symbolic_scalar, args[1:]))):
        rule = RULES.get(callee)
        if rule is not None:
            return rule(callee, *args, **options)
    if any(map(_symbolic_key, (*args, *options.values()))):
        if hasattr(callee, "__symbolic__"):  # one of NumPy's functions that is replaced for the run
            return callee.__symbolic__(*args, **options)  # pyright: ignore[reportFunctionMemberAccess]
        if type(getattr(callee, "__self__", None)) is np.random.Generator:
            from ..frontends.numpy.randomness import SymbolicGenerator

            return getattr(SymbolicGenerator(), callee.__name__)(*args, **options)
    return callee(*args, **options)


returns: dict[CodeType, tuple[FrameType, Any]] = {}
"""For each function of the code under test the frame and the value of its last return."""


def returned(value: Any) -> Any:
    """The value, on its way out of a function."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    returns[frame.f_code] = (frame, value)
    return value


def is_symbolic_scalar(value: object) -> bool:
    return is_dim(value) or type(value) is Term


def _float(callee: Any, value: Any = 0.0) -> Any:
    return as_term(value) if is_dim(value) else value if type(value) is Term else callee(value)


def _int(callee: Any, value: Any = 0) -> Any:
    if is_dim(value):
        return value
    if type(value) is Term:
        size = value.size
        if size is not None and all(type(c) is builtins.int for c in value.terms.values()):
            return size
        floor = quotient(value)
        if floor is not None:
            return floor
        raise NeedsConcreteSize(value)
    return callee(value)


def quotient(value: Term) -> Any:
    """a // b where the term is one size over another, both positive: int() and floor() of it."""
    parts = _over(value)
    return None if parts is None else parts[0] // parts[1]


def _over(value: Term) -> tuple[Any, Any] | None:
    """Numerator and denominator of a term that is one positive size over another."""
    below = math.lcm(*(getattr(c, "denominator", 1) for c in value.terms.values()))
    whole = (value * below).size
    if whole is not None and value.is_positive:  # a sum of sizes, over a number
        return whole, below
    if len(value.terms) != 1:
        return None
    ((monomial, coefficient),) = value.terms.items()
    top: Any = getattr(coefficient, "numerator", coefficient)
    bottom: Any = getattr(coefficient, "denominator", 1)
    for atom, power in monomial:
        if not isinstance(atom, str) or type(power) is not builtins.int:
            return None
        from ..dims import symbol

        factor = symbol(atom) ** abs(power)
        top, bottom = (top * factor, bottom) if power > 0 else (top, bottom * factor)
    return (top, bottom) if coefficient > 0 else None


def _len(callee: Any, value: Any) -> Any:
    if is_stand_in(value) and value.shape:
        return value.shape[0]
    return callee(value)


def _rounded(callee: Any, value: Any, *rest: Any) -> Any:
    """To the nearest whole number; of two that are as near, to the even one."""
    if is_dim(value):
        return value
    if type(value) is not Term or any(digits is not None for digits in rest):
        return callee(value, *rest)
    size = value.size
    if size is not None and all(type(c) is builtins.int for c in value.terms.values()):
        return size
    parts = _over(value)
    if parts is None:
        raise NeedsConcreteSize(value)
    above, below = 2 * parts[0] + parts[1], 2 * parts[1]
    nearest = above // below
    return nearest - 1 if above % below == 0 and nearest % 2 == 1 else nearest


def _floor(callee: Any, value: Any) -> Any:
    return value if is_dim(value) else _int(callee, value)


def _ceil(callee: Any, value: Any) -> Any:
    if is_dim(value):
        return value
    if type(value) is Term:
        parts = _over(value)
        if parts is None:
            raise NeedsConcreteSize(value)
        return -(-parts[0] // parts[1])
    return callee(value)


def _function(name: str) -> Callable[..., Any]:
    def rule(_callee: Any, *args: Any) -> Any:
        return apply(name, *args)

    return rule


def _whole(callee: Any, array: Any, *rest: Any, **options: Any) -> Any:
    """NumPy takes an array apart to join its slices; a stand-in is joined whole."""
    if hasattr(array, "__array_function__"):
        return array.__array_function__(callee, (), (array, *rest), options)
    return callee(array, *rest, **options)


JOINING = (np.concatenate, np.stack, np.vstack, np.hstack)
RULES: dict[Any, Callable[..., Any]] = {
    **dict.fromkeys(JOINING, _whole),
    builtins.float: _float,
    builtins.int: _int,
    builtins.len: _len,
    builtins.round: _rounded,
    math.floor: _floor,
    math.ceil: _ceil,
    math.sqrt: _function("sqrt"),
    math.exp: _function("exp"),
    math.sin: _function("sin"),
    math.cos: _function("cos"),
    math.pow: _function("power"),
    math.log2: _function("log2"),
    math.log: lambda callee, value, *base: (
        apply("log", value) if not base else apply("log", value) / apply("log", *base)
    ),  # pyright: ignore[reportUnknownLambdaType]
}


def item(value: Any, key: Any) -> Any:
    """`value[key]`, where a real array may be cut by symbolic places."""
    if type(value) is np.ndarray and _symbolic_key(key):
        from ..frontends.numpy.lower import lift

        return lift(value)[key]
    return lookups.item_of(value, key) if isinstance(value, dict) and type(value) is dict else value[key]


IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.iadd,
    "Sub": operator.isub,
    "Mult": operator.imul,
    "MatMult": operator.imatmul,
    "Div": operator.itruediv,
    "FloorDiv": operator.ifloordiv,
    "Mod": operator.imod,
    "Pow": operator.ipow,
    "BitAnd": operator.iand,
    "BitOr": operator.ior,
    "BitXor": operator.ixor,
    "LShift": operator.ilshift,
    "RShift": operator.irshift,
}


def update(array: Any, key: Any, operation: str, value: Any) -> None:
    """`array[key] += value`. A part of a stand-in is a view of it: it is changed as a copy, and written once."""
    part = item(array, key)
    if is_stand_in(part):
        copy = getattr(part, "copy", None)
        part = part if copy is None else copy()
    array[lookups.key_in(array, key)] = IN_PLACE[operation](part, value)


def _symbolic_key(key: Any) -> bool:
    if isinstance(key, tuple):
        return any(map(_symbolic_key, key))
    if isinstance(key, slice):
        return any(map(_symbolic_key, (key.start, key.stop, key.step)))
    return is_symbolic_scalar(key) or is_stand_in(key)
