"""The annotations of a function as symbolic arguments: jaxtyping's axes are the size symbols."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import (
    AbstractArray,
    _decorator,  # pyright: ignore[reportPrivateUsage]
)

from ..dims import Scope, Size, symbol
from ..dims.axes import Axis, parse_axes, sizes_of
from ..errors import Unsupported, VerifierError
from .front_end import front_end_of

_decorator._tb_flag = False  # pyright: ignore[reportPrivateUsage]
"""As in `kernels`: decorators of jaxtyping in the code under test are no use of JAX."""


@dataclass(frozen=True)
class Argument:
    """A parameter of the function under test and what its annotation says of it."""

    name: str
    axes: tuple[Axis, ...] | None
    element: str | None
    """The element type, as jaxtyping names it."""
    kind: str
    """"array", "size" (an int), "number" (a float) or "other"."""
    optional: bool
    array_type: Any = np.ndarray

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's element type for it."""
        return np.dtype(self.element)

    @property
    def is_parameter(self) -> bool:
        """Whether it is learned: the field names weights `W`, `W_...` or `w_...`, biases `b_...`, gains `gain`."""
        return self.kind == "array" and (self.name[:2] in ("W_", "w_", "b_") or self.name in ("W", "gain", "bias"))


def arguments_of(function: Callable[..., Any]) -> tuple[Argument, ...]:
    """The parameters of an annotated function, in order.

    Raises:
        VerifierError: annotations that cannot be read, or an axis that is none.
    """
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except Exception as error:
        raise VerifierError(f"the annotations of {function.__name__} cannot be read: {error}") from None
    found: list[Argument] = []
    for parameter in inspect.signature(function).parameters.values():
        hint = hints.get(parameter.name)
        optional = parameter.default is not inspect.Parameter.empty
        found.append(_argument(parameter.name, hint, optional))
    return tuple(found)


def result_axes(function: Callable[..., Any]) -> tuple[Axis, ...] | None:
    """The axes that the return annotation declares, where it is one array."""
    hint = typing.get_type_hints(function, include_extras=True).get("return")
    return _argument("return", hint, False).axes


def _argument(name: str, hint: Any, optional: bool) -> Argument:
    hint = _without_none(hint)
    if isinstance(hint, type) and issubclass(hint, AbstractArray):
        axes = tuple(
            replace(axis, kind="named", name=f"{name}_axis{i}") if axis.kind == "anonymous" else axis
            for i, axis in enumerate(parse_axes(hint.dim_str))
        )
        return Argument(name, axes, element_of(hint), "array", optional, hint.array_type)
    if hint is int:
        return Argument(name, None, None, "size", optional)
    if hint is float:
        return Argument(name, None, None, "number", optional)
    return Argument(name, None, None, "other", optional)


def _without_none(hint: Any) -> Any:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        others = [h for h in typing.get_args(hint) if h is not type(None)]
        return others[0] if len(others) == 1 else hint
    return hint


def element_of(hint: Any) -> str:
    """The first common element type of the framework that the hint admits."""
    front_end = front_end_of(hint.array_type)
    for candidate in front_end.element_types:
        if admits(hint, candidate):
            return candidate
    raise VerifierError(
        f"no element type of {front_end.name} fits {hint}", remedy="annotate with Float, Int, Bool or Complex"
    )


def admits(hint: Any, name: str) -> bool:
    """Whether an element type is one that the hint names."""
    admitted = hint.dtypes
    if not isinstance(admitted, (list, tuple)):
        return True
    return any(name == d.rstrip("_") if isinstance(d, str) else bool(d.match(name)) for d in admitted)


def symbols_in(arguments: Collection[Argument]) -> tuple[str, ...]:
    """The size symbols of the arguments, in order of first use."""
    names: dict[str, None] = {}
    for argument in arguments:
        if argument.kind == "size":
            names[argument.name] = None
        for axis in argument.axes or ():
            names.update(dict.fromkeys(axis.symbols))
    return tuple(names)


def scope_of(arguments: Collection[Argument]) -> Scope:
    """Every size symbol of the arguments, at least 1."""
    return Scope.of(symbols_in(arguments))


def symbolic_call(
    function: Callable[..., Any], arguments: Collection[Argument], present: Collection[str], sizes: Mapping[str, Size]
) -> Any:
    """Calls the function on fresh symbolic arguments, inside a run; optional ones only where they are `present`."""
    values: dict[str, Any] = {}
    for argument in arguments:
        if argument.optional and argument.name not in present:
            continue
        values[argument.name] = _value(argument, sizes)
    return function(**values)


def _value(argument: Argument, sizes: Mapping[str, Size]) -> Any:
    if argument.axes is not None and argument.element is not None:
        shape = sizes_of(argument.axes, sizes)
        return front_end_of(argument.array_type).symbolic(argument.name, shape, argument.element)
    if argument.kind == "size":
        return sizes.get(argument.name, symbol(argument.name))
    if argument.kind == "number":
        from ..terms import Entry, Term

        return Term({((Entry(argument.name, ()), 1),): 1})
    raise Unsupported(
        f"the parameter {argument.name} has no annotation that says what to pass",
        remedy="annotate it with a jaxtyping array, int or float, or give it a default",
    )
