"""HTML and XML by construction: text is escaped unless its type says that it is markup already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TypeAlias

VOID = frozenset({"meta", "input", "br", "wbr", "link", "hr"})


class Markup(str):
    """Text that is markup: made by `element` alone, or from a literal of ours."""

    __slots__ = ()


Child: TypeAlias = "str | int | float | Sequence[Child] | None"
"""What stands inside an element: strings are escaped, None is nothing, lists are what they hold."""


def element(name: str, /, *children: Child, **attributes: str | int | float | bool | None) -> Markup:
    """One element. An attribute's final `_` is dropped, other `_` are hyphens; None and False leave it out.

    >>> element("p", "a < b", element("b", "!"), class_="note", hidden=True)
    '<p class="note" hidden>a &lt; b<b>!</b></p>'
    """
    written = "".join(_attribute(k.removesuffix("_").replace("_", "-"), v) for k, v in attributes.items())
    if name in VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(children)}</{name}>")


def join(children: Iterable[Child]) -> Markup:
    """Children one after the other."""
    return Markup("".join(map(_child, children)))


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return str.__str__(child)
    if isinstance(child, str):
        return escape(_printable(child))
    if isinstance(child, int | float):
        return str(child)
    return join(child)


def _attribute(name: str, value: str | int | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(_printable(str(value)))}"'


def _printable(text: str) -> str:
    """Without control characters, which are no characters of HTML, and marks that turn the direction of writing."""
    return "".join(c if c in "\n\t" or (c.isprintable() or c.isspace()) else "\N{REPLACEMENT CHARACTER}" for c in text)
