"""One table of a TOML file with typed access: a wrong type is told with its line and what belongs there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from enum import StrEnum
from keyword import iskeyword
from typing import Any, TypeVar, cast

from ..errors import Place, VerifierError

Choice = TypeVar("Choice", bound=StrEnum)
BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that make a terminal show text in another order than it has."""


class Locator:
    """Lines of tables and keys, which `tomllib` does not tell."""

    def __init__(self, text: str, file: str, first_line: int = 1) -> None:
        self.lines = text.splitlines()
        self.file = file
        self.first = first_line
        self.starts = [i for i, line in enumerate(self.lines) if re.match(r"\s*\[\[\s*[\"']?claim[\"']?\s*\]\]", line)]

    def top(self, key: str) -> Place:
        """The line of a table or key outside the claims."""
        found = self._key(key, 0, len(self.lines))
        return Place(self.file, None if found is None else self.first + found)

    def claim(self, number: int, key: str = "", occurrence: int = 0) -> Place:
        """The line of a claim, or of one of its keys; the claim's own line where the key's is not found."""
        if number >= len(self.starts):
            return Place(self.file)
        start = self.starts[number]
        stop = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.lines)
        found = self._key(key, start, stop, occurrence) if key else None
        return Place(self.file, self.first + (start if found is None else found))

    def _key(self, key: str, start: int, stop: int, occurrence: int = 0) -> int | None:
        pattern = re.compile(rf"\s*(\[\[?\s*)?(claim\s*\.\s*)?[\"']?{re.escape(key)}[\"']?\s*[=\].]")
        found = [i for i in range(start, stop) if pattern.match(self.lines[i])]
        return found[min(occurrence, len(found) - 1)] if found else None


class Table:
    """Typed access to the keys of a claim (or, without a number, of `[document]`)."""

    def __init__(self, data: Any, keys: Mapping[str, str], locate: Locator, number: int | None = None) -> None:
        self.locate = locate
        self.number = number
        self.keys = keys
        if not isinstance(data, dict):
            raise VerifierError("a claim must be a table", place=self.place(), remedy="write [[claim]]")
        self.data = cast(Mapping[str, Any], data)
        for key in self.data:
            if key not in keys:
                near = get_close_matches(key, list(keys), 1)
                remedy = f"did you mean {near[0]}?" if near else f"keys: {', '.join(keys)}"
                raise VerifierError(f"unknown key {key!r}", place=self.place(key), remedy=remedy)

    def place(self, key: str = "", occurrence: int = 0) -> Place:
        if self.number is None:
            return self.locate.top(key or "document")
        return self.locate.claim(self.number, key, occurrence)

    def text(self, key: str, *, required: bool = False) -> str:
        """A text with its white space folded; empty where the key is absent."""
        value = self.data.get(key, "")
        if not isinstance(value, str):
            raise self.wrong(key, f"must be a text, not {_shown(value)}")
        folded = " ".join(value.split())
        if any(unicodedata.category(c) == "Cc" or c in BIDI for c in folded):
            raise self.wrong(key, "contains a control character")
        if required and not folded:
            raise VerifierError(f"a claim without {key}", place=self.place(key), remedy=f"{key}: {self.keys[key]}")
        return folded

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.wrong(key, f"must be a list of texts, not {_shown(value)}")
        return tuple(cast(list[str], value))

    def mapping(self, key: str) -> Mapping[str, Any]:
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, f"must be a table, not {_shown(value)}")
        return cast(Mapping[str, Any], value)

    def names(self, key: str) -> tuple[str, ...]:
        """Size symbols, separated by blanks."""
        found = self.text(key).split()
        for name in found:
            if not re.fullmatch(r"[^\W\d]\w*", name) or iskeyword(name):
                raise self.wrong(key, f"contains {name!r}, which is no name of a size")
            if found.count(name) > 1:
                raise self.wrong(key, f"names {name} twice")
        if len(found) > MAX_SIZES:
            raise self.wrong(key, f"names {len(found)} sizes, more than {MAX_SIZES}")
        return tuple(found)

    def one_of(self, key: str, kind: type[Choice], default: Choice, *, required: bool = False) -> Choice:
        text = self.text(key, required=required)
        if not text:
            return default
        options = [str(v) for v in kind]
        if text not in options:
            near = get_close_matches(text.upper(), options, 1) or get_close_matches(text.lower(), options, 1)
            remedy = f"did you mean {near[0]}?" if near else f"{key}: {', '.join(options)}"
            raise VerifierError(f"{key} = {text!r} is not one of them", place=self.place(key), remedy=remedy)
        return kind(text)

    def wrong(self, key: str, fact: str) -> VerifierError:
        """The error about a key's value, with its line and what the key is for."""
        return VerifierError(f"{key} {fact}", place=self.place(key), remedy=f"{key}: {self.keys[key]}")


MAX_SIZES = 16
"""Every further size multiplies what a search for counterexamples has to try."""


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
