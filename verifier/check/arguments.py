"""Arguments for a call, made from the annotations alone: symbolic ones to prove with, real ones to replay with.

Where an annotation leaves a choice (a union, an optional argument, the rank of `*batch`, a bool) every choice is a
variant of the call, tried in turn.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..dims import Size, is_dim
from ..dims.dim import substitute, symbols_of
from ..errors import Unsupported
from ..frontends.front_end import bound, front_end_of, value_of
from ..frontends.signature import element_of
from .annotated import (
    Bindings,
    bare,
    hints_of,
    holds_array,
    is_array_hint,
    is_named_tuple,
    is_union,
    is_variadic,
    words_of,
)
from .bare.hints import array_type_of, holds_bare, taken_for
from .completing import completed
from .constructing import Constructing, concrete_of, parts_of
from .guesses import can_make, element_type_for, guessed, values_of
from .mismatch import AnnotationMismatch
from .unions import options_of, texts_of, without_none
from .variants import ABSENT

MAX_TURNED = 2
"""How many flags are tried away from their defaults at once."""
RANKS = (0, 1, 2)
"""How many axes `*batch` and `...` are tried with."""
BRACES = re.compile(r"\{[^{}]*\}")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
BRACED = re.compile(r"\{\s*([\w.]+)\s*\}")


@dataclass
class Call:
    """A call ready to be made, with what the names of its annotations stand for."""

    arguments: dict[str, Any]
    bindings: Bindings

    def run(self, function: Callable[..., Any]) -> Any:
        """The function's value, held against its return annotation."""
        args: list[Any] = []
        named: dict[str, Any] = {}
        by_place = True
        for parameter in inspect.signature(function).parameters.values():
            by_place &= parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
            if parameter.name not in self.arguments:
                by_place = False  # what stands behind an absent argument is passed by name
            elif parameter.kind is parameter.VAR_POSITIONAL:
                args += self.arguments[parameter.name]
            elif by_place:
                args.append(self.arguments[parameter.name])
            else:
                named[parameter.name] = self.arguments[parameter.name]
        return completed(bound(function, args)(*args, **named))


@dataclass
class Builder(Constructing):
    """Makes one variant's arguments with a maker of leaves."""

    owner: type | None = None
    method: str = ""
    shapeless: dict[str, tuple[Any, str]] = field(default_factory=lambda: dict[str, tuple[Any, str]]())
    """Arrays whose annotations name no axes, with their types and kinds of elements."""
    turned: list[str] = field(default_factory=lambda: list[str]())
    """Flags that are not at their default."""
    shapeless_options: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """Parameters that may be None, or such an array."""

    def call(self, function: Callable[..., Any], owner: type | None) -> Call:
        """The arguments of a function, or of a method with an instance of its class first.

        Raises:
            Unsupported: a parameter that no annotation says how to make.
        """
        hints = hints_of(function)
        self.owner, self.method = owner, getattr(function, "__name__", "")
        parameters = list(inspect.signature(function).parameters.values())
        words = [w for h in hints.values() for w in _words_in(h)]
        self.axis_names = frozenset(w.lstrip("#?") for w in words)
        self.named = frozenset(n for w in words for n in IDENTIFIER.findall(BRACES.sub("", w)))
        self.braced = frozenset(n for w in words for n in BRACED.findall(w))
        arguments: dict[str, Any] = {}
        if owner is not None:
            arguments[parameters[0].name] = self.instance(owner, parameters[0].name, function.__name__)
            parameters = parameters[1:]
        self.bindings.arguments = arguments
        # An axis such as {h} may use an argument that comes later: plain numbers are made first.
        shaped = (holds_array, holds_bare)
        for parameter in sorted(parameters, key=lambda p: any(f(hints.get(p.name)) for f in shaped)):
            value = self.parameter(parameter, hints.get(parameter.name, parameter.empty))
            if value is not ABSENT:
                arguments[parameter.name] = value
        ordered = {n: arguments[n] for n in inspect.signature(function).parameters if n in arguments}
        self.bindings.arguments = ordered
        if self.variant.evaluating:
            self.variant.enter(ordered)
        return Call(ordered, self.bindings)

    def parameter(self, parameter: inspect.Parameter, hint: Any) -> Any:
        default = parameter.default
        unnamed = parameter.kind is parameter.VAR_POSITIONAL and hint is parameter.empty
        optional = default is not parameter.empty or parameter.kind is parameter.VAR_KEYWORD or unnamed
        if type(default) is bool and hint is bool:
            return self.flag(parameter.name, bool(default))
        if optional and not (holds_array(hint) or (default is None and is_union(hint))):
            if type(default) in (bool, int, str):
                self.supposed[f"{parameter.name} is {default!r}, its default"] = None
            return ABSENT
        if optional and self.variant.shapes is not None and holds_bare(hint):
            self.shapeless_options[parameter.name] = None
            given = parameter.name in self.variant.shapes.given
            return self.make(parameter.name, without_none(hint)) if given else ABSENT
        if optional and not can_make(hint):
            self.left_out[parameter.name] = None
            return ABSENT
        element_type = element_type_for(parameter.name, hint)
        if element_type is not None:
            self.guesses[element_type[1]] = True
            return element_type[0]
        guess = guessed(parameter.name, hint, False)
        if guess is not None:
            hint, text = guess
            self.guesses[text] = False
        if hint is parameter.empty and self.variant.shapes is not None:
            array = taken_for(parameter, self.owner, self.method)
            if array is not None:
                self.supposed[f"{parameter.name} has no annotation and is taken as an array"] = None
                hint = array
        if hint is parameter.empty:
            raise Unsupported(
                f"the parameter {parameter.name} has no annotation", remedy="annotate it, or give it a default"
            )
        if parameter.kind is parameter.VAR_POSITIONAL:
            return [self.make(parameter.name + str(i), hint) for i in range(2)]
        if optional and self.variant.choose(f"{parameter.name} is", (ABSENT, "given")) is ABSENT:
            return ABSENT
        return self.make(parameter.name, without_none(hint) if optional and default is None else hint)

    def flag(self, name: str, default: bool) -> Any:
        """A bool that has a default, both ways; of many, no two are turned at once."""
        if len(self.turned) >= MAX_TURNED:
            self.left_out[f"more than {MAX_TURNED} flags turned at once"] = None
            return ABSENT
        if self.variant.choose(f"{name} is", (default, not default)) is default:
            return ABSENT
        self.turned.append(name)
        return not default

    def make(self, name: str, hint: Any) -> Any:
        """A value that the hint admits."""
        hint = bare(hint)
        if is_array_hint(hint):
            return self.maker.array(name, self.shape(name, hint), element_of(hint), hint.array_type)
        known = array_type_of(hint)
        if known is not None:
            return self.without_axes(name, *known)
        if is_union(hint):
            texts = texts_of(hint)
            if texts and "." not in name:  # how an object is made is no part of the promise; its methods' arguments are
                self.left_out[f"{name} as {' or '.join(texts)}"] = None
            chosen = self.variant.choose(name, options_of(hint))
            # The choice of a union and the choice of one of several values are two, under two names.
            values = values_of(chosen)
            return self.make(name, chosen) if values is None else self.variant.choose(f"{name} =", values)
        origin, inner = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:
            return self.make(name, inner[0])
        values = values_of(hint)
        if values is not None:
            return self.variant.choose(name, values)
        if origin is tuple and inner:
            if len(inner) == 2 and inner[1] is Ellipsis:
                inner = (inner[0],) * 2
            return tuple(self.make(f"{name}_{i}", h) for i, h in enumerate(inner))
        if origin in (list, Sequence, typing.Sequence) and inner:
            return [self.make(f"{name}_{i}", inner[0]) for i in range(2)]
        if hint is None or hint is type(None):
            return None
        if hint is complex or (isinstance(hint, type) and issubclass(hint, (np.number, np.bool_))):
            return self.scalar(name, hint)
        if hint is int:
            return self.integer(name)
        if hint is float:
            return self.maker.number(name)
        if is_named_tuple(hint) or typing.is_typeddict(hint):
            parts = {n: self.key(f"{name}_{n}", h) for n, h in parts_of(hint).items()}
            return hint(**{n: v for n, v in parts.items() if v is not ABSENT})
        if isinstance(hint, type) and hint.__module__ == "torch" and hint.__name__ == "device":
            return hint("cpu")
        if hint is np.random.Generator:
            return self.maker.generator()
        if isinstance(hint, type) and (can_make(hint) or concrete_of(hint)):
            known = value_of(hint, lambda last, element, owner: self.maker.array(f"{name}.{last}", (), element, owner))
            return self.instance(hint, name) if known is None else known
        raise Unsupported(
            f"the parameter {name} is annotated {getattr(hint, '__name__', hint)}, of which no value can be made",
            remedy="annotate it with a jaxtyping array, int, float or bool",
        )

    def without_axes(self, name: str, array_type: Any, kind: str) -> Any:
        """An array whose annotation names no axes, as it is supposed to be.

        Raises:
            Unsupported: nothing is supposed of it.
        """
        if self.variant.shapes is None:
            raise Unsupported(
                f"the parameter {name} is annotated {array_type.__name__}, which says nothing of its axes",
                remedy='annotate it with jaxtyping: Float[Array, "n d"]',
            )
        supposed = self.variant.shapes if not kind else self.variant.shapes.with_kind(name, kind)
        self.shapeless[name] = (array_type, supposed.kinds.get(name, "f"))
        shape = tuple(self.sized(size) for size in supposed.shape(name))
        return self.maker.array(name, shape, supposed.element(name, front_end_of(array_type)), array_type)

    def sized(self, size: Size) -> Size:
        """A size in the maker's own."""
        if not is_dim(size):
            return size
        return substitute(size, {name: self.maker.size(name) for name in sorted(symbols_of(size))})

    def key(self, name: str, hint: Any) -> Any:
        """The value of one field, which a TypedDict may do without."""
        if (
            typing.get_origin(hint) is typing.NotRequired
            and self.variant.choose(f"{name} is", (ABSENT, "given")) is ABSENT
        ):
            return ABSENT
        return self.make(name, hint)

    def integer(self, name: str) -> Any:
        """An argument, or a constructor's, of an axis's name is that axis, unless braces tell them apart."""
        last = name.rpartition(".")[2]
        if last == name and name in self.named - self.braced - self.axis_names:
            self.alike[name] = None  # `h` of "n h*k" is what the annotations call h
        if last not in self.axis_names or {name, last} & self.braced or (last != name and not name.startswith("self.")):
            return self.maker.size(f"{name}_argument" if name in self.axis_names else name)
        if last not in self.bindings.sizes:
            self.bindings.sizes[last] = self.maker.size(last)
        self.alike[last] = None
        return self.bindings.sizes[last]

    def scalar(self, name: str, hint: type) -> Any:
        """A number of NumPy's: an array without axes."""
        if hint is complex:
            return self.maker.number(name)
        kinds = ((np.bool_, "bool"), (np.integer, "int64"))
        element = next((e for kind, e in kinds if issubclass(hint, kind)), "float64")
        return self.maker.array(name, (), element, np.ndarray)

    def shape(self, name: str, hint: Any) -> tuple[Size, ...]:
        shape: list[Size] = []
        for place, word in enumerate(words_of(hint.dim_str)):
            shape += self.axis(f"{name}_axis{place}", word)
        return tuple(shape)

    def axis(self, fallback: str, word: str) -> list[Size]:
        if is_variadic(word):
            name = word.lstrip("#*?_")
            anonymous = name in ("", "...") or "_" in word[: len(word) - len(name)]
            key = fallback if anonymous else name
            rank = self.variant.choose("..." if anonymous else f"*{key}", RANKS)
            known = self.bindings.variadic.get(key)
            if known is None:
                known = tuple(self.maker.size(f"{key}_{i}") for i in range(rank))
                self.bindings.variadic[key] = known
            return list(known)
        body = word.lstrip("#?")
        if body.startswith("_"):
            return [self.maker.size(fallback)]
        if "=" in body and "{" not in body:
            body = body.partition("=")[2]
        if body.isidentifier():
            if body not in self.bindings.sizes:
                self.bindings.sizes[body] = self.maker.size(body)
            size = self.bindings.sizes[body]
        else:
            size = self.expression(body)
        return [1] if "#" in word and self.variant.choose(f"#{body}", ("full", "one")) == "one" else [size]

    def expression(self, body: str) -> Size:
        while True:
            try:
                return self.bindings.expression(body)
            except AnnotationMismatch as error:
                missing = error.fact.rpartition(" uses ")[2].partition(",")[0]
                if not missing.isidentifier():
                    raise Unsupported(error.fact, remedy="see jaxtyping's documentation of axes") from None
                self.bindings.sizes[missing] = self.maker.size(missing)


def _words_in(hint: Any) -> Iterator[str]:
    if is_array_hint(hint):
        yield from words_of(hint.dim_str)
    for inner in typing.get_args(hint):
        if not isinstance(inner, str):
            yield from _words_in(inner)
