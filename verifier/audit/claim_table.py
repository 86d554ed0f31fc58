"""The tables of a claim file, read into the model: `[document]`, `[[claim]]` and `[[claim.reading]]`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ..dims.expression import Expression, parse
from ..errors import ExpressionError, Place, VerifierError
from ..verdict import Stance, Truth
from .claim import Claim, Premise, Reading
from .table import Locator, Table

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
    "contradicts": "ids of statements of this document that it contradicts; as a table, each with why",
    "arrays": "arrays that the relation speaks of, with their axes; those of [document] too",
    "options": "what else the method needs",
    "section": "overrides the section of [document]",
}
HEADER: Mapping[str, str] = {
    "title": "what the claims are about",
    "section": "the section that this file's claims stand in",
    "sizes": "size symbols of all its claims, separated by blanks",
    "given": "conditions that the document states for all of them",
    "arrays": "arrays that their relations speak of, with their axes",
}
KINDS = ("convention", "empirical", "pedagogical", "ambiguous")


@dataclass(frozen=True)
class Common:
    """What `[document]` says for all claims of its file."""

    title: str
    section: str
    sizes: tuple[str, ...]
    given: tuple[Premise, ...]
    arrays: Mapping[str, str]
    raw: Mapping[str, Any]


def common_of(data: Any, locate: Locator) -> Common:
    """The table `[document]`.

    Raises:
        VerifierError: a key that is unknown or has the wrong type, with its line.
    """
    if not isinstance(data, dict):
        raise VerifierError("document must be a table", place=locate.top("document"), remedy="write [document]")
    header = Table(data, HEADER, locate)
    return Common(
        header.text("title"),
        header.text("section"),
        header.names("sizes"),
        _premises(header, "given"),
        _arrays(header),
        dict(header.data),
    )


def claim_of(data: Any, common: Common, locate: Locator, number: int) -> Claim:
    """The claim of one table `[[claim]]`, the `number`th of its file.

    Raises:
        VerifierError: whatever is wrong with it first, with its line.
    """
    table = Table(data, KEYS, locate, number)
    expect = table.one_of("expect", Truth, Truth.UNDECIDED, required=True)
    readings, mutants, conflicts = _readings(table), table.texts("mutants"), _conflicts(table)
    claim = Claim(
        id=table.text("id", required=True),
        statement=table.text("statement", required=True),
        stance=table.one_of("stance", Stance, Stance.ASSERTS),
        expect=expect,
        section=table.text("section") or common.section,
        item=table.text("item"),
        sentence=table.text("sentence"),
        quote=table.text("quote"),
        method=table.text("method") or ("not_a_claim" if expect is Truth.NOT_A_CLAIM else "relation"),
        sizes=table.names("sizes") if "sizes" in table.data else common.sizes,
        given=(*common.given, *_premises(table, "given")),
        assume=_premises(table, "assume"),
        readings=readings,
        arrays={**_named(common.arrays, (*(r.relation for r in readings), *mutants)), **_arrays(table)},
        mutants=mutants,
        kind=table.text("kind"),
        reason=table.text("reason"),
        note=table.text("note"),
        contradicts=tuple(conflicts),
        conflicts={name: why for name, why in conflicts.items() if why},
        place=table.place(),
        places={
            key: table.place(key) for key in ("given", "assume", "mutants", "method", "arrays") if key in table.data
        },
        raw={"claim": table.data, "header": common.raw},
    )
    _check(claim, table)
    return claim


def _check(claim: Claim, table: Table) -> None:
    if any(c.isspace() for c in claim.id):
        raise table.wrong("id", "contains a blank")
    if claim.id in claim.contradicts:
        raise table.wrong("contradicts", "names the claim itself")
    premises = [p.name for p in (*claim.given, *claim.assume)]
    for name in premises:
        if premises.count(name) > 1:
            raise table.wrong("assume", f"names the premise {name!r} a second time")
    if claim.expect in (Truth.NOT_A_CLAIM, Truth.NOT_ENCODED):
        if claim.expect is Truth.NOT_A_CLAIM and claim.kind not in KINDS:
            raise VerifierError(
                f"{claim.id} is no claim of mathematics, but of which kind?",
                place=table.place("kind"),
                remedy=f"kind: {', '.join(KINDS)}",
            )
        if claim.expect is Truth.NOT_A_CLAIM and not claim.reason:
            fact = f"{claim.id} needs a reason"
            raise VerifierError(fact, place=table.place("kind"), remedy="say why it is no mathematics")
        return
    if not claim.readings:
        remedy = 'add relation = "..." or [[claim.reading]]'
        raise VerifierError(f"{claim.id} has no relation", place=table.place("id"), remedy=remedy)
    if all(r.printed for r in claim.readings):
        remedy = "add the restored reading, without printed = true"
        raise VerifierError("every reading is the printed one", place=table.place("reading"), remedy=remedy)
    if not claim.mutants:
        raise VerifierError(
            f"{claim.id} has no mutant: a check that cannot fail says nothing",
            place=table.place("id"),
            remedy='add mutants = ["..."], a relation close to yours that must be refuted',
        )
    for reading in claim.readings:
        _parsed(reading.relation, reading.place)
    for text in claim.mutants:
        _parsed(text, table.place("mutants"))


def _parsed(text: str, place: Place) -> Expression:
    try:
        return parse(text)
    except ExpressionError as error:
        raise error.at(place) from None


READING_KEYS: Mapping[str, str] = {
    "name": "what this reading takes the statement to say",
    "relation": "its formal relation",
    "printed": "true where this is the text as transcribed, shown but not counted",
    "options": "what else the method needs",
    "method": "how it is established, where not as the claim's other readings",
    "without": "a condition, by name, that the other readings have and this one leaves out: it shows that it is needed",
}


def _readings(table: Table) -> tuple[Reading, ...]:
    options = table.mapping("options")
    found: list[Reading] = []
    if "relation" in table.data:
        found.append(Reading("", table.text("relation"), options=options, place=table.place("relation")))
    entries = table.data.get("reading", [])
    if not isinstance(entries, list):
        raise table.wrong("reading", "must be written in double brackets")
    for number, entry in enumerate(cast(list[Any], entries)):
        place = table.place("reading", number)
        try:
            found.append(_reading(_Reading(entry, READING_KEYS, table.locate, place), options))
        except VerifierError as error:
            raise error.at(place) from None
    names = [r.name for r in found]
    for name in names:
        if names.count(name) > 1:
            raise table.wrong("reading", f"has two entries named {name!r}")
    return tuple(found)


class _Reading(Table):
    """A reading's table, whose keys all stand below the line that opens it."""

    def __init__(self, data: Any, keys: Mapping[str, str], locate: Locator, start: Place) -> None:
        self.start = start
        super().__init__(data, keys, locate)

    def place(self, key: str = "", occurrence: int = 0) -> Place:
        return self.start


def _reading(entry: _Reading, options: Mapping[str, Any]) -> Reading:
    printed = entry.data.get("printed", False)
    if not isinstance(printed, bool):
        raise entry.wrong("printed", "must be true or false")
    return Reading(
        entry.text("name", required=True),
        entry.text("relation", required=True),
        printed,
        {**options, **entry.mapping("options")},
        entry.text("method"),
        entry.text("without"),
        entry.start,
    )


def _conflicts(table: Table) -> Mapping[str, str]:
    """`["X5.b"]`, or `{ "X5.b" = "here n columns, there m" }`."""
    if not isinstance(table.data.get("contradicts"), dict):
        return dict.fromkeys(table.texts("contradicts"), "")
    found = table.mapping("contradicts")
    for name, why in found.items():
        if not isinstance(why, str):
            raise table.wrong("contradicts", f"says no text of {name}")
    return found


def _arrays(table: Table) -> Mapping[str, str]:
    arrays = table.mapping("arrays")
    for name, axes in arrays.items():
        if not isinstance(axes, str):
            fact = f"the axes of {name} must be a text"
            raise VerifierError(fact, place=table.place("arrays"), remedy=f'{name} = "n d_model"')
    return arrays


def _named(arrays: Mapping[str, str], relations: Iterable[str]) -> Mapping[str, str]:
    """Those arrays that the relations name."""
    used = frozenset(re.findall(r"\w+", " ".join(relations)))
    return {n: axes for n, axes in arrays.items() if n in used}


def _premises(table: Table, key: str) -> tuple[Premise, ...]:
    """`{name = "relation"}`, or a list of names of a law's assumptions and of relations that name themselves."""
    value = table.data.get(key, {})
    if isinstance(value, dict):
        items = list(cast(Mapping[str, Any], value).items())
    elif isinstance(value, list) and all(isinstance(v, str) for v in value):
        items = [(v, v if any(c in v for c in "=<>") else "") for v in cast(list[str], value)]
    else:
        fact = f"{key} must map names to relations"
        raise VerifierError(fact, place=table.place(key), remedy=f'{key} = {{ "name" = "n == m" }}')
    found: list[Premise] = []
    for name, relation in items:
        if not isinstance(relation, str):
            raise VerifierError(f"the premise {name!r} is no text", place=table.place(key), remedy='write "n == m"')
        if relation and not _parsed(relation, table.place(key)).is_relation:
            raise VerifierError(f"{relation!r} is no relation", place=table.place(key), remedy="compare two sizes")
        found.append(Premise(name, relation))
    return tuple(found)
