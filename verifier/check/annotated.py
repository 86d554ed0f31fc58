"""jaxtyping's annotations as data: the axes of an array hint, the names in them, and values held against them."""

from __future__ import annotations

import re
import types
import typing
from collections import abc
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from functools import lru_cache
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from jaxtyping import AbstractArray

from ..dims import Relation, Size, is_dim
from ..dims.axes import Axis, parse_axes
from ..errors import ExpressionError, Unsupported, VerifierError
from ..frontends.front_end import element_name, is_stand_in
from ..frontends.signature import admits
from ..terms import Term
from .completing import MAX_YIELDED
from .mismatch import AnnotationMismatch

BRACES = re.compile(r"\{([^{}]*)\}")


def is_array_hint(hint: Any) -> bool:
    """Whether a hint is one of jaxtyping's arrays."""
    return isinstance(hint, type) and issubclass(hint, AbstractArray)


def is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


def is_record(hint: Any) -> bool:
    """A class whose fields have annotations of their own: a dataclass, a NamedTuple, a TypedDict.

    A dataclass that can be called is a layer, and its weights are its own.
    """
    if not isinstance(hint, type):
        return False
    data = is_dataclass(hint) and not any("__call__" in vars(c) for c in hint.__mro__)
    return data or is_named_tuple(hint) or typing.is_typeddict(hint)


def holds_array(hint: Any, depth: int = 0) -> bool:
    """Whether an array annotation occurs in a hint."""
    hint = bare(hint)
    if is_array_hint(hint):
        return True
    if depth < 4 and is_record(hint):
        return any(holds_array(h, depth + 1) for h in hints_of(hint).values())
    return depth < 6 and any(holds_array(h, depth + 1) for h in typing.get_args(hint))


def bare(hint: Any) -> Any:
    """A hint without what says nothing of its values: Annotated, NotRequired, NewType, an alias."""
    while True:
        if typing.get_origin(hint) in (typing.Annotated, typing.NotRequired, typing.Required, typing.Final):
            hint = typing.get_args(hint)[0]
        elif hasattr(hint, "__supertype__"):
            hint = hint.__supertype__
        elif type(hint).__name__ == "TypeAliasType":
            hint = hint.__value__
        else:
            return hint


def is_named_tuple(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields")


def names_sizes(hint: Any, depth: int = 0) -> bool:
    """Whether an array annotation in a hint names an axis: `"n d"` or `"3"`, and not `""`, `"..."` or a key's form."""
    if is_array_hint(hint):
        words = [w for w in words_of(hint.dim_str) if w.lstrip("#?*").strip("._")]
        old_key = hint.dim_str in ("2", "4") and set(hint.dtypes) == {"uint32"}
        return bool(words) and not old_key and not admits(hint, "prng_key")
    if depth < 4 and is_record(hint):
        return any(names_sizes(h, depth + 1) for h in hints_of(hint).values())
    return depth < 6 and any(names_sizes(h, depth + 1) for h in typing.get_args(hint))


def hints_of(thing: Any) -> dict[str, Any]:
    """The evaluated annotations of a function or class.

    Raises:
        VerifierError: they cannot be evaluated.
    """
    try:
        return dict(_hints[thing])
    except (KeyError, TypeError):  # TypeError: it cannot be hashed, or takes no weak reference
        pass
    try:
        found = typing.get_type_hints(thing, include_extras=True)
    except Exception as error:
        raise VerifierError(f"the annotations of {thing.__name__} cannot be read: {error}") from None
    with suppress(TypeError):
        _hints[thing] = found
    return dict(found)


_hints: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()
"""Those that were evaluated: texts are compiled for it, and every run asks again."""


@lru_cache(maxsize=4096)
def axes_of(text: str) -> tuple[Axis, ...]:
    """The axes of a hint; what stands in braces becomes a name `brace#i` that `Bindings` evaluates.

    Raises:
        Unsupported: an axis is computed in a way that has no normal form, such as `h**d`.
    """
    try:
        return parse_axes(text)
    except ExpressionError as error:
        fact = error.fact.replace("is no axis", "is an axis that is not followed", 1)
        raise Unsupported(fact, remedy="give the axis one name, or write it with + - * // and names") from None


def words_of(text: str) -> tuple[str, ...]:
    """The axes as written, one word each; braces may hold blanks."""
    words: list[str] = []
    depth = 0
    for piece in re.split(r"(\s+|[{}])", text):
        if piece == "{":
            depth += 1
        elif piece == "}":
            depth -= 1
        if not piece.strip():
            if not depth:
                words.append("")
            continue
        if not words:
            words.append("")
        words[-1] += piece
    return tuple(w for w in words if w)


@dataclass
class Bindings:
    """What the names of the annotations stand for in one call, as jaxtyping remembers them."""

    sizes: dict[str, Size] = field(default_factory=lambda: dict[str, Size]())
    variadic: dict[str, tuple[Size, ...]] = field(default_factory=lambda: dict[str, tuple[Size, ...]]())
    arguments: Mapping[str, Any] = field(default_factory=lambda: dict[str, Any]())

    def expression(self, word: str) -> Size:
        """The size that an axis expression stands for.

        Raises:
            AnnotationMismatch: it uses a name that nothing bound.
        """
        names: dict[str, Any] = {}

        def named(found: re.Match[str]) -> str:
            if found[0] in FUNCTIONS:
                return found[0]
            name = f"brace_{len(names)}"
            names[name] = attribute(found[0], self.arguments)
            return name

        def brace(found: re.Match[str]) -> str:
            return f"({PATH.sub(named, found[1].strip())})"

        text = BRACES.sub(brace, word)
        (axis,) = axes_of(text)
        if axis.kind == "fixed":
            return axis.size
        if axis.kind == "named":
            known = names.get(axis.name, self.sizes.get(axis.name))
            if known is not None:
                return known
        expression = axis.expression
        wanted = (axis.name,) if expression is None else sorted(expression.names)
        missing = [n for n in wanted if n not in names and n not in self.sizes]
        if missing or expression is None:
            raise AnnotationMismatch(f"the axis {word!r} uses {', '.join(missing)}, which no argument binds")
        return expression.value({**self.sizes, **names}, FUNCTIONS)


PATH = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
"""`h` or `self.config.heads` inside braces, which may be part of an expression there."""
FUNCTIONS = {"min": min, "max": max}
"""jaxtyping evaluates an axis as Python, where these two are used of sizes."""


def attribute(path: str, arguments: Mapping[str, Any]) -> Any:
    """The value of `h` or `self.h` among a call's arguments.

    Raises:
        AnnotationMismatch: there is no such argument or attribute.
    """
    first, *rest = path.split(".")
    if first not in arguments:
        raise AnnotationMismatch(f"the axis {{{path}}} names no argument")
    value = arguments[first]
    for name in rest:
        if not hasattr(value, name):
            raise AnnotationMismatch(f"the axis {{{path}}}: there is no attribute {name}")
        value = getattr(value, name)
    return value


def match(value: Any, hint: Any, bindings: Bindings, where: str) -> None:
    """Holds a value against its annotation, binding names that are new.

    Raises:
        AnnotationMismatch: it does not fit, on this path.
    """
    hint = bare(hint)
    if is_array_hint(hint):
        _match_array(value, hint, bindings, where)
    elif is_union(hint):
        _match_union(value, hint, bindings, where)
    elif typing.get_origin(hint) is tuple:
        _match_tuple(value, hint, bindings, where)
    elif typing.get_origin(hint) in MANY:
        _match_many(value, hint, bindings, where)
    elif typing.get_origin(hint) in (dict, abc.Mapping):
        if not isinstance(value, dict):
            raise AnnotationMismatch(f"{where} is {_kind(value)}, annotated a dictionary")
        for key, item in typing.cast("dict[Any, Any]", value).items():
            match(item, typing.get_args(hint)[1], bindings, f"{where}[{key!r}]")
    elif is_record(hint):
        _match_record(value, hint, bindings, where)
    elif hint is None or hint is type(None):
        if value is not None:
            raise AnnotationMismatch(f"{where} is {_kind(value)}, annotated None")
    elif hint in (int, float, bool, str):
        if not _is_scalar(value, hint):
            raise AnnotationMismatch(f"{where} is {_kind(value)}, annotated {hint.__name__}")
    elif holds_array(hint):
        raise Unsupported(f"{where} is annotated {hint}, which is not followed", remedy="return arrays, or a dataclass")


MANY: dict[Any, tuple[type, ...]] = {
    list: (list,),
    set: (set,),
    abc.Sequence: (list, tuple),
    abc.Collection: (list, tuple, set),
    abc.Iterable: (list, tuple, set),
    abc.Iterator: (list,),
    abc.Generator: (list,),
}
"""What may stand for a hint of many values; for a generator that is the list of what it yields."""


def _match_many(value: Any, hint: Any, bindings: Bindings, where: str) -> None:
    origin = typing.get_origin(hint)
    if origin in (abc.Iterable, abc.Iterator) and isinstance(value, abc.Iterator):
        value = list(islice(typing.cast("abc.Iterator[Any]", value), MAX_YIELDED))
    if is_stand_in(value) or not isinstance(value, MANY[origin]):
        raise AnnotationMismatch(f"{where} is {_kind(value)}, annotated {origin.__name__}")
    for i, item in enumerate(typing.cast("list[Any]", value)):
        match(item, typing.get_args(hint)[0], bindings, f"{where}[{i}]")


def _match_record(value: Any, hint: Any, bindings: Bindings, where: str) -> None:
    """Each field of a dataclass, NamedTuple or TypedDict."""
    by_key = typing.is_typeddict(hint)
    if is_stand_in(value) or not isinstance(value, dict if by_key else hint):
        raise AnnotationMismatch(f"{where} is {_kind(value)}, annotated {name_of(hint)}")
    known = hints_of(hint)
    names = [f.name for f in fields(hint)] if is_dataclass(hint) else list(known)
    held = typing.cast("dict[str, Any]", value)
    if by_key and (missing := [n for n in names if n not in held and n in required_of(hint)]):
        raise AnnotationMismatch(f"{where} has no {missing[0]!r}, annotated {name_of(hint)}")
    for name in names:
        if by_key:
            if name in held:
                match(held[name], known[name], bindings, f"{where}[{name!r}]")
        else:
            match(getattr(value, name), known[name], bindings, f"{where}.{name}")


def required_of(hint: Any) -> frozenset[str]:
    """The keys that a TypedDict must have; of annotations that are texts the class itself does not know."""
    said: dict[str, Any] = {n: typing.get_origin(h) for n, h in hints_of(hint).items()}
    known: frozenset[str] = hint.__required_keys__
    return frozenset(n for n, how in said.items() if n in known and how is not typing.NotRequired)


def name_of(hint: Any) -> str:
    return getattr(hint, "__name__", str(hint))


def _is_scalar(value: Any, hint: type) -> bool:
    if type(value) is Relation:
        return hint in (bool, int, float)
    if is_dim(value):
        return hint in (int, float)
    if type(value) is Term:
        return hint is float
    if is_stand_in(value):
        return value.shape == () and hint in (float, bool, int)
    return isinstance(value, hint) or (hint is float and isinstance(value, (int, float, np.floating)))


def _kind(value: Any) -> str:
    if is_stand_in(value):
        return f"an array [{', '.join(map(str, value.shape))}]"
    return f"a {type(value).__name__}"


def _match_union(value: Any, hint: Any, bindings: Bindings, where: str) -> None:
    options = typing.get_args(hint)
    if value is None and type(None) in options:
        return
    failure: AnnotationMismatch | None = None
    for option in options:
        if option is type(None):
            continue
        kept = (dict(bindings.sizes), dict(bindings.variadic))
        try:
            match(value, option, bindings, where)
        except AnnotationMismatch as error:
            failure = failure or error
            bindings.sizes, bindings.variadic = kept
        else:
            return
    raise failure or AnnotationMismatch(f"{where} is {_kind(value)}, annotated {hint}")


def _match_tuple(value: Any, hint: Any, bindings: Bindings, where: str) -> None:
    options = typing.get_args(hint)
    if not isinstance(value, tuple):
        raise AnnotationMismatch(f"{where} is {_kind(value)}, annotated a tuple")
    items = typing.cast("tuple[Any, ...]", value)
    if len(options) == 2 and options[1] is Ellipsis:
        options = (options[0],) * len(items)
    if len(options) != len(items):
        raise AnnotationMismatch(f"{where} has {len(items)} parts, annotated {len(options)}")
    for i, (item, option) in enumerate(zip(items, options, strict=True)):
        match(item, option, bindings, f"{where}[{i}]")


def _match_array(value: Any, hint: Any, bindings: Bindings, where: str) -> None:
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        raise AnnotationMismatch(f"{where} is {_kind(value)}, annotated {hint.__name__}")
    shape: tuple[Size, ...] = tuple(value.shape)
    text = f"[{', '.join(map(str, shape))}]"
    if not admits(hint, element_name(value.dtype)):
        raise AnnotationMismatch(
            f"{where} has elements of type {value.dtype}, annotated {hint.__name__}", code="ATT009"
        )
    words = words_of(hint.dim_str)
    spread = [i for i, w in enumerate(words) if is_variadic(w)]
    if len(words) != len(shape) and not (spread and len(shape) >= len(words) - 1):
        raise AnnotationMismatch(
            f'{where} has {len(shape)} axes {text}, annotated {len(words) - len(spread)} axes "{hint.dim_str}"',
            shape=shape, annotation=hint.dim_str,
        )  # fmt: skip
    if spread:
        place = spread[0]
        count = len(shape) - len(words) + 1
        _match_variadic(words[place], shape[place : place + count], bindings, where, hint.dim_str, shape)
        pairs = [*zip(words[:place], shape[:place], strict=True)]
        pairs += [*zip(words[place + 1 :], shape[place + count :], strict=True)]
    else:
        pairs = [*zip(words, shape, strict=True)]
    for number, (word, size) in enumerate(pairs):
        axis = number if not spread or number < spread[0] else number - len(pairs)
        _match_axis(word, size, bindings, where, axis, hint.dim_str, shape)


def is_variadic(word: str) -> bool:
    """Whether an axis stands for any number of axes."""
    return word == "..." or "*" in word[: len(word) - len(word.lstrip("#*?_"))] or word.lstrip("#?_") == "..."


def _match_variadic(
    word: str, sizes: tuple[Size, ...], bindings: Bindings, where: str, annotation: str, shape: tuple[Size, ...]
) -> None:
    name = word.lstrip("#*?_")
    if name == "..." or not name or "_" in word[: len(word) - len(name)]:
        return
    known = bindings.variadic.setdefault(name, sizes)
    if len(known) != len(sizes):
        raise AnnotationMismatch(f"{where}: *{name} is {len(sizes)} axes here and {len(known)} before")
    for mine, other in zip(sizes, known, strict=True):
        if "#" in word and mine == 1:
            continue
        if not mine == other:
            raise AnnotationMismatch(
                f"{where}: *{name} has {mine} here and {other} before",
                left=mine,
                right=other,
                shape=shape,
                annotation=annotation,
            )


def _match_axis(
    word: str, size: Size, bindings: Bindings, where: str, axis: int, annotation: str, shape: tuple[Size, ...]
) -> None:
    body = word.lstrip("#?")
    if body.startswith("_"):
        return
    if "#" in word and size == 1:
        return
    if "=" in body and "{" not in body:
        body = body.partition("=")[2]
    wanted = bindings.sizes.setdefault(body, size) if body.isidentifier() else bindings.expression(body)
    if wanted != size:
        stands = "" if str(wanted) == body else f" = {wanted}"
        raise AnnotationMismatch(
            f"{where}: axis {axis} is {size}, annotated {body}{stands}",
            left=size, right=wanted, shape=shape, annotation=annotation,
        )  # fmt: skip
