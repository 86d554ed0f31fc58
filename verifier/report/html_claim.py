"""One claim of the HTML report: its verdict in one line, which unfolds to everything that it rests on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ..audit.claim import Result
from ..verdict import Agreement, Truth
from .markup import Child, Markup, element, join
from .mathml import formula
from .prose import prose

MARKS: Mapping[str, str] = {
    Truth.PROVED: "✓",
    Truth.PROVED_IF: "◐",
    Truth.BOUNDED: "≤",
    Truth.MEASURED: "≈",
    Truth.REFUTED: "✗",
    Truth.UNDECIDED: "?",
    Truth.NOT_A_CLAIM: "–",
    Truth.NOT_ENCODED: "…",
}
PAGE_SAYS: Mapping[str, str] = {
    Agreement.AGREES: "agrees",
    Agreement.CONTRADICTS: "is wrong",
    Agreement.OVERSTATES: "overstates",
    Agreement.UNDECIDED: "is neither confirmed nor refuted",
    Agreement.NONE: "takes no side",
}
MAX_DATA = 4_000
"""Characters of a witness's arrays that are shown."""


class Names:
    """An anchor for each claim, whatever characters its id has."""

    def __init__(self, results: Sequence[Result]) -> None:
        self.anchors: dict[int, str] = {}
        taken: set[str] = set()
        for number, result in enumerate(results):
            plain = re.sub(r"[^A-Za-z0-9._-]+", "-", result.id)
            name = f"claim-{plain}" if f"claim-{plain}" not in taken else f"claim-{plain}-{number}"
            taken.add(name)
            self.anchors[id(result)] = name

    def anchor(self, result: Result) -> str:
        return self.anchors[id(result)]

    def link(self, result: Result) -> Markup:
        return element("a", result.id, href=f"#{self.anchor(result)}", class_="id")


def badge(truth: str) -> Markup:
    """A verdict as a mark and a word, so that nothing hangs on the colour."""
    return element(
        "span",
        element("span", MARKS[truth], aria_hidden="true"),
        f" {truth.replace('_', ' ')}",
        class_=f"badge t-{truth}",
    )


def shown_place(result: Result) -> str:
    """The claim's file and line, from where the command ran; a file elsewhere by its name alone."""
    path, colon, line = result.place.rpartition(":")
    if not colon or not line.isdigit():
        path, line = result.place, ""
    if Path(path).is_absolute():
        inside = Path(path).is_relative_to(Path.cwd())
        path = str(Path(path).relative_to(Path.cwd())) if inside else Path(path).name
    return f"{path}:{line}" if line else path


def claim(result: Result, names: Names) -> Markup:
    """The claim, folded."""
    page = None
    if result.agreement in (Agreement.CONTRADICTS, Agreement.OVERSTATES):
        page = element("span", f"the document {PAGE_SAYS[result.agreement]}", class_="side")
    summary = element(
        "summary",
        element("span", result.id, class_="id"),
        element("span", prose(result.statement), class_="statement"),
        element("span", badge(result.truth), page, class_="verdict"),
        class_="long" if len(result.id) > 7 else None,
    )
    body = element("div", *_parts(result), id=names.anchor(result), class_="body")
    return element(
        "details",
        summary,
        body,
        class_=f"claim t-{result.truth}",
        data_truth=result.truth,
        data_agreement=result.agreement,
    )


def _parts(result: Result) -> Iterable[Markup | None]:
    yield _facts(result)
    if result.reason and result.truth != Truth.PROVED and all(result.reason != r["reason"] for r in result.readings):
        yield element("p", element("b", "Why: "), prose(result.reason))
    if result.note:
        yield element("p", element("b", "Note: "), prose(result.note))
    if result.problems:
        yield element("ul", *(element("li", p) for p in result.problems), class_="alarm")
    if result.assumptions:
        holds = (
            element("p", "They hold together, for example at ", _sizes(result.model), ".", class_="quiet")
            if result.model
            else None
        )
        yield _block("Premises", element("ul", *(element("li", _premise(a)) for a in result.assumptions)), holds)
    if result.readings:
        several = len(result.readings) > 1
        yield _block("Readings" if several else "Derivation", *(_reading(r) for r in result.readings))
    if result.necessity:
        items = [
            element("li", "Without ", element("b", _premise(name)), ": ", _witness(witness))
            for name, witness in result.necessity.items()
        ]
        yield _block("Each condition is needed", element("ul", *items))
    if result.truth not in (Truth.NOT_A_CLAIM, Truth.NOT_ENCODED):
        yield _block("What would refute it", element("p", *_refutation(result)), _mutants(result))


def _facts(result: Result) -> Markup:
    side = "" if result.agreement == Agreement.NONE else f" and {PAGE_SAYS[result.agreement]}"
    where = f", item {result.item}" if result.item else ""
    facts = [
        ("Where", f"{result.section or 'Claims'}{where}"),
        ("The document", f"{result.stance} it{side}"),
        ("Method", result.method.replace("_", " ")),
        ("Written in", element("code", shown_place(result))),
    ]
    return element("dl", *(element("div", element("dt", k), element("dd", v)) for k, v in facts), class_="facts")


def _block(title: str, *children: Child) -> Markup:
    return element("div", element("h4", title), *children, class_="block")


def _premise(text: str) -> Markup:
    """A relation as mathematics, a named condition as the words that it is."""
    return formula(text) if re.search(r"[=<>]", text) and not text.startswith("reading: ") else prose(text)


def _sizes(sizes: Mapping[str, Any]) -> Markup:
    last = len(sizes) - 1
    shown = [formula(f"{name} = {value}", "," if i < last else "") for i, (name, value) in enumerate(sizes.items())]
    return Markup(" ".join(shown))


def _reading(reading: Mapping[str, Any]) -> Markup:
    witness, certificate = reading.get("witness"), reading.get("certificate")
    steps = [element("li", prose(s.strip().removeprefix("= "))) for s in reading.get("steps", ())]
    return element(
        "div",
        element("p", element("b", prose(reading["name"])), class_="name") if reading["name"] else None,
        element("p", formula(reading["relation"]), class_="display"),
        element(
            "p",
            badge(reading["truth"]),
            " ",
            prose(reading["reason"]),
            " (as printed: shown, not counted)" if reading.get("printed") else None,
        ),
        element("ol", *steps, class_="steps") if steps else None,
        element("p", element("b", "Witness: "), _witness(witness)) if witness else None,
        _certificate(certificate) if certificate else None,
        class_="reading",
    )


# -- witnesses ------------------------------------------------------------------------------------


def failing_at(result: Result) -> list[Child]:
    """Where the statement fails, or what it lacks: one line for the head of the report."""
    if result.truth == Truth.PROVED_IF and result.necessity:
        conditions = [n.removeprefix("reading: ") for n in result.necessity]
        read = all(n.startswith("reading: ") for n in result.necessity)
        shown: list[Child] = ["true where it is read as: " if read else "true only with: "]
        for i, name in enumerate(conditions):
            shown += ["; " if i else "", _premise(name)]
        return shown
    if result.witness:
        fails = result.truth == Truth.REFUTED and "text" not in result.witness
        return ["fails at " if fails else None, _witness(result.witness, brief=True)]
    return [prose(result.reason)]


def _witness(witness: Mapping[str, Any], *, brief: bool = False) -> Markup:
    """Sizes or values at which something fails, with the two sides there; brief leaves the arrays out."""
    known = {
        "law",
        "sizes",
        "left",
        "right",
        "relation",
        "at",
        "also",
        "arrays",
        "identity",
        "text",
        "otherwise",
        "where",
    }
    parts: list[Child] = []
    if text := witness.get("text"):
        parts.append(prose(str(text)))
    if otherwise := witness.get("otherwise"):
        parts.append(["where it is read as “", prose(str(otherwise)), "”"])
    if law := witness.get("law"):
        parts.append(["entries under the law “", prose(str(law)), "”"])
    if sizes := witness.get("sizes"):
        parts.append(_sizes(cast("Mapping[str, Any]", sizes)))
    if "left" in witness and "right" in witness:
        where = f"at element {list(witness['at'])} " if witness.get("at") else ""
        left, right = formula(str(witness["left"]), ","), formula(str(witness["right"]))
        parts.append([where, "left side ", left, " right side ", right])
    for name, value in witness.items():
        if name not in known:
            parts.append([name.replace("_", " "), ": ", _value(value)])
    identity = witness.get("identity")
    if isinstance(identity, Mapping) and "term" in identity and not brief:
        parts.append(["both sides are ", formula(str(cast("Mapping[str, Any]", identity)["term"]))])
    shown: list[Child] = []
    for i, part in enumerate(parts):
        shown += ["; " if i else None, part]
    if not brief:
        arrays = cast("Mapping[str, Any]", witness.get("arrays") or {})
        shown += [element("span", _data(name, value), class_="also") for name, value in arrays.items()]
        shown += [element("span", "also: ", _witness(w), class_="also") for w in witness.get("also", ())]
    return element("span", *shown, class_="witness")


def _value(value: Any) -> Markup:
    if isinstance(value, str):
        return prose(value) if " " in value else formula(value)
    if isinstance(value, bool) or value is None:
        return join(["yes" if value else "no"])
    if isinstance(value, int | float):
        return formula(repr(value))
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        pieces = [_named_value(str(k), v) for k, v in items]
        return Markup(", ".join(pieces)) if pieces else join(["none"])
    if isinstance(value, Sequence) and len(cast("Sequence[Any]", value)) <= 12 and not _is_nested(cast("Any", value)):
        return Markup(", ".join(_value(v) for v in cast("Sequence[Any]", value)) or "none")
    return _data("values", value)


def _named_value(name: str, value: Any) -> Markup:
    return formula(f"{name} = {value}") if type(value) in (int, float) else join([prose(name), " is ", _value(value)])


def _is_nested(value: Sequence[Any]) -> bool:
    return any(isinstance(v, Mapping | list | tuple) for v in value)


def _data(title: str, value: Any) -> Markup:
    text = json.dumps(value, ensure_ascii=False, default=str)
    if len(text) > MAX_DATA:
        text = f"{text[:MAX_DATA]} … ({len(text):,} characters; all of it is in the JSON report)"
    return element("span", f"{title}: ", element("code", text, class_="data"))


# -- certificates, mutants ------------------------------------------------------------------------


def _certificate(certificate: Mapping[str, Any]) -> Markup:
    return element(
        "details",
        element("summary", "Certificate: ", certificate.get("kind", "")),
        _fields(certificate),
        class_="certificate",
    )


def _fields(certificate: Mapping[str, Any]) -> Markup:
    rows: list[Markup] = []
    identity = _identity(certificate)
    if identity is not None:
        rows.append(identity)
    for name, value in certificate.items():
        if name in ("kind", "op") or value in ("", [], {}, None) or (identity is not None and name in IDENTITY):
            continue
        shown: Child
        if name == "parts" and isinstance(value, list):
            parts = cast("list[Mapping[str, Any]]", value)
            shown = element("ol", *(element("li", _fields(p) if isinstance(p, dict) else _value(p)) for p in parts))
        elif name == "relations" and isinstance(value, list):
            shown = Markup(", ".join(_relation(r) for r in cast("list[Any]", value)))
        else:
            shown = _value(value)
        rows.append(element("div", element("dt", name.replace("_", " ")), element("dd", shown)))
    return element("dl", *rows, class_="fields")


IDENTITY = ("left", "right", "multiplier", "denominator", "relations", "cofactors")


def _identity(certificate: Mapping[str, Any]) -> Markup | None:
    """Left - right as the sum of what the premises make zero: the identity that a second evaluator multiplies out."""
    if certificate.get("kind") != "identity" or any(name not in certificate for name in IDENTITY):
        return None
    left, right, multiplier, denominator, relations, cofactors = (certificate[name] for name in IDENTITY)
    zeros = [
        _times(cofactor, f"(({row['left']}) - ({row['right']}))")
        for row, cofactor in zip(relations, cofactors, strict=False)
    ]
    difference = _times(multiplier, _times(denominator, f"(({left}) - ({right}))"))
    identity = formula(f"{difference} = {' + '.join(zeros) or '0'}")
    return element("div", element("dt", "identity"), element("dd", identity))


def _times(factor: str, rest: str) -> str:
    return rest if factor == "1" else f"({factor})*{rest}"


def _relation(relation: Any) -> Markup:
    if isinstance(relation, Mapping):
        row = cast("Mapping[str, Any]", relation)
        if "left" in row and "right" in row:
            return formula(f"{row['left']} = {row['right']}")
    return _value(relation)


def _refutation(result: Result) -> list[Child]:
    if result.truth == Truth.REFUTED:
        evaluated = ", evaluated by the prover and once more through the kernels."
        return ["It is refuted: ", _witness(result.witness or {}, brief=True), evaluated]
    if result.truth == Truth.MEASURED:
        return ["A sample that lies outside of the stated test."]
    return (
        ["Sizes or arrays that satisfy the premises and at which it fails. The prover found none."]
        if (result.truth == Truth.UNDECIDED)
        else ["Sizes or arrays that satisfy the premises and at which it fails; by the derivation there are none."]
    )


def _mutants(result: Result) -> Markup | None:
    made, killed = result.mutants["made"], result.mutants["killed"]
    if not made:
        return None
    said = "A coefficient changed, two sizes exchanged, a root dropped: "
    return element(
        "p", said, element("b", f"{killed} of {made}"), " such mutants of the statement are refuted.", class_="quiet"
    )
