"""Config files as strangers send them: bytes -> one JSON object, or an error that says where and what is wrong.

Nothing of a file is evaluated. Every way in which a file can be no config has its own sentence.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ..errors import Place, VerifierError

MAX_BYTES = 16 * 2**20
"""No config comes near it; weights and data sets do."""
MAX_DEPTH = 64
MAX_DIGITS = 4000
BYTE_ORDER_MARKS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"\x00\x00\xfe\xff", "UTF-32"))


class UnreadableConfig(VerifierError):
    """An input that is no config; `place` says where in the file it stops being one."""


class _Duplicate(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


class _NotANumber(Exception):
    def __init__(self, word: str) -> None:
        self.word = word


def read_file(path: Path) -> dict[str, Any]:
    """The JSON object in a file.

    Raises:
        UnreadableConfig: there is none, with line and column where they help.
    """
    place = Place(str(path))
    try:
        if path.is_dir():
            raise UnreadableConfig("is a folder", place=place, remedy="name the config.json in it")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise too_large(size, place)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UnreadableConfig(
            f"cannot be read: {reason}", place=place, remedy="check the path and its rights"
        ) from None
    except ValueError as error:
        raise UnreadableConfig(f"is no path: {error}", place=place) from None
    return parse(data, str(path))


def too_large(size: int, place: Place) -> UnreadableConfig:
    fact = f"has {size:,} bytes, more than {MAX_BYTES:,}: that is no config"
    return UnreadableConfig(fact, place=place, remedy="name the config.json, not the weights or a data set")


def parse(data: bytes, name: str) -> dict[str, Any]:
    """The JSON object that the bytes spell.

    Raises:
        UnreadableConfig: they spell none, with line and column where they help.
    """
    place = Place(name)
    if len(data) > MAX_BYTES:
        raise too_large(len(data), place)
    text = decode(data, place)
    if not text.strip():
        raise UnreadableConfig("is empty", place=place, remedy="a config is a JSON object: {...}")
    _check_depth(text, name)
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise _not_json(error, text, name) from None
    except _Duplicate as error:
        raise _twice(error.key, text, name) from None
    except _NotANumber as error:
        at = _outside_strings(text, error.word, name)
        fact = f"{error.word} is no JSON number"
        raise UnreadableConfig(fact, place=at or place, remedy="write a finite number, or null") from None
    except RecursionError:
        raise UnreadableConfig("is nested too deeply", place=place, remedy=f"at most {MAX_DEPTH} levels") from None
    except ValueError:
        fact = f"has a number of more than {MAX_DIGITS} digits"
        raise UnreadableConfig(fact, place=place, remedy="no size of a model has so many") from None
    if not isinstance(value, dict):
        kinds = {
            list: "a list",
            str: "a string",
            type(None): "null",
            bool: "true or false",
            int: "a number",
            float: "a number",
        }
        kind = kinds.get(type(value), type(value).__name__)
        raise UnreadableConfig(f"holds {kind}, not an object", place=place, remedy="a config is a JSON object: {...}")
    if not value:
        raise UnreadableConfig("is an empty object", place=place, remedy="give at least model_type and the sizes")
    return value  # pyright: ignore[reportUnknownVariableType]


def decode(data: bytes, place: Place) -> str:
    """UTF-8, with or without a mark; another encoding is named.

    Raises:
        UnreadableConfig: the bytes are no UTF-8.
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            remedy = "save it as UTF-8"
            raise UnreadableConfig(f"is encoded in {encoding}; JSON files are UTF-8", place=place, remedy=remedy)
    if data[:4096].count(b"\x00"):
        fact = "holds zero bytes: it is binary, or in UTF-16 without a mark"
        raise UnreadableConfig(fact, place=place, remedy="name a JSON text in UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        fact = f"byte 0x{data[error.start]:02x} is no UTF-8"
        raise UnreadableConfig(fact, place=Place(place.file, line, column), remedy="save it as UTF-8") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Duplicate(key)
            seen.add(key)
    return found


def _no_constant(word: str) -> Any:
    raise _NotANumber(word)


def _place_at(text: str, position: int, name: str) -> Place:
    line = text.count("\n", 0, position) + 1
    return Place(name, line, position - (text.rfind("\n", 0, position) + 1) + 1)


def _twice(key: str, text: str, name: str) -> UnreadableConfig:
    spots = [m.start() for m in re.finditer(re.escape(json.dumps(key)) + r"\s*:", text)]
    lines = [_place_at(text, s, name).line for s in spots]
    where = f", on lines {' and '.join(map(str, lines[:2]))}" if len(lines) > 1 else ""
    place = _place_at(text, spots[1], name) if len(spots) > 1 else Place(name)
    fact = f"the key {key!r} is given twice{where}: readers disagree about which counts"
    return UnreadableConfig(fact, place=place, remedy="keep one of them")


def _outside_strings(text: str, word: str, name: str) -> Place | None:
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|' + re.escape(word), text):
        if match.group() == word:
            return _place_at(text, match.start(), name)
    return None


def _check_depth(text: str, name: str) -> None:
    """Brackets outside strings, counted before anything recurses over them."""
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return
    depth = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', text):
        bracket = match.group()
        if bracket in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                place = _place_at(text, match.start(), name)
                raise UnreadableConfig(f"is nested deeper than {MAX_DEPTH} levels", place=place, remedy="flatten it")
        elif bracket in "]}":
            depth -= 1


def _not_json(error: json.JSONDecodeError, text: str, name: str) -> UnreadableConfig:
    """What Python's reader says, with what people usually did."""
    place = Place(name, error.lineno, error.colno)
    rest, before = text[error.pos : error.pos + 10], text[: error.pos].rstrip()
    remedy = "compare it with a JSON object: keys and words in double quotes, commas between"
    if rest[:1] == "'":
        remedy = 'JSON strings stand in double quotes: "..."'
    elif rest.startswith(("//", "/*", "#")):
        remedy = "JSON has no comments; delete it"
    elif rest[:4] in ("True", "None") or rest[:5] == "False":
        remedy = "JSON writes true, false and null"
    elif error.msg.startswith(
        ("Expecting property name", "Illegal trailing comma", "Expecting value")
    ) and before.endswith(","):
        remedy = "delete the comma before the closing bracket"
    elif error.pos >= len(text.rstrip()):
        remedy = "the file ends in the middle; fetch or copy it again"
    elif text.lstrip().startswith("<"):
        remedy = "this is a web page: download the raw file"
    elif text.startswith("version https://git-lfs"):
        remedy = "this is a Git LFS pointer: fetch the file with `git lfs pull`"
    fact = f"is not JSON: {error.msg[0].lower()}{error.msg[1:]}"
    return UnreadableConfig(fact, place=place, remedy=remedy)
