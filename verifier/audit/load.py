"""Claim files: TOML, read into the model; every mistake is reported with its file, line and remedy.

`[document]` names what the claims are about; each `[[claim]]` is one statement. Keys are listed in `KEYS`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from ..dims.expression import parse
from ..errors import ExpressionError, Place, VerifierError
from ..verdict import Stance, Truth
from .claim import Claim, Document, Premise, Reading

KEYS: Mapping[str, str] = {
    "id": "a name that no other claim has",
    "statement": "the statement in your own words",
    "stance": "what the document does with it: asserts, rejects or asks",
    "expect": "the pinned verdict",
    "item": "where in the section it stands",
    "sentence": "hash of the sentence (verifier sentences FILE)",
    "quote": "for documents of your own: the sentence itself",
    "method": "how it is established; relation where absent",
    "sizes": "size symbols, separated by blanks; those of [document] where absent",
    "given": "conditions that the document states",
    "assume": "conditions that it needs and does not state",
    "relation": "the formal relation, where there is one reading",
    "reading": "several formal readings: [[claim.reading]] with name and relation",
    "mutants": "relations that must be refuted",
    "kind": "for NOT_A_CLAIM: convention, empirical, pedagogical or ambiguous",
    "reason": "for NOT_A_CLAIM: why",
    "note": "a remark for the reader of the report",
    "contradicts": "ids of statements of this document that it contradicts",
    "arrays": "arrays that the relation speaks of, with their axes; those of [document] too",
    "options": "what else the method needs",
    "section": "overrides the section of [document]",
}
KINDS = ("convention", "empirical", "pedagogical", "ambiguous")
T = TypeVar("T")


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
    for path in paths:
        for file in _files(path, loaded):
            _read(file, loaded, titles, sections)
    _unique(loaded)
    if not loaded.claims and not loaded.errors:
        where = ", ".join(map(str, paths)) or "."
        loaded.errors.append(VerifierError(f"no claims in {where}", remedy="give a file or folder with [[claim]] tables"))
    loaded.document = Document(titles[0] if titles else "claims", sections=tuple(dict.fromkeys(sections)))
    return loaded


def _files(path: Path, loaded: Loaded) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(p for p in path.rglob("*.toml") if p.name != "pyproject.toml")
    elif path.exists():
        yield path
    else:
        loaded.errors.append(VerifierError("there is no such file or folder", place=Place(str(path)), remedy="check the path"))


def _read(file: Path, loaded: Loaded, titles: list[str], sections: list[str]) -> None:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        loaded.errors.append(VerifierError(f"cannot be read: {error}", place=Place(str(file)), remedy="save it as UTF-8"))
        return
    read_text(text, str(file), loaded, titles, sections)


def read_text(
    text: str, file: str, loaded: Loaded, titles: list[str], sections: list[str], first_line: int = 1
) -> None:
    """The claims of one TOML text, which begins at a line of its file."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, column = _position(str(error))
        place = Place(file, None if line is None else line + first_line - 1, column)
        fact = re.sub(r" \(at .*\)$", "", str(error))
        loaded.errors.append(VerifierError(f"not TOML: {fact}", place=place, remedy="see https://toml.io"))
        return
    header = data.get("document", {})
    tables = data.get("claim", [])
    locate = _Locator(text, file, first_line)
    if not isinstance(header, dict) or not isinstance(tables, list):
        loaded.errors.append(
            VerifierError("[document] and [[claim]] must be tables", place=Place(file, first_line), remedy="see the reference")
        )
        return
    unknown = sorted(data.keys() - {"document", "claim"})
    for key in unknown:
        near = get_close_matches(key, ["document", "claim"], 1)
        loaded.errors.append(
            VerifierError(f"unknown table {key!r}", place=locate.top(key), remedy=f"use [[{near[0] if near else 'claim'}]]")
        )
    if "title" in header:
        titles.append(str(header["title"]))
    if "section" in header:
        sections.append(str(header["section"]))
    for number, table in enumerate(tables):
        try:
            loaded.claims.append(_claim(table, header, locate, number))
        except VerifierError as error:
            loaded.errors.append(error)


def _position(message: str) -> tuple[int | None, int | None]:
    found = re.search(r"at line (\d+), column (\d+)", message)
    return (int(found[1]), int(found[2])) if found else (None, None)


class _Locator:
    """Lines of tables and keys, which `tomllib` does not tell."""

    def __init__(self, text: str, file: str, first_line: int) -> None:
        self.lines = text.splitlines()
        self.file = file
        self.first = first_line
        self.starts = [i for i, line in enumerate(self.lines) if line.strip().startswith("[[claim]]")]

    def top(self, key: str) -> Place:
        lines = [i for i, line in enumerate(self.lines) if re.match(rf"\[*\s*{re.escape(key)}\b", line.strip())]
        return Place(self.file, self.first + lines[0] if lines else None)

    def claim(self, number: int, key: str = "") -> Place:
        if number >= len(self.starts):
            return Place(self.file)
        start = self.starts[number]
        stop = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.lines)
        if key:
            for i in range(start, stop):
                if re.match(rf"(\[\[?claim\.)?{re.escape(key)}\b", self.lines[i].strip()):
                    return Place(self.file, self.first + i)
        return Place(self.file, self.first + start)


def _claim(table: Any, header: Mapping[str, Any], locate: _Locator, number: int) -> Claim:
    if not isinstance(table, dict):
        raise VerifierError("a claim must be a table", place=locate.claim(number), remedy="write [[claim]]")
    for key in table:
        if key not in KEYS:
            near = get_close_matches(key, list(KEYS), 1)
            raise VerifierError(
                f"unknown key {key!r}",
                place=locate.claim(number, key),
                remedy=f"did you mean {near[0]}?" if near else f"keys: {', '.join(KEYS)}",
            )
    get = _Getter(table, locate, number)
    claim_id = get.text("id", required=True)
    expect = get.one_of("expect", Truth, Truth.UNDECIDED, required=True)
    readings = _readings(get)
    claim = Claim(
        id=claim_id,
        statement=get.text("statement", required=True),
        stance=get.one_of("stance", Stance, Stance.ASSERTS),
        expect=expect,
        section=get.text("section") or str(header.get("section", "")),
        item=get.text("item"),
        sentence=get.text("sentence"),
        quote=get.text("quote"),
        method=get.text("method") or ("not_a_claim" if expect is Truth.NOT_A_CLAIM else "relation"),
        sizes=tuple((get.text("sizes") or str(header.get("sizes", ""))).split()),
        given=(*_premises(header.get("given", {}), get, "given"), *_premises(table.get("given", {}), get, "given")),
        assume=_premises(table.get("assume", {}), get, "assume"),
        readings=readings,
        arrays=_arrays(header, get, (*(r.relation for r in readings), *get.texts("mutants"))),
        mutants=tuple(get.texts("mutants")),
        kind=get.text("kind"),
        reason=get.text("reason"),
        note=get.text("note"),
        contradicts=tuple(get.texts("contradicts")),
        place=locate.claim(number),
        raw={"claim": table, "header": dict(header)},
    )
    _check(claim, get)
    return claim


def _check(claim: Claim, get: _Getter) -> None:
    if claim.expect in (Truth.NOT_A_CLAIM, Truth.NOT_ENCODED):
        if claim.expect is Truth.NOT_A_CLAIM and claim.kind not in KINDS:
            raise VerifierError(
                f"{claim.id} is no claim of mathematics, but of which kind?", place=get.place("kind"), remedy=f"kind: {', '.join(KINDS)}"
            )
        if claim.expect is Truth.NOT_A_CLAIM and not claim.reason:
            raise VerifierError(f"{claim.id} needs a reason", place=get.place("kind"), remedy="say why it is no mathematics")
        return
    if not claim.readings:
        raise VerifierError(f"{claim.id} has no relation", place=get.place("id"), remedy="add relation = \"...\" or [[claim.reading]]")
    if not claim.mutants:
        raise VerifierError(
            f"{claim.id} has no mutant: a check that cannot fail says nothing",
            place=get.place("id"),
            remedy='add mutants = ["..."], a relation close to yours that must be refuted',
        )
    for text, key in [*((r.relation, "relation") for r in claim.readings), *((m, "mutants") for m in claim.mutants)]:
        try:
            parse(text)
        except ExpressionError as error:
            raise error.at(get.place(key)) from None


def _readings(get: _Getter) -> tuple[Reading, ...]:
    table = get.table
    options = get.mapping("options")
    found: list[Reading] = []
    if "relation" in table:
        found.append(Reading("", get.text("relation"), options=options))
    entries = table.get("reading", [])
    if not isinstance(entries, list):
        raise VerifierError("reading must be [[claim.reading]]", place=get.place("reading"), remedy="use double brackets")
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("relation"), str) or not isinstance(entry.get("name"), str):
            raise VerifierError("a reading needs a name and a relation", place=get.place("reading"), remedy="name = , relation = ")
        extra = entry.keys() - {"name", "relation", "printed", "options", "method"}
        if extra:
            raise VerifierError(f"unknown key {sorted(extra)[0]!r} in a reading", place=get.place("reading"), remedy="name, relation, printed")
        found.append(
            Reading(
                entry["name"],
                entry["relation"],
                bool(entry.get("printed", False)),
                {**options, **entry.get("options", {})},
                str(entry.get("method", "")),
            )
        )
    return tuple(found)


def _arrays(header: Mapping[str, Any], get: _Getter, relations: Sequence[str]) -> Mapping[str, str]:
    """The claim's own arrays, and those of [document] that its relations name."""
    used = frozenset(re.findall(r"\w+", " ".join(relations)))
    shared = header.get("arrays", {})
    arrays = {**{n: a for n, a in shared.items() if n in used}, **get.mapping("arrays")} if isinstance(shared, dict) else {}
    for name, axes in arrays.items():
        if not isinstance(axes, str):
            raise VerifierError(f"the axes of {name} must be a text", place=get.place("arrays"), remedy=f'{name} = "n d_model"')
    return arrays


def _premises(value: Any, get: _Getter, key: str) -> tuple[Premise, ...]:
    """`{name = "relation"}`, or a list of names of a law's assumptions and of relations that name themselves."""
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list) and all(isinstance(v, str) for v in value):
        items = [(v, v if any(c in v for c in "=<>") else "") for v in value]
    else:
        raise VerifierError(f"{key} must map names to relations", place=get.place(key), remedy=f'{key} = {{ "name" = "n == m" }}')
    found: list[Premise] = []
    for name, relation in items:
        if not isinstance(relation, str):
            raise VerifierError(f"the premise {name!r} is no text", place=get.place(key), remedy='write "n == m"')
        if relation:
            try:
                expression = parse(relation)
            except ExpressionError as error:
                raise error.at(get.place(key)) from None
            if not expression.is_relation:
                raise VerifierError(f"{relation!r} is no relation", place=get.place(key), remedy="compare two sizes")
        found.append(Premise(name, relation))
    return tuple(found)


class _Getter:
    """Typed access to a table's keys, with errors at their lines."""

    def __init__(self, table: Mapping[str, Any], locate: _Locator, number: int) -> None:
        self.table = table
        self.locate = locate
        self.number = number

    def place(self, key: str = "") -> Place:
        return self.locate.claim(self.number, key)

    def text(self, key: str, *, required: bool = False) -> str:
        value = self.table.get(key, "")
        if not isinstance(value, str):
            raise VerifierError(f"{key} must be a text, not {value!r}", place=self.place(key), remedy=f"{key}: {KEYS[key]}")
        if required and not value.strip():
            raise VerifierError(f"a claim without {key}", place=self.place(key), remedy=f"{key}: {KEYS[key]}")
        return " ".join(value.split())

    def texts(self, key: str) -> list[str]:
        value = self.table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise VerifierError(f"{key} must be a list of texts", place=self.place(key), remedy=f"{key}: {KEYS[key]}")
        return value

    def mapping(self, key: str) -> Mapping[str, Any]:
        value = self.table.get(key, {})
        if not isinstance(value, dict):
            raise VerifierError(f"{key} must be a table", place=self.place(key), remedy=f"{key}: {KEYS[key]}")
        return value

    def one_of(self, key: str, kind: type[T], default: T, *, required: bool = False) -> T:
        text = self.text(key, required=required)
        if not text:
            return default
        options = [str(v) for v in kind]  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType, reportUnknownArgumentType]
        if text not in options:
            near = get_close_matches(text, options, 1)
            raise VerifierError(
                f"{key} = {text!r} is not one of them",
                place=self.place(key),
                remedy=f"did you mean {near[0]}?" if near else f"{key}: {', '.join(options)}",
            )
        return kind(text)  # pyright: ignore[reportCallIssue]


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
