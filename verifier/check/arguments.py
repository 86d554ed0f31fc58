"""Arguments for a call, made from the annotations alone: symbolic ones to prove with, real ones to replay with.

Where an annotation leaves a choice (a union, an optional argument, the rank of `*batch`, a bool) every choice is a
variant of the call, tried in turn.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Any, Protocol

import numpy as np

from ..dims import Size
from ..errors import Unsupported
from ..frontends.front_end import bound, front_end_of, is_bare_array, kind_of, value_of
from ..frontends.signature import admits, element_of
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
from .completing import completed
from .guesses import Style, can_make, element_type_for, guessed, is_layer, is_optional_int, substitute_for, values_of
from .makers import fixed_sizes, project
from .mismatch import AnnotationMismatch

RANKS = (0, 1, 2)
"""How many axes `*batch` and `...` are tried with."""
BRACES = re.compile(r"\{[^{}]*\}")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
BRACED = re.compile(r"\{\s*([\w.]+)\s*\}")
MAX_VARIANTS = 40
"""More ways to call a function than this are not all tried, and its verdict says so."""

MAX_CLASSES = 4
"""How many classes stand for an abstract one."""


class Maker(Protocol):
    """Makes the leaves of arguments."""

    def array(self, name: str, shape: tuple[Size, ...], element: str, array_type: Any) -> Any: ...
    def size(self, name: str) -> Any: ...
    def number(self, name: str) -> Any: ...
    def generator(self) -> Any: ...


@dataclass
class Variant:
    """Answers to the choices that the annotations leave, in the order in which they are asked."""

    script: tuple[int, ...]
    style: Style = Style.SIZES
    asked: list[tuple[str, Sequence[Any], int]] = field(default_factory=lambda: list[tuple[str, Sequence[Any], int]]())

    def again(self) -> Variant:
        """The same variant before anything was asked."""
        return Variant(self.script, self.style)

    def choose(self, name: str, options: Sequence[Any]) -> Any:
        for known, choices, taken in self.asked:
            if known == name:
                return choices[taken]
        place = len(self.asked)
        taken = self.script[place] if place < len(self.script) else 0
        self.asked.append((name, options, taken))
        return options[taken]

    def next_scripts(self) -> list[tuple[int, ...]]:
        """The scripts that differ first in a choice which this one was not told."""
        found: list[tuple[int, ...]] = []
        for place in range(len(self.script), len(self.asked)):
            before = tuple(taken for _, _, taken in self.asked[:place])
            found += [(*before, other) for other in range(1, len(self.asked[place][1]))]
        return found

    @property
    def text(self) -> str:
        return ", ".join(f"{n} {_spell(options[taken])}" for n, options, taken in self.asked if len(options) > 1)


def _spell(option: Any) -> str:
    return "absent" if option is ABSENT else getattr(option, "__name__", str(option))


ABSENT = object()


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
class Builder:
    """Makes one variant's arguments with a maker of leaves."""

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

    def call(self, function: Callable[..., Any], owner: type | None) -> Call:
        """The arguments of a function, or of a method with an instance of its class first.

        Raises:
            Unsupported: a parameter that no annotation says how to make.
        """
        hints = hints_of(function)
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
        for parameter in sorted(parameters, key=lambda p: holds_array(hints.get(p.name))):
            value = self.parameter(parameter, hints.get(parameter.name, parameter.empty))
            if value is not ABSENT:
                arguments[parameter.name] = value
        ordered = {n: arguments[n] for n in inspect.signature(function).parameters if n in arguments}
        self.bindings.arguments = ordered
        return Call(ordered, self.bindings)

    def parameter(self, parameter: inspect.Parameter, hint: Any) -> Any:
        default = parameter.default
        unnamed = parameter.kind is parameter.VAR_POSITIONAL and hint is parameter.empty
        optional = default is not parameter.empty or parameter.kind is parameter.VAR_KEYWORD or unnamed
        if optional and not (holds_array(hint) or (default is None and is_union(hint))):
            return ABSENT
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
        if hint is parameter.empty:
            raise Unsupported(
                f"the parameter {parameter.name} has no annotation", remedy="annotate it, or give it a default"
            )
        if parameter.kind is parameter.VAR_POSITIONAL:
            return [self.make(parameter.name + str(i), hint) for i in range(2)]
        if optional and self.variant.choose(f"{parameter.name} is", (ABSENT, "given")) is ABSENT:
            return ABSENT
        return self.make(parameter.name, _without_none(hint) if optional and default is None else hint)

    def make(self, name: str, hint: Any) -> Any:
        """A value that the hint admits."""
        hint = bare(hint)
        if is_array_hint(hint):
            return self.maker.array(name, self.shape(name, hint), element_of(hint), hint.array_type)
        if is_union(hint):
            chosen = self.variant.choose(name, _options(hint))
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
            parts = {n: self.key(f"{name}_{n}", h) for n, h in hints_of(hint).items()}
            return hint(**{n: v for n, v in parts.items() if v is not ABSENT})
        if isinstance(hint, type) and hint.__module__ == "torch" and hint.__name__ == "device":
            return hint("cpu")
        if hint is np.random.Generator:
            return self.maker.generator()
        if is_bare_array(hint):
            raise Unsupported(
                f"the parameter {name} is annotated {hint.__name__}, which says nothing of its axes",
                remedy='annotate it with jaxtyping: Float[Array, "n d"]',
            )
        if isinstance(hint, type) and (can_make(hint) or concrete_of(hint)):
            known = value_of(hint, lambda last, element, owner: self.maker.array(f"{name}.{last}", (), element, owner))
            return self.instance(hint, name) if known is None else known
        raise Unsupported(
            f"the parameter {name} is annotated {getattr(hint, '__name__', hint)}, of which no value can be made",
            remedy="annotate it with a jaxtyping array, int, float or bool",
        )

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
            known = hints_of(owner)
            names = {
                f.name: known[f.name]
                for f in fields(owner)
                if f.init and (_is_required(f) or holds_array(known[f.name]) or known[f.name] is int)
            }
            return owner(**{n: self.part(owner, f"{name}.{n}", h) for n, h in names.items()})
        known = hints_of(owner.__init__) if owner.__init__ is not object.__init__ else {}
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
        self.fixed.update({f"{name}.{n}": v for n, v in fixed_sizes(value).items()})
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
        if parameter.default is not parameter.empty:
            if not self.is_given(name, parameter.default, hint):
                return ABSENT
            return self.make(name, int if is_optional_int(hint) else hint)
        guess = guessed(name, parameter.empty if hint is None else hint, is_layer(owner))
        if guess is not None:
            hint, text = guess
            if hasattr(owner, "forward"):
                self.supposed[text] = None
            else:
                self.guesses[text] = False
        if hint is None:
            fact = f"{owner.__name__}({parameter.name}) has no annotation"
            raise Unsupported(fact, remedy="annotate the constructor")
        return self.part(owner, name, hint)

    def part(self, owner: type, name: str, hint: Any) -> Any:
        """A value for a layer's parameter or field; a function, or any layer, is guessed."""
        other = substitute_for(name, hint) if is_layer(owner) and not can_make(_without_none(hint)) else None
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


def _words_in(hint: Any) -> Iterator[str]:
    if is_array_hint(hint):
        yield from words_of(hint.dim_str)
    for inner in typing.get_args(hint):
        if not isinstance(inner, str):
            yield from _words_in(inner)


def _options(hint: Any) -> tuple[Any, ...]:
    """The choices of a union: no dictionaries or texts, of which nothing can be made, where there is another.

    Of keys of random numbers, which JAX has in three forms, the newest.
    """
    options = typing.get_args(hint)
    options = tuple(o for o in options if (typing.get_origin(o) or o) not in (dict, str)) or options
    newest = [o for o in options if is_array_hint(o) and admits(o, "prng_key")]
    old = [o for o in options if is_array_hint(o) and o.dim_str in ("2", "4") and admits(o, "uint32")]
    rest = tuple(o for o in options if not (newest and o in old))
    return _one_of_each(rest)


def _one_of_each(options: tuple[Any, ...]) -> tuple[Any, ...]:
    """`Float[ArrayLike, ""]` names every array and number there is: one array, and Python's numbers, stand for all."""
    arrays = [o for o in options if is_array_hint(o)]
    if len(arrays) < 2 or len({(o.dim_str, o.name if hasattr(o, "name") else "") for o in arrays}) > 1:
        return options
    kept = arrays[0] if front_end_of(arrays[0].array_type).name != "numpy" else arrays[-1]
    numbers = (int, float, bool)
    return tuple(o for o in options if o is kept or o in numbers or not (is_array_hint(o) or _is_number(o)))


def _is_number(option: Any) -> bool:
    return option is complex or (isinstance(option, type) and issubclass(option, (np.number, np.bool_)))


def _without_none(hint: Any) -> Any:
    if not is_union(hint):
        return hint
    rest = tuple(h for h in typing.get_args(hint) if h is not type(None))
    return typing.Union[rest]  # noqa: UP007  built from a tuple


def variants(probe: Callable[[Variant], Any], style: Style = Style.SIZES) -> tuple[list[Variant], bool]:
    """Every variant of a call, and whether all were listed; `probe` makes the arguments of one."""
    found: list[Variant] = []
    pending: list[tuple[int, ...]] = [()]
    while pending and len(found) < MAX_VARIANTS:
        variant = Variant(pending.pop(0), style)
        probe(variant)
        found.append(variant)
        pending += variant.next_scripts()
    return found, not pending


@dataclass
class SizeNames:
    """A maker that only lists the sizes asked for."""

    names: dict[str, None] = field(default_factory=lambda: dict[str, None]())

    def array(self, name: str, shape: tuple[Size, ...], element: str, array_type: Any) -> Any:
        return None

    def size(self, name: str) -> Any:
        from ..dims import symbol

        self.names[name] = None
        return symbol(name)

    def number(self, name: str) -> Any:
        return 1.0

    def generator(self) -> Any:
        return None


@dataclass
class Symbolic:
    """A maker of stand-ins; sizes in `fixed` are numbers."""

    fixed: Mapping[str, int]

    def array(self, name: str, shape: tuple[Size, ...], element: str, array_type: Any) -> Any:
        return front_end_of(array_type).symbolic(name, shape, element)

    def size(self, name: str) -> Any:
        from ..dims import symbol

        return self.fixed.get(name, symbol(name))

    def number(self, name: str) -> Any:
        from ..terms import Entry, Term

        return Term({((Entry(name, ()), 1),): 1})

    def generator(self) -> Any:
        from ..frontends.numpy.randomness import SymbolicGenerator

        return SymbolicGenerator()


class UnknownSize(Unsupported):
    """A size that no run on symbols came to ask for, since each ended before."""


@dataclass
class Real:
    """A maker of real arrays; integers are 0, so that they are places in whatever they index."""

    sizes: Mapping[str, int]
    seed: int = 0

    def array(self, name: str, shape: tuple[Size, ...], element: str, array_type: Any) -> Any:
        extent = tuple(int(s) for s in shape)
        draw = np.random.default_rng([self.seed, len(name), *name.encode()])
        values = {
            "i": lambda: np.zeros(extent, np.int64),
            "b": lambda: draw.random(extent) < 0.7,
            "f": lambda: np.asarray(draw.standard_normal(extent)),
            "c": lambda: draw.standard_normal(extent) + 1j * draw.standard_normal(extent),
        }[kind_of(element)]()
        return front_end_of(array_type).real(values, element)

    def size(self, name: str) -> Any:
        if name not in self.sizes:
            raise UnknownSize(f"nothing says what {name} may be")
        return self.sizes[name]

    def number(self, name: str) -> Any:
        return 0.5

    def generator(self) -> Any:
        return np.random.default_rng(self.seed)
