"""Objects for a call: made from constructors, fields, or the makers of the project."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Any

from ..errors import Unsupported, VerifierError
from .annotated import Bindings, hints_of, holds_array
from .guesses import (
    Style,
    can_make,
    configuration_for,
    guessed,
    is_configuration,
    is_layer,
    is_optional_int,
    substitute_for,
)
from .leaves import Maker
from .makers import fixed_sizes, project
from .unions import without_none
from .variants import ABSENT, Variant

MAX_CLASSES = 4
"""How many classes stand for an abstract one."""


@dataclass
class Constructing:
    """Makes objects, and takes down what they rest on that annotations do not say."""

    variant: Variant
    maker: Maker
    bindings: Bindings = field(default_factory=Bindings)
    axis_names: frozenset[str] = frozenset()
    braced: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    """What axes and their expressions name, outside braces."""
    """Names that stand in braces: there an argument is told from an axis of its name."""
    alike: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """Integer arguments that are taken for the axis of their name."""

    supposed: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """What was supposed of parameters without annotation."""
    fixed: dict[str, int] = field(default_factory=lambda: dict[str, int]())
    """Sizes that were left at their defaults, or that a maker of the project set to numbers."""
    open: dict[Style, None] = field(default_factory=lambda: dict[Style, None]())
    """Other ways to take a constructor's integers that would make another object."""
    left_out: dict[str, None] = field(default_factory=lambda: dict[str, None]())
    """Optional arguments that no annotation says how to make: they are not passed."""
    given: set[str] = field(default_factory=lambda: set[str]())
    """Constructors' integers that may be None and are passed."""
    guesses: dict[str, bool] = field(default_factory=lambda: dict[str, bool]())
    """What was guessed of parameters whose annotations say nothing, and whether one value stood for all."""

    @property
    def taken(self) -> list[str]:
        """What a verdict rests on that the annotations do not say."""
        return [*(f"the argument {name} is the axis {name}" for name in self.alike), *self.supposed, *self.guesses]

    def make(self, name: str, hint: Any) -> Any:
        """A value that the hint admits."""
        raise NotImplementedError

    def instance(self, owner: type, name: str, method: str = "") -> Any:
        """An object of a class whose constructor is annotated; its sizes are named `self.h`."""
        concrete = concrete_of(owner, method)
        if concrete:
            owner = self.variant.choose(f"{name} is a", concrete)
        maker = project.of(owner)
        if maker is not None:
            return self.made(name, *maker)
        if hasattr(owner, "model_construct"):
            return self.model(owner, name)
        if is_dataclass(owner) and _made_from_fields(owner):
            known = parts_of(owner)
            names = {
                f.name: known[f.name]
                for f in fields(owner)
                if f.init and (_is_required(f) or holds_array(known[f.name]) or known[f.name] is int)
            }
            return owner(**{n: self.part(owner, f"{name}.{n}", h) for n, h in names.items()})
        known = parts_of(owner.__init__) if owner.__init__ is not object.__init__ else {}
        made: dict[str, Any] = {}
        parameters = parameters_of(owner)
        if self.variant.style is Style.GIVEN:
            free = [p.name for p in parameters if p.default is None and is_optional_int(known.get(p.name))]
            given = self.variant.choose(f"{name} is made with", free) if free else None
            self.given |= {f"{name}.{given}"}
            if len(free) > 1:
                self.left_out[f"more than one of {', '.join(free)}"] = None
        for parameter in parameters:
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            value = self.constructed(owner, f"{name}.{parameter.name}", parameter, known.get(parameter.name))
            if value is not ABSENT:
                made[parameter.name] = value
        return owner(**made)

    def made(self, name: str, spelling: str, maker: Callable[..., Any]) -> Any:
        """What the project's maker of a class returns; its parameters are made like a function's."""
        hints = hints_of(maker)
        values: dict[str, Any] = {}
        for parameter in inspect.signature(maker).parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or (
                parameter.default is not parameter.empty
            ):
                continue
            hint = hints.get(parameter.name)
            if hint is None:
                raise Unsupported(
                    f"the parameter {parameter.name} of the maker {spelling} has no annotation",
                    remedy="annotate it, or give it a default",
                )
            values[parameter.name] = self.make(f"{name}.{parameter.name}", hint)
        value = maker(**values)
        self.supposed[f"{name} is made by {spelling}"] = None
        sizes = {n: v for n, v in fixed_sizes(value).items() if n not in values}  # those are tried, and bounded
        self.fixed.update({f"{name}.{n}": v for n, v in sizes.items()})
        return value

    def model(self, owner: Any, name: str) -> Any:
        """An object of a class of pydantic's, whose validators want plain numbers and are not run."""
        values = {
            n: self.make(f"{name}.{n}", f.annotation)
            for n, f in owner.model_fields.items()
            if f.is_required() or f.annotation is int or holds_array(f.annotation)
        }
        self.supposed[f"the validators of {owner.__name__} accept {name}"] = None
        return owner.model_construct(**values)

    def constructed(self, owner: type, name: str, parameter: inspect.Parameter, hint: Any) -> Any:
        """An argument of a constructor; ABSENT where its default is kept."""
        if hint is None and type(parameter.default) is int and parameter.default > 1:
            hint = int  # `heads=8` is a size as `heads: int = 8` is
        elif hint is None and is_layer(owner) and parameter.default is parameter.empty:
            configuration = configuration_for(owner, parameter.name)
            if configuration is None and is_configuration(owner, parameter.name):
                fact = f"{owner.__name__}({parameter.name}) has no annotation, and is no size"
                raise Unsupported(fact, remedy="annotate the constructor, with a dataclass of ints")
            if configuration is not None:
                self.supposed[f"{name} is a {configuration.__name__}"] = None
                return self.part(owner, name, configuration)
        if parameter.default is not parameter.empty:
            if not self.is_given(name, parameter.default, hint):
                return ABSENT
            return self.make(name, int if is_optional_int(hint) else hint)
        guess = guessed(name, parameter.empty if hint is None else hint, is_layer(owner))
        if guess is not None:
            hint, text = guess
            if hasattr(owner, "forward") or (parameter.kind is parameter.KEYWORD_ONLY and parameter.name == "key"):
                self.supposed[text] = None
            else:
                self.guesses[text] = False
        if hint is None:
            fact = f"{owner.__name__}({parameter.name}) has no annotation"
            raise Unsupported(fact, remedy="annotate the constructor")
        return self.part(owner, name, hint)

    def part(self, owner: type, name: str, hint: Any) -> Any:
        """A value for a layer's parameter or field; a function, or any layer, is guessed."""
        other = substitute_for(name, hint) if is_layer(owner) and not can_make(without_none(hint)) else None
        if other is None:
            return self.make(name, hint)
        self.guesses[other[1]] = True
        return other[0]

    def is_given(self, name: str, default: Any, hint: Any) -> bool:
        """Whether an argument of a constructor is passed although it has a default: arrays, and sizes by the style."""
        if holds_array(hint):
            return True
        last = name.rpartition(".")[2]
        named = last in self.axis_names or {name, last} & self.braced
        if hint is int and not named:
            if self.variant.style is not Style.SIZES:
                self.fixed[name] = default
                return False
            self.open[Style.DEFAULTS] = None
        optional = default is None and is_optional_int(hint)
        if optional and not named:
            self.open[Style.GIVEN] = None
        return hint is int or (optional and (bool(named) or name in self.given))


def parts_of(thing: Any) -> dict[str, Any]:
    """The annotations of what an argument is made of.

    Raises:
        Unsupported: they cannot be evaluated, which is no mistake of the function that takes it.
    """
    try:
        return hints_of(thing)
    except VerifierError as error:
        name = getattr(thing, "__qualname__", "") or thing.__name__
        raise Unsupported(f"{name}: {error.fact}", remedy="say in [tool.verifier.make] how to make one") from None


def parameters_of(owner: type) -> list[inspect.Parameter]:
    """A constructor's parameters; a metaclass that passes on whatever it is given hides those of `__init__`."""
    found = list(inspect.signature(owner).parameters.values())
    hidden = all(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in found) and inspect.isfunction(owner.__init__)
    return list(inspect.signature(owner.__init__).parameters.values())[1:] if hidden else found


def concrete_of(owner: type, method: str = "") -> tuple[type, ...]:
    """The classes of its own package that stand for an abstract class, where one is; those with its method, if any."""
    if not _is_abstract(owner):
        return ()
    top = owner.__module__.partition(".")[0]
    found: dict[type, None] = {}
    todo = [owner]
    while todo:
        for sub in todo.pop().__subclasses__():
            todo.append(sub)
            if sub.__module__.partition(".")[0] == top and not _is_abstract(sub):
                found[sub] = None
    inheriting = [s for s in found if getattr(s, method, None) is getattr(owner, method, None)] if method else []
    return tuple(sorted(inheriting or found, key=lambda s: s.__name__))[:MAX_CLASSES]


def _is_abstract(owner: type) -> bool:
    return inspect.isabstract(owner) or any(b.__name__ == "ABC" for b in owner.__bases__)


def _made_from_fields(owner: type) -> bool:
    """Whether a dataclass is constructed from its fields, and not by an `__init__` of its own."""
    names = [p.name for p in parameters_of(owner)]
    return names == [f.name for f in fields(owner) if f.init]  # pyright: ignore[reportArgumentType]


def _is_required(item: Field[Any]) -> bool:
    return item.default is MISSING and item.default_factory is MISSING
