"""The audit as one self-contained HTML page: it loads nothing, and without a script everything can be read."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from string import Template

from .. import __version__
from ..audit.claim import Result
from ..audit.run import Audit
from ..errors import VerifierError
from ..verdict import Agreement, Truth
from . import pictures
from .audit_text import SAID, by_section
from .html_claim import MARKS, PAGE_SAYS, Names, badge, claim, failing_at, shown_place
from .markup import Child, Markup, element, join
from .prose import prose

FILES = Path(__file__).resolve().parent / "page"
MEANINGS = {
    Truth.PROVED: "for everything in the declared domain, with a certificate that can be checked again.",
    Truth.PROVED_IF: "under the named conditions, each shown to be needed by a witness.",
    Truth.BOUNDED: "for everything up to a stated bound, by trying it all.",
    Truth.MEASURED: "by an experiment with its seed, sample size and standard error.",
    Truth.REFUTED: "with sizes or values at which it fails, evaluated a second time.",
    Truth.UNDECIDED: "neither proved nor refuted; the reason says what is left.",
    Truth.NOT_A_CLAIM: "a convention, an empirical or pedagogical remark, or ambiguous.",
    Truth.NOT_ENCODED: "listed and not yet written as a claim. Never a success.",
}


def page(audit: Audit, *, title: str = "", today: date | None = None) -> str:
    """The whole page."""
    css, script = (_file(name) for name in ("page.css", "page.js"))
    names = Names(audit.results)
    title = title or audit.document.title
    body = join(
        [
            _head(audit, title),
            _glance(audit, names),
            _errors(audit.errors),
            _problems(audit.results, names),
            _wrong(audit.results, names),
            _contradictions(audit.results, names),
            _claims(audit, names),
            _pictures(),
            _legend(audit),
        ]
    )
    return Template(_file("page.html")).substitute(
        title=join([f"{title}: audit"]),
        policy=f"default-src 'none'; style-src '{_digest(css)}'; script-src '{_digest(script)}'; base-uri 'none'",
        css=css,
        script=script,
        body=body,
        version=join([__version__]),
        date=(today or date.today()).isoformat(),
    )


def _file(name: str) -> str:
    return (FILES / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


# -- the head -------------------------------------------------------------------------------------


def _head(audit: Audit, title: str) -> Markup:
    total = len(audit.results)
    counted = [
        element("li", badge(t), element("b", n), " ", SAID[Truth(t)], class_=f"count t-{t}")
        for t, n in audit.summary.items()
    ]
    return element(
        "header",
        element("p", "Audit of", class_="over"),
        element("h1", title),
        element(
            "p",
            f"{total} statement{'' if total == 1 else 's'}, each with a verdict and what it rests on.",
            class_="lead",
        ),
        element("ul", *counted, class_="counts"),
        _bar(audit),
    )


def _bar(audit: Audit) -> Markup | None:
    """The verdicts in proportion."""
    total = len(audit.results)
    if not total:
        return None
    pieces: list[Markup] = []
    start = 0.0
    for truth, count in audit.summary.items():
        share = 100 * count / total
        pieces.append(element("rect", x=f"{start:.3f}", y=0, width=f"{share:.3f}", height=3, class_=f"fill t-{truth}"))
        start += share
    return element("svg", *pieces, viewBox="0 0 100 3", preserveAspectRatio="none", aria_hidden="true", class_="share")


def _glance(audit: Audit, names: Names) -> Markup | None:
    """Every verdict: one tile a claim, by section."""
    if not audit.results:
        return None
    rows = [
        element(
            "div",
            element("dt", section),
            element("dd", element("ul", *(element("li", _tile(r, names)) for r in results), class_="tiles")),
        )
        for section, results in by_section(audit.results).items()
    ]
    note = "A bar under a tile: the document is wrong there, or overstates."
    marked = any(_is_wrong(r) for r in audit.results)
    return element(
        "nav",
        element("h2", "Every verdict at a glance", id="glance"),
        element("dl", *rows),
        element("p", note, class_="quiet") if marked else None,
        aria_labelledby="glance",
        class_="glance",
    )


def _tile(result: Result, names: Names) -> Markup:
    wrong = _is_wrong(result)
    said = f"{result.truth}{f', the document {PAGE_SAYS[result.agreement]}' if wrong else ''}"
    return element(
        "a",
        element("span", MARKS[result.truth], aria_hidden="true"),
        result.id,
        element("span", f" ({said})", class_="hidden"),
        href=f"#{names.anchor(result)}",
        title=f"{said}: {result.statement}",
        class_=f"tile t-{result.truth}" + (" wrong" if wrong else ""),
    )


def _is_wrong(result: Result) -> bool:
    return result.agreement in (Agreement.CONTRADICTS, Agreement.OVERSTATES)


# -- what the reader should know first ------------------------------------------------------------


def _section(title: str, identifier: str, *children: Child, class_: str | None = None) -> Markup:
    return element("section", element("h2", title, id=identifier), *children, aria_labelledby=identifier, class_=class_)


def _errors(errors: Sequence[VerifierError]) -> Markup | None:
    if not errors:
        return None
    items = [
        element("li", element("code", str(e.place)) if e.place else None, " ", e.fact, _fix(e.remedy)) for e in errors
    ]
    return _section("Claims that could not be read", "errors", element("ul", *items), class_="alarm")


def _fix(remedy: str | None) -> Markup | None:
    return element("p", "Fix: ", remedy, class_="quiet") if remedy else None


def _problems(results: Iterable[Result], names: Names) -> Markup | None:
    found = [
        element(
            "li", names.link(r), element("ul", *(element("li", p) for p in r.problems)), element("code", shown_place(r))
        )
        for r in results
        if r.problems
    ]
    return _section("Why this audit fails", "problems", element("ul", *found), class_="alarm") if found else None


def _wrong(results: Sequence[Result], names: Names) -> Markup:
    parts: list[Markup] = []
    for side, title in ((Agreement.CONTRADICTS, "It is wrong"), (Agreement.OVERSTATES, "It overstates")):
        found = [r for r in results if r.agreement == side]
        if found:
            items = [
                element("li", names.link(r), " ", prose(r.statement), element("p", *failing_at(r), class_="because"))
                for r in found
            ]
            parts += [element("h3", f"{title} ({len(found)})"), element("ul", *items, class_="findings")]
    if not parts:
        parts.append(element("p", "Nowhere: no statement that could be decided goes against the document."))
    return _section("Where the document is wrong or overstates", "wrong", *parts)


def _contradictions(results: Sequence[Result], names: Names) -> Markup | None:
    known = {r.id: r for r in results}
    items = [
        element(
            "li",
            names.link(r),
            " ",
            prose(r.statement),
            element("p", "against ", names.link(known[other]), " ", prose(known[other].statement), class_="because"),
            element("p", prose(r.conflicts[other]), class_="because") if other in r.conflicts else None,
        )
        for r in results
        for other in r.contradicts
        if other in known
    ]
    if not items:
        return None
    return _section("Where the document contradicts itself", "contradictions", element("ul", *items, class_="findings"))


# -- the claims -----------------------------------------------------------------------------------


def _claims(audit: Audit, names: Names) -> Markup:
    groups = [
        element(
            "section",
            element("h3", section),
            *(claim(r, names) for r in results),
            class_="group",
        )
        for section, results in by_section(audit.results).items()
    ]
    return _section("Claim by claim", "claims", _filters(audit), *groups)


def _filters(audit: Audit) -> Markup:
    """Hidden until the script that serves it is there."""
    verdicts = [
        element(
            "label",
            element("input", type="checkbox", name="truth", value=t, checked=True),
            badge(t),
            element("span", n, class_="quiet"),
            class_="chip",
        )
        for t, n in audit.summary.items()
    ]
    sides = [str(a) for a in Agreement if any(r.agreement == a for r in audit.results)]
    options = [element("option", "any", value=""), *(element("option", PAGE_SAYS[a], value=a) for a in sides)]
    return element(
        "form",
        element("fieldset", element("legend", "Verdict"), *verdicts, class_="chips"),
        element(
            "div",
            element("label", "The document ", element("select", *options, name="agreement")),
            element("label", "Text ", element("input", type="search", name="text", autocomplete="off")),
            class_="row",
        ),
        element(
            "div",
            element("output", f"{len(audit.results)} of {len(audit.results)} claims", aria_live="polite", name="shown"),
            element("button", "Unfold all", type="button", data_fold="open"),
            element("button", "Fold all", type="button", data_fold="close"),
            element("button", "Reset", type="reset"),
            class_="row",
        ),
        id="filters",
        role="search",
        aria_label="Filter the claims",
        hidden=True,
    )


# -- pictures and words ---------------------------------------------------------------------------


def _pictures() -> Markup:
    points = pictures.measure()
    inside = sum(p.inside for p in points)
    at_64 = next(p for p in points if p.width == 64)
    return _section(
        "Two pictures",
        "pictures",
        element("h3", "The axes of a score matrix"),
        pictures.score_axes(),
        element("h3", "How far q·k spreads"),
        element(
            "figure",
            pictures.spread_plot(points),
            element("p", pictures.legend(), class_="keys"),
            element(
                "figcaption",
                f"Measured when this page was written: for every head size from {points[0].width} to ",
                f"{points[-1].width}, {pictures.DRAWS:,} pairs of independent vectors with independent standard ",
                f"normal entries (NumPy, seed {pictures.SEED}; each head size has draws of its own). ",
                prose("The root of d_k"),
                f" lies within {pictures.BAND} standard errors at {inside} of {len(points)} head sizes; about 19 of ",
                f"20 are to be expected. At 64 the measured value is {at_64.deviation:.3f} ± {at_64.error:.3f} (one ",
                "standard error), and the root is 8. A measurement supports the law; it does not prove it.",
            ),
            class_="wide",
        ),
    )


def _legend(audit: Audit) -> Markup:
    terms = [element("div", element("dt", badge(t)), element("dd", MEANINGS[Truth(t)])) for t in audit.summary]
    return _section("What the verdicts mean", "legend", element("dl", *terms, class_="meanings"))
