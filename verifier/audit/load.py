"""Claim files: TOML, or Markdown with blocks of it, read and collected; every mistake of every file is reported.

`[document]` names what the claims are about; each `[[claim]]` is one statement (see `claim_table` for the keys).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from ..errors import Place, VerifierError
from . import markdown
from .claim import Claim, Document
from .claim_table import claim_of, common_of
from .table import Locator

MAX_BYTES = 4_000_000
"""A claim file is written by hand: what is larger is none."""


@dataclass
class Loaded:
    """What a set of claim files holds, and every mistake found in them."""

    document: Document = field(default_factory=lambda: Document("claims"))
    claims: list[Claim] = field(default_factory=lambda: list[Claim]())
    errors: list[VerifierError] = field(default_factory=lambda: list[VerifierError]())


def load(paths: Sequence[Path]) -> Loaded:
    """The claims of files and folders; mistakes are collected, the other files still read."""
    loaded = Loaded()
    titles: list[str] = []
    sections: list[str] = []
    files = [file for path in paths for file in _files(path, loaded)]
    for file in {f.resolve(): f for f in files}.values():
        _read(file, loaded, titles, sections, named=file in paths)
    _unique(loaded)
    if not loaded.claims and not loaded.errors:
        where = ", ".join(map(str, paths)) or "."
        loaded.errors.append(
            VerifierError(f"no claims in {where}", remedy="give a file or folder with [[claim]] tables")
        )
    loaded.document = Document(" · ".join(dict.fromkeys(titles)) or "claims", sections=tuple(dict.fromkeys(sections)))
    return loaded


def _files(path: Path, loaded: Loaded) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(p for p in path.rglob("*") if _is_candidate(p, path))
    elif path.exists():
        yield path
    else:
        loaded.errors.append(
            VerifierError("there is no such file or folder", place=Place(str(path)), remedy="check the path")
        )


def _is_candidate(file: Path, folder: Path) -> bool:
    """Whether a file inside a folder may hold claims; hidden folders and installed packages are not searched."""
    parts = file.relative_to(folder).parts
    if any(part.startswith(".") or part in ("node_modules", "site-packages") for part in parts) or file.is_dir():
        return False
    return markdown.is_markdown(file.name) or (file.suffix == ".toml" and file.name != "pyproject.toml")


def _read(file: Path, loaded: Loaded, titles: list[str], sections: list[str], *, named: bool) -> None:
    place = Place(str(file))
    try:
        fact = _unreadable(file)
        text = "" if fact else file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        fact, text = (f"is no UTF-8 text: {error.reason} at byte {error.start}", "save it as UTF-8"), ""
    except OSError as error:
        fact, text = (f"cannot be read: {error.strerror}", "check its rights"), ""
    if fact:
        loaded.errors.append(VerifierError(fact[0], place=place, remedy=fact[1]))
    elif markdown.is_markdown(file.name):
        _read_markdown(text, str(file), loaded, titles, sections, named=named)
    else:
        read_text(text, str(file), loaded, titles, sections)


def _unreadable(file: Path) -> tuple[str, str] | None:
    """Why a file is not read at all, and what to do."""
    if not file.is_file():
        return "is no file that can be read", "give a text file in TOML"
    if file.stat().st_size > MAX_BYTES:
        return f"has more than {MAX_BYTES} bytes", "split it into several files"
    return None


def _read_markdown(
    text: str, file: str, loaded: Loaded, titles: list[str], sections: list[str], *, named: bool
) -> None:
    """The claims of a Markdown text; one that was named and has none is a mistake."""
    mistakes = len(loaded.errors)
    header: Mapping[str, Any] = {}
    found = list(markdown.blocks(text, file, loaded.errors))
    for block in found:
        inherited = {**header, "section": block.heading} if block.heading else header
        before = len(loaded.claims), len(loaded.errors)
        header = read_text(block.text, file, loaded, titles, sections, block.first_line, inherited)
        if before == (len(loaded.claims), len(loaded.errors)) and header == inherited:
            place = Place(file, block.first_line - 1)
            loaded.errors.append(VerifierError("an empty claim block", place=place, remedy="add a [[claim]] table"))
    if found:
        if not header.get("title"):
            titles.append(markdown.title_of(text) or Path(file).name)
    elif named and len(loaded.errors) == mistakes:
        remedy = "put them in fenced ```claim blocks"
        loaded.errors.append(VerifierError("no claims in this Markdown file", place=Place(file), remedy=remedy))


def read_text(
    text: str,
    file: str,
    loaded: Loaded,
    titles: list[str],
    sections: list[str],
    first_line: int = 1,
    inherited: Mapping[str, Any] = {},
) -> Mapping[str, Any]:
    """The claims of one TOML text, which begins at a line of its file; its [document], with what it inherits."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, column = _position(str(error))
        place = Place(file, (line or max(text.count("\n"), 1)) + first_line - 1, column)  # no line: wrong at the end
        fact = re.sub(r" \(at .*\)$", "", str(error))
        loaded.errors.append(VerifierError(f"not TOML: {fact}", place=place, remedy="see https://toml.io"))
        return inherited
    except (RecursionError, ValueError) as error:  # nested without end; a date or number that does not exist
        fact = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        loaded.errors.append(VerifierError(f"not TOML: {fact}", place=Place(file), remedy="see https://toml.io"))
        return inherited
    locate = Locator(text, file, first_line)
    tables = data.get("claim", [])
    for key in sorted(data.keys() - {"document", "claim"}):
        near = get_close_matches(key, ["document", "claim"], 1)
        remedy = "use [document]" if near == ["document"] else "use [[claim]]"
        loaded.errors.append(VerifierError(f"unknown table {key!r}", place=locate.top(key), remedy=remedy))
    document = data.get("document", {})
    if isinstance(document, dict):
        document = {**inherited, **cast(dict[str, Any], document)}
    try:
        common = common_of(document, locate)
    except VerifierError as error:
        loaded.errors.append(error)
        return inherited
    if common.title:
        titles.append(common.title)
    if common.section:
        sections.append(common.section)
    if not isinstance(tables, list):
        fact = "claim must be a list of tables"
        loaded.errors.append(VerifierError(fact, place=locate.top("claim"), remedy="write [[claim]]"))
        return common.raw
    for number, data_of_claim in enumerate(cast(list[Any], tables)):
        try:
            loaded.claims.append(claim_of(data_of_claim, common, locate, number))
        except VerifierError as error:
            loaded.errors.append(error)
    return common.raw


def _position(message: str) -> tuple[int | None, int | None]:
    found = re.search(r"at line (\d+), column (\d+)", message)
    return (int(found[1]), int(found[2])) if found else (None, None)


def _unique(loaded: Loaded) -> None:
    seen: dict[str, Claim] = {}
    for claim in list(loaded.claims):
        if claim.id in seen:
            first = seen[claim.id].place
            loaded.errors.append(
                VerifierError(f"the id {claim.id} is taken by {first}", place=claim.place, remedy="give it another id")
            )
            loaded.claims.remove(claim)
        else:
            seen[claim.id] = claim
