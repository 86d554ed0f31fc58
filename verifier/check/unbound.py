"""Axes that jaxtyping cannot compute: `h*k` where neither h nor k is an axis of an argument before it."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .annotated import hints_of, is_array_hint, words_of

BRACES = re.compile(r"\{[^{}]*\}")
NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Unbound:
    """An axis expression, the argument that has it, and the names in it that stand for nothing yet."""

    where: str
    word: str
    names: tuple[str, ...]

    @property
    def message(self) -> str:
        names = " and ".join(self.names)
        return (
            f"the axis {self.word} of {self.where} uses {names}, which no axis before it binds: jaxtyping refuses "
            f"every call that it checks"
        )

    @property
    def fix(self) -> str:
        braces = NAME.sub(lambda m: f"{{{m[0]}}}" if m[0] in self.names else m[0], self.word)
        return (
            f"put an argument with axes {', '.join(self.names)} before it; or write {braces} and pass "
            f"{', '.join(self.names)} as int; or give the axis one name"
        )


def unbound_in(function: Callable[..., Any]) -> Iterator[Unbound]:
    """The axes that jaxtyping cannot compute, in the order in which it looks at arguments and then at the result."""
    hints = hints_of(function)
    order = [n for n in inspect.signature(function).parameters if n in hints]
    bound: set[str] = set()
    for name in (*order, *(["return"] if "return" in hints else [])):
        for hint, sure in _arrays(hints[name]):
            for word in words_of(hint.dim_str):
                plain = BRACES.sub("0", word.lstrip("#*?"))
                plain = plain.partition("=")[2] if "=" in plain else plain
                if plain == "..." or plain.startswith("_"):
                    continue
                if plain.isidentifier():
                    bound.add(plain)
                    continue
                missing = [n for n in dict.fromkeys(NAME.findall(plain)) if n not in bound | {"min", "max"}]
                if missing and sure:
                    yield Unbound("the result" if name == "return" else name, word, tuple(missing))


def _arrays(hint: Any, sure: bool = True) -> Iterator[tuple[Any, bool]]:
    """The array hints in a hint, each with whether it is looked at in every call."""
    if is_array_hint(hint):
        yield hint, sure
        return
    whole = typing.get_origin(hint) is tuple
    for inner in typing.get_args(hint):
        yield from _arrays(inner, sure and whole)
