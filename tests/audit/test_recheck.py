"""Every kind of certificate and witness: a report passes as it is written, and no longer once one field is changed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from verifier.audit.claim import Claim
from verifier.audit.engine import judge
from verifier.audit.load import load
from verifier.audit.recheck import recheck_report
from verifier.audit.run import Audit, default_claims

Entry = dict[str, Any]


def entry(audited: Audit, claim: str) -> Entry:
    found = next(r for r in audited.results if r.id == claim)
    return json.loads(json.dumps(found.as_json))


def failures(*entries: Entry) -> list[str]:
    summary: dict[str, int] = {}
    for e in entries:
        summary[e["truth"]] = summary.get(e["truth"], 0) + 1
    return [str(f) for f in recheck_report({"claims": list(entries), "summary": summary}).failures]


def parts(certificate: Mapping[str, Any]) -> Iterator[Any]:
    yield certificate
    for part in certificate.get("parts", ()):
        yield from parts(part)


def first(entry: Entry, kind: str) -> tuple[Entry, Entry]:
    """The first reading with a certificate of this kind, and the certificate."""
    for reading in entry["readings"]:
        for certificate in parts(reading["certificate"] or {}):
            if certificate.get("kind") == kind:
                return reading, certificate
    raise AssertionError(f"{entry['id']} has no certificate of the kind {kind}")


def put(field: str, value: Any) -> Callable[[Entry, Entry], None]:
    """One field of the certificate, by its path."""

    def change(_: Entry, certificate: Entry) -> None:
        at: Any = certificate
        *way, last = [int(p) if p.isdigit() else p for p in field.split(".")]
        for step in way:
            at = at[step]
        assert at[last] != value
        at[last] = value

    return change


def both(old: str, new: str, **fields: Any) -> Callable[[Entry, Entry], None]:
    """The reading's relation and the certificate changed alike, so that only the statement itself is wrong."""

    def change(reading: Entry, certificate: Entry) -> None:
        assert old in reading["relation"]
        reading["relation"] = reading["relation"].replace(old, new)
        assert all(certificate[n] != v for n, v in fields.items())
        certificate.update(fields)

    return change


def doubled(_: Entry, certificate: Entry) -> None:
    certificate["term"] = f"2*({certificate['term']})"


SOFTMAX = "exp(scores[o₁, o₂])*sum[i₁<m](exp(scores[o₁, i₁]))**(-1)"
TAMPERED: list[tuple[str, str, str, Callable[[Entry, Entry], None]]] = [
    ("same", "F1.1", "a coefficient of the term", doubled),
    ("same", "F1.1", "another size", put("sizes.n", 2)),
    ("same", "F1.1", "an assumption more", put("assumptions", ["h == 1"])),
    ("same", "F1.1", "the relation's sign", put("op", "!=")),
    ("same", "S4", "the statement", both("== 1", "== 2", right="2", term="2")),
    ("same", "E3.b", "a place of the term", put("term", "1 + 0*o₁ + o₁")),
    ("same", "TF4.a", "an axis of the term", put("term", "heads[o₁, o₃, o₂]")),
    ("different", "TF4.b", "arrays that agree", put("inputs.other", "ones(h, n, d_v)")),
    ("different", "TF4.b", "an element", put("elements.0", "2*h*d_v")),
    ("different", "TF4.b", "the order", put("order.difference", "h*d_v - 3*d_v")),
    ("positive", "E3.b", "a term that may be negative", put("term", f"{SOFTMAX} - 1")),
    ("positive", "E3.b", "the statement", both(">= 0", ">= 1", right="1", term=f"{SOFTMAX} - 1")),
    ("rank", "X2.b", "the bound", put("bound", "d_k - 1")),
    ("rank", "X2.b", "a bound that is too large", put("bound", "d_k + 1")),
    ("rank", "X2.b", "the statement", both("<= 1", "<= 0", right="0")),
    ("rank", "X2.b", "the order", put("order.right", "0")),
    ("limit of arrays", "TF7.b", "the limit", put("limit", "1")),
    ("limit of arrays", "TF7.b", "a coefficient", put("term", "(n + exp(g)**(-1))**(-1)*exp(g)**(-1)")),
    ("limit of arrays", "TF7.b", "the size that grows", put("variable", "n")),
    ("limit of arrays", "TF7.b", "the statement", both("== 0", "== 1", right="1", limit="1")),
    ("limit", "W2.e", "the limit", put("limit", "1")),
    ("limit", "W2.e", "the expression", put("expression", "d_k**(-1)")),
    ("domain", "D7", "the kernel", put("kernel", "concatenate_heads")),
    ("domain", "D7", "the direction", put("direction", "only if")),
    ("domain", "D7", "never run", put("replayed", 0)),
    ("domain", "D7", "the statement", both("== 0", "== 1", condition="d_model % h == 1")),
    ("measured", "F2.1", "the seed", put("seed", 7)),
    ("measured", "F2.1", "the measurement", put("worst.measured", 8.5)),
    ("measured", "F2.1", "its distance", put("worst.errors", 0.5)),
    ("all", "D2", "a side", put("parts.1.left", "m + 1")),
    ("all", "D2", "a cofactor", put("parts.1.cofactors.0", "2")),
    ("all", "D2", "a premise that is none", put("parts.1.relations.0.source", "n == m + 1")),
    ("all", "D2", "what the premise says", put("parts.1.relations.0.left", "2*m")),
    ("order", "TF1.a", "the difference", put("difference", "n**2*d_k - 2*n**2")),
    ("order", "TF1.a", "a solved size", put("solved.m", "n + 1")),
    ("order", "TF1.a", "a least value", put("least.d_k", 2)),
    ("order", "TF3.b", "a least value that a premise gives", put("least.h", 3)),
    ("order", "TF3.b", "a fact from nowhere", put("weights", [["1", "d_k - 3"]])),
    ("remainder", "E1.b", "the modulus", put("modulus", 512)),
    ("remainder", "E1.b", "a solved size", put("solved", {"d_v": "h"})),
    ("instance", "F2.4", "a side", put("right", "2")),
    ("premise", "X5.c", "what is never 0", put("never 0", "m - n - 1")),
]


@pytest.mark.parametrize(("kind", "claim"), sorted({(k, c) for k, c, _, _ in TAMPERED}))
def test_the_samples_pass(audited: Audit, kind: str, claim: str) -> None:
    whole = entry(audited, claim)
    first(whole, kind)
    assert failures(whole) == []


@pytest.mark.parametrize(("kind", "claim", "what", "change"), TAMPERED, ids=lambda v: v if isinstance(v, str) else "")
def test_a_tampered_certificate_fails(
    audited: Audit, kind: str, claim: str, what: str, change: Callable[[Entry, Entry], None]
) -> None:
    whole = entry(audited, claim)
    change(*first(whole, kind))
    assert failures(whole), what


def test_a_tampered_verdict_fails(audited: Audit) -> None:
    for claim, truth in (("F1.1", "REFUTED"), ("TF1.s", "PROVED"), ("TF3.b", "PROVED")):
        whole = entry(audited, claim)
        for changed in (whole, *whole["readings"]):
            before, changed["truth"] = changed["truth"], truth
            assert failures(whole) or before == truth
            changed["truth"] = before
        for key, value in (("agreement", "NONE"), ("mutants", {"made": 2, "killed": 1}), ("necessity", {})):
            if whole[key]:
                assert failures({**whole, key: value}) or (key == "necessity" and not whole["declared"]["assume"])


def test_a_tampered_witness_fails(audited: Audit) -> None:
    whole = entry(audited, "TF1.s")
    witness = next(r for r in whole["readings"] if r["truth"] == "REFUTED")["witness"]
    witness["sizes"] = dict.fromkeys(witness["sizes"], 1)
    assert failures(whole)


def test_the_normal_form_has_no_part_in_it(audited: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    """What proves identities, limits and signs is taken away: the second evaluator does not notice.

    Moments under a law are read off the graph by both; the recheck enumerates finite laws besides.
    """
    from verifier.graph.primitive import element_term
    from verifier.prove.limits import limit
    from verifier.prove.nonzero import above_zero, never_zero
    from verifier.prove.same import same_term
    from verifier.readings.rank import rank_bounds

    def gone(*_: Any, **__: Any) -> Any:
        raise AssertionError("the second evaluator asked the first")

    claims = ("F1.1", "TF4.b", "E3.b", "X2.b", "TF7.b", "E7.a", "W6.b", "D7")
    entries = [entry(audited, c) for c in claims]
    for target in (element_term, limit, above_zero, never_zero, same_term, rank_bounds):
        for name, module in list(sys.modules.items()):
            if name.startswith("verifier."):
                for attribute, value in list(vars(module).items()):
                    if value is target:
                        monkeypatch.setattr(module, attribute, gone)
    assert failures(*entries) == []


def test_it_does_without_sympy(audited: Audit, tmp_path: Path) -> None:
    entries = [entry(audited, c) for c in ("F1.1", "D2", "TF1.a", "D7", "W2.a", "TF1.s")]
    summary = {t: sum(e["truth"] == t for e in entries) for t in {e["truth"] for e in entries}}
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"claims": entries, "summary": summary}), encoding="utf-8")
    code = (
        "import json, sys; from verifier.audit.recheck import recheck_report;"
        "found = recheck_report(json.load(open(sys.argv[1])));"
        "sys.exit(bool(found.failures) or 'sympy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(report)], check=False).returncode == 0


def test_it_says_what_it_has_shown(audited: Audit) -> None:
    found = recheck_report({"claims": [entry(audited, "F1.1")], "summary": {"PROVED": 1}})
    assert any("modulo a random prime" in shown for shown in found.shown)
    assert sum(found.shown.values()) == found.checked


def test_identities_of_the_shipped_file_are_run_without_rounding() -> None:
    """Masks, inverses and roots of sizes too."""
    claims: list[Claim] = load([default_claims().parent / "identities"]).claims
    entries = [json.loads(json.dumps(judge(c).as_json)) for c in claims]
    summary: dict[str, int] = {}
    for e in entries:
        summary[e["truth"]] = summary.get(e["truth"], 0) + 1
    found = recheck_report({"claims": entries, "summary": summary})
    assert found.failures == []
    assert sum(count for shown, count in found.shown.items() if "prime" in shown) >= 9


@pytest.mark.parametrize(
    "dropped", ["zero means", "unit variances", "query and key independent", "coordinates independent"]
)
def test_a_law_without_one_of_its_assumptions_fails(audited: Audit, dropped: str) -> None:
    whole = entry(audited, "W2.a")
    for key in ("given", "assume"):
        whole["declared"][key] = [p for p in whole["declared"][key] if p[0] != dropped]
    whole["assumptions"] = [a for a in whole["assumptions"] if a != dropped]
    whole["necessity"].pop(dropped, None)
    assert any(dropped in text for text in failures(whole))


def test_assumptions_shown_are_those_that_were_checked(audited: Audit) -> None:
    whole = entry(audited, "W2.a")
    whole["assumptions"] = whole["assumptions"][:-1]
    assert failures(whole)
    conditional = entry(audited, "W6.b")
    assert failures({**conditional, "necessity": {}})
