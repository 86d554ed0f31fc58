import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from verifier.audit.claim import Document, Result
from verifier.audit.load import load
from verifier.audit.run import Audit, audit
from verifier.errors import Place, VerifierError
from verifier.report import pictures
from verifier.report.html import MEANINGS, page
from verifier.report.html_claim import MARKS, PAGE_SAYS
from verifier.verdict import Agreement, Truth

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
VOID = {"meta", "input", "br", "wbr", "link", "hr", "img"}
EVIL = "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>"


class Reader(html.parser.HTMLParser):
    """Checks that every element is closed in order, and collects elements, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None], tuple[str, ...]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"an attribute twice in {tag}"
        self.elements.append((tag, dict(attrs), tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        if not {"style", "script"} & set(self.open):
            self.text += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes, _ in self.elements if name == tag]


@pytest.fixture(scope="module")
def examples() -> Audit:
    return audit([EXAMPLES], use_cache=False)


@pytest.fixture(scope="module")
def written(examples: Audit) -> str:
    return page(examples, today=date(2026, 1, 2))


def one(**changes: Any) -> Audit:
    given: dict[str, Any] = {
        "id": "C1",
        "section": "S",
        "item": "1",
        "statement": "There is a score.",
        "stance": "asserts",
        "truth": "PROVED",
        "agreement": "AGREES",
        "method": "relation",
        "expected": "PROVED",
        "place": "c.toml:3",
    }
    return Audit(Document("Title"), results=[Result(**{**given, **changes})])


# -- the page as a document -----------------------------------------------------------------------


def test_the_page_is_well_formed_and_each_id_is_given_once(written: str) -> None:
    reader = Reader(written)
    ids = [a["id"] for _, a, _ in reader.elements if "id" in a]
    assert len(ids) == len(set(ids))
    linked = [a["href"] for a in reader.named("a")]
    assert {str(link)[1:] for link in linked} <= set(ids)
    labelled = [a["aria-labelledby"] for _, a, _ in reader.elements if "aria-labelledby" in a]
    assert set(labelled) <= set(ids)
    assert reader.elements[0][0:2] == ("html", {"lang": "en"})


def test_a_paragraph_holds_no_blocks(written: str) -> None:
    blocks = {"p", "div", "ul", "ol", "dl", "details", "section", "table", "h2", "h3", "h4", "form", "figure", "svg"}
    for tag, _, inside in Reader(written).elements:
        if "p" in inside and tag == "svg":
            continue  # an inline picture is phrasing content
        assert not (tag in blocks and {"p", "span", "summary"} & set(inside)), (tag, inside)


def test_nothing_is_loaded_from_elsewhere(written: str) -> None:
    reader = Reader(written)
    for tag, attributes, _ in reader.elements:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base"}
        for name in ("src", "srcset", "action", "xlink:href", "style"):
            assert name not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        if "href" in attributes:
            assert urlsplit(str(attributes["href"])).scheme == ""
    css = written[written.index("<style>") : written.index("</style>")]
    assert not re.search(r"url\(|@import|@font-face|https?:", css)
    script = written[written.rindex("<script>") :]
    assert not re.search(r"fetch|XMLHttp|import\(|https?:", script)


def test_the_content_security_policy_allows_the_two_inline_blocks_alone(written: str) -> None:
    policy = next(a["content"] for a in Reader(written).named("meta") if a.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src 'sha256-" in policy
    assert "unsafe" not in policy
    assert len(Reader(written).named("script")) == len(Reader(written).named("style")) == 1


def test_one_audit_gives_one_page(examples: Audit, written: str) -> None:
    assert page(examples, today=date(2026, 1, 2)) == written


# -- what it says ---------------------------------------------------------------------------------


def test_every_claim_is_a_tile_and_unfolds(examples: Audit, written: str) -> None:
    reader = Reader(written)
    tiles = [a for a in reader.named("a") if "tile" in str(a.get("class")).split()]
    claims = [a for a in reader.named("details") if "claim" in str(a.get("class")).split()]
    assert len(tiles) == len(claims) == len(examples.results) > 10
    expected = [(r.truth, r.agreement) for r in examples.results]
    assert [(a["data-truth"], a["data-agreement"]) for a in claims] == expected
    for result in examples.results:
        assert result.id in reader.text
        assert result.place.rpartition("/")[2] in reader.text
    assert "<math>" in written


def test_statement_premises_readings_certificate_witness_and_mutants_are_shown() -> None:
    reading = {
        "name": "first reading",
        "relation": "2*n == m",
        "printed": True,
        "truth": "REFUTED",
        "reason": "because of this",
        "witness": {"sizes": {"n": 3}, "left": "6", "right": "1", "at": [0, 1], "arrays": {"x": [[0.5]]}},
        "certificate": {"kind": "special", "anything": {"deep": [1, {"a": "b"}]}},
        "steps": ["left  = 2*n", "a step in words"],
    }
    text = Reader(
        page(
            one(
                truth="REFUTED",
                agreement="CONTRADICTS",
                readings=[reading],
                assumptions=["h >= 2", "zero means"],
                model={"h": 2},
                witness=reading["witness"],
                necessity={"zero means": {"law": "entries 0 or 2", "left": "2", "right": "1"}},
                mutants={"made": 7, "killed": 6},
                note="a note",
                problems=["a problem"],
            )
        )
    ).text
    for part in ("first reading", "shown, not counted", "because of this", "a step in words", "special", "anything"):
        assert part in text
    for part in ("h≥2", "h=2", "n=3", "left side 6", "element [0, 1]", "[[0.5]]", "entries 0 or 2", "zero means"):
        assert part in text, part
    for part in ("6 of 7", "a note", "a problem", "c.toml:3", "It is wrong (1)", "Why this audit fails"):
        assert part in text, part


def test_an_identity_is_written_out() -> None:
    certificate = {
        "kind": "identity",
        "left": "2*m*n",
        "right": "2*n**2",
        "multiplier": "h",
        "denominator": "1",
        "relations": [{"source": "m == n", "left": "m", "right": "n"}],
        "cofactors": ["2*n"],
        "defined": {"root1": "(d_k)**(1/2)"},
    }
    reading = {"name": "", "relation": "m*n == n**2", "truth": "PROVED", "reason": "", "certificate": certificate}
    text = "".join(Reader(page(one(readings=[reading]))).text.split())
    assert "h·(2·m·n−2·n2)=2·n·(m−n)" in text
    assert "root1" in text


def test_where_the_document_errs_overstates_and_contradicts_itself() -> None:
    result = one(id="A", agreement="OVERSTATES", truth="PROVED_IF", contradicts=["B", "unknown"])
    result.results[0].conflicts = {"B": "n here, m there"}
    result.results += one(id="B", agreement="CONTRADICTS", truth="REFUTED", witness={"text": "it is not"}).results
    text = Reader(page(result)).text
    assert "It is wrong (1)" in text
    assert "It overstates (1)" in text
    assert "it is not" in text
    assert "Where the document contradicts itself" in text
    assert "n here, m there" in text
    assert "contradicts itself" not in Reader(page(one())).text
    assert "Nowhere" in Reader(page(one())).text


def test_mistakes_of_claim_files_are_shown() -> None:
    broken = one()
    broken.errors.append(VerifierError("no such thing", place=Place("c.toml", 7), remedy="do this"))
    text = Reader(page(broken)).text
    for part in ("c.toml:7", "no such thing", "do this"):
        assert part in text


def test_an_audit_without_claims_is_a_page_too() -> None:
    assert "0 statements" in Reader(page(Audit(Document("Nothing")))).text


def test_every_verdict_and_agreement_has_its_mark_and_words() -> None:
    assert set(MARKS) == set(MEANINGS) == set(Truth)
    assert set(PAGE_SAYS) == set(Agreement)
    css = page(one())
    for truth in Truth:
        assert f".t-{truth}" in css


# -- text of strangers ----------------------------------------------------------------------------


def evil_result() -> Result:
    given: dict[str, Any] = {}
    for field in fields(Result):
        given[field.name] = EVIL
    nested = {EVIL: EVIL, "sizes": {EVIL: EVIL}, "left": EVIL, "right": EVIL, "law": EVIL, "text": EVIL, "at": [EVIL]}
    nested |= {"arrays": {EVIL: [EVIL]}, "also": [{"law": EVIL}], "otherwise": EVIL, "identity": {"term": EVIL}}
    certificate = {"kind": EVIL, EVIL: EVIL, "parts": [{"kind": EVIL, EVIL: [EVIL, {EVIL: EVIL}]}], "relations": [EVIL]}
    reading = {"name": EVIL, "relation": EVIL, "truth": "REFUTED", "reason": EVIL, "printed": True, "steps": [EVIL]}
    given |= {"truth": "REFUTED", "agreement": "CONTRADICTS", "assumptions": [EVIL], "witness": nested, "seconds": 0.0}
    given |= {"mutants": {"made": 1, "killed": 0}, "necessity": {EVIL: nested}, "model": {EVIL: 1}, "problems": [EVIL]}
    given |= {"readings": [{**reading, "witness": nested, "certificate": certificate}], "contradicts": [EVIL]}
    given |= {"conflicts": {EVIL: EVIL}}
    given |= {"certificate": certificate, "cached": False}
    return Result(**{k: v for k, v in given.items() if k in {f.name for f in fields(Result)}})


def test_no_text_of_a_claim_is_markup_whichever_field_it_stands_in() -> None:
    error = VerifierError(EVIL, place=Place(EVIL, 1), remedy=EVIL)
    text = page(Audit(Document(EVIL, sections=(EVIL,)), results=[evil_result()], errors=[error]))
    reader = Reader(text)
    assert len(reader.named("script")) == 1
    assert reader.named("img") == []
    assert "<script>alert" not in text
    assert reader.text.count("<script>alert(1)</script>") > 20
    for _, attributes, _ in reader.elements:
        assert not [name for name in attributes if name.startswith("on")]


def test_no_text_of_a_claim_file_is_markup(tmp_path: Path) -> None:
    """The same, through the loader and the engine."""
    quoted = json.dumps(EVIL)
    file = tmp_path / "c.toml"
    file.write_text(
        f"""[document]
title = {quoted}
section = {quoted}
[[claim]]
id = "<script>alert(1)</script>"
item = {quoted}
statement = {quoted}
note = {quoted}
sizes = "n m d_k"
given = {{ {quoted} = "n >= 2" }}
expect = "PROVED"
mutants = ["shape(attention_scores) == (m, n)"]
[[claim.reading]]
name = {quoted}
relation = "shape(attention_scores) == (n, m)"
[[claim]]
id = "N"
statement = {quoted}
expect = "NOT_A_CLAIM"
kind = "empirical"
reason = {quoted}
""",
        encoding="utf-8",
    )
    assert load([file]).errors == []
    reader = Reader(page(audit([file], use_cache=False)))
    assert len(reader.named("script")) == 1
    assert reader.named("img") == []
    assert reader.text.count("<script>alert(1)</script>") > 6


def test_characters_that_no_page_may_hold_are_replaced() -> None:
    text = page(one(statement="a\x00b\x1b[31m\u202egnp\ud800"))
    assert not set("\x00\x1b\u202e\ud800") & set(text)
    text.encode()


# -- the pictures ---------------------------------------------------------------------------------


def test_scores_have_a_row_a_query_and_a_column_a_key() -> None:
    self_attention, cross_attention = re.findall(r"<svg.*?</svg>", pictures.score_axes())
    assert self_attention.count("<rect") == 5 * 5
    assert cross_attention.count("<rect") == 3 * 5
    assert self_attention.count("picked") == cross_attention.count("picked") == 5
    assert "<title>" in self_attention


def test_the_measured_spread_follows_the_root_and_says_how_well() -> None:
    points = pictures.measure(widths=(1, 4, 64), draws=4_000, seed=1)
    for point in points:
        assert abs(point.deviation - point.width**0.5) < 5 * point.error
        # For normal entries the kurtosis of q·k is 3 + 6/d_k.
        expected = point.width**0.5 * ((2 + 6 / point.width) / (4 * 4_000)) ** 0.5
        assert point.error == pytest.approx(expected, rel=0.35)
    assert points == pictures.measure(widths=(1, 4, 64), draws=4_000, seed=1)


def test_the_plot_shows_band_measurement_and_root_and_the_page_tells_seed_and_sample(written: str) -> None:
    plot = re.findall(r'<svg [^>]*class="plot".*?</svg>', written)
    assert len(plot) == 1
    for kind in ("band", "measured", "root"):
        assert f'class="{kind}"' in plot[0]
    measured = re.search(r'd="M([^"]*)" class="measured"', plot[0])
    assert measured is not None
    assert measured[1].count("L") == len(pictures.WIDTHS) - 1
    text = Reader(written).text
    assert f"seed {pictures.SEED}" in text
    assert f"{pictures.DRAWS:,} pairs" in text


# -- in a browser ---------------------------------------------------------------------------------

PROBE = """<!DOCTYPE html><body style="margin:0">
<iframe id="f" width="%d" height="900" style="border:0"></iframe><script>
const frame = document.getElementById("f");
frame.onload = () => {
  const page = frame.contentDocument, out = {}, root = page.documentElement;
  const shown = () => page.querySelectorAll("details.claim:not([hidden])").length;
  out.scripted = !page.getElementById("filters").hidden;
  out.folded = page.querySelectorAll("details.claim[open]").length;
  out.all = shown();
  const output = page.querySelector("output");
  out.live = output.getAttribute("aria-live");
  const box = page.querySelector("input[value=REFUTED]") || page.querySelector("input[name=truth]");
  box.checked = false; box.dispatchEvent(new Event("input", {bubbles: true}));
  out.withoutRefuted = shown(); out.count = output.textContent;
  box.checked = true;
  const text = page.querySelector("input[name=text]");
  text.value = "projection parameters"; text.dispatchEvent(new Event("input", {bubbles: true}));
  out.searched = shown();
  page.querySelector("[data-fold=open]").click();
  out.unfoldedShown = page.querySelectorAll("details.claim[open]").length;
  text.value = ""; text.dispatchEvent(new Event("input", {bubbles: true}));
  const side = page.querySelector("select");
  side.value = "OVERSTATES"; side.dispatchEvent(new Event("input", {bubbles: true}));
  out.overstated = shown();
  side.value = ""; side.dispatchEvent(new Event("input", {bubbles: true}));
  for (const part of page.querySelectorAll("details")) part.open = true;
  out.scroll = root.scrollWidth; out.client = root.clientWidth;
  out.over = [...page.querySelectorAll("main *:not(.wide *)")].filter((e) => {
    const r = e.getBoundingClientRect(); return r.width > 1 && r.right > root.clientWidth + 1;
  }).map((e) => e.tagName + " " + e.textContent.slice(0, 40)).slice(0, 5);
  out.math = page.querySelector("math").getBoundingClientRect().height;
  out.alerted = frame.contentWindow.alerted || false;
  const focusable = page.querySelectorAll("a[href], summary, button, input, select");
  out.unreachable = [...focusable].filter((e) => e.tabIndex < 0).length;
  out.unlabelled = [...page.querySelectorAll("input, select")].filter((e) => !e.labels.length).length;
  document.body.dataset.found = JSON.stringify(out);
};
frame.srcdoc = %s;
</script>"""


def browser() -> str | None:
    return os.environ.get("VERIFIER_BROWSER") or next((found for b in BROWSERS if (found := shutil.which(b))), None)


needs_browser = pytest.mark.skipif(browser() is None, reason=f"no browser: none of {', '.join(BROWSERS)} is installed")


def in_browser(folder: Path, *arguments: str) -> str:
    command = [str(browser()), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    command += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    command += [f"--user-data-dir={folder / 'profile'}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def probe(text: str, folder: Path, width: int) -> dict[str, Any]:
    file = folder / "probe.html"
    file.write_text(PROBE % (width, json.dumps(text).replace("</", "<\\/")), encoding="utf-8")
    dom = in_browser(folder, "--window-size=900,900", "--dump-dom", file.as_uri())
    found = re.search(r'data-found="([^"]*)"', dom)
    assert found is not None, dom[:2000]
    return json.loads(html.unescape(found[1]))


@needs_browser
def test_in_a_browser_the_page_fits_a_phone_filters_and_has_labels(
    examples: Audit, written: str, tmp_path: Path
) -> None:
    found = probe(written, tmp_path, 360)
    total = len(examples.results)
    assert (found["scripted"], found["folded"], found["all"], found["live"]) == (True, 0, total, "polite")
    refuted = examples.summary["REFUTED"]
    assert found["withoutRefuted"] == total - refuted
    assert found["count"] == f"{total - refuted} of {total} claims"
    assert found["searched"] == found["unfoldedShown"] == 2
    assert found["overstated"] == sum(r.agreement == "OVERSTATES" for r in examples.results)
    assert found["over"] == []
    assert found["scroll"] == found["client"]
    assert found["math"] > 5
    assert (found["unreachable"], found["unlabelled"]) == (0, 0)


LONG_TERM = (
    "sum[i₅<d_model, i₆<d_v, i₇<h, i₈<n](W_O[d_v*i₇ + i₆, o₂]*W_V[i₇, i₅, i₆]*exp(d_k**(-1/2)*sum[i₁<d_k, i₂<d_model, "
    "i₃<d_model](W_K[i₇, i₂, i₁]*W_Q[i₇, i₃, i₁]*x[i₈, i₂]*x[o₁, i₃]))*mask[o₁, i₈]*sum[i₄<n](exp(d_k**(-1/2)"
    "*sum[i₁<d_k, i₂<d_model](W_K[i₇, i₂, i₁]*x[i₄, i₂]))*mask[o₁, i₄])**(-1)*x[i₈, i₅])"
)


@needs_browser
def test_in_a_browser_the_longest_formulas_and_ids_fit_a_phone(tmp_path: Path) -> None:
    right = "concatenate_heads(project_heads(scaled_dot_product_attention(x)))"
    relation = f"cross_attention(x, x, W_Q, W_K, W_V, W_O, mask) == {right}"
    reading = {"name": "n" * 80, "relation": relation, "truth": "PROVED", "reason": LONG_TERM, "steps": [LONG_TERM]}
    reading["certificate"] = {"kind": "same", "term": LONG_TERM, "parts": [{"kind": "x", "term": LONG_TERM}]}
    witness = {"sizes": {f"d_{i}": 10**9 for i in range(12)}, "left": "7" * 60, "right": "[" + "1, " * 60 + "1]"}
    reading["witness"] = witness
    long = {"id": "an-id-" * 12, "statement": "s" * 90, "place": "p/" * 40 + "c.toml:3"}
    found = probe(page(one(readings=[reading], witness=witness, **long)), tmp_path, 360)
    assert found["over"] == []
    assert found["scroll"] == found["client"]


@needs_browser
def test_in_a_browser_no_text_of_a_claim_runs(tmp_path: Path) -> None:
    evil = page(Audit(Document(EVIL), results=[evil_result()])).replace("alert(", "window.alerted=(")
    assert probe(evil, tmp_path, 360)["alerted"] is False


@needs_browser
def test_printed_every_claim_is_unfolded_without_a_script_too(written: str, tmp_path: Path) -> None:
    plain = re.sub(r"<script>.*?</script>", "", written, flags=re.DOTALL)
    sizes: list[int] = []
    for name, text in (("folded", plain.replace("details::details-content", "details::nothing")), ("printed", plain)):
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
        pdf = tmp_path / f"{name}.pdf"
        in_browser(tmp_path, f"--print-to-pdf={pdf}", (tmp_path / f"{name}.html").as_uri())
        sizes.append(len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes())))
    assert sizes[1] > sizes[0] > 0


def test_loading_and_reporting_as_html_need_no_module_at_import() -> None:
    code = "import sys, verifier.report.html; sys.exit(bool({'numpy', 'sympy'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
