"""The claims that ship: every verdict is reproduced, every certificate checked again, every witness replayed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from verifier.audit.claim import Claim, Result
from verifier.audit.context import Context
from verifier.audit.document import digests, read_document
from verifier.audit.load import load
from verifier.audit.methods.domain import runs
from verifier.audit.methods.relation import decide_relation, holds_at
from verifier.audit.run import Audit, default_claims
from verifier.dims import Scope
from verifier.dims.expression import parse
from verifier.errors import VerifierError
from verifier.prove.laws import COUNTER_LAWS, STANDARD_LAWS
from verifier.prove.recheck import CHECKS, recheck
from verifier.verdict import Truth

CLAIMS = {c.id: c for c in load([default_claims()]).claims}
LAWS = {law.name: law for laws in (*COUNTER_LAWS.values(), STANDARD_LAWS) for law in laws}


def test_files_have_no_mistake(audited: Audit) -> None:
    assert [str(e) for e in audited.errors] == []


def test_every_pinned_verdict_is_reproduced(audited: Audit) -> None:
    assert {r.id: r.truth for r in audited.results} == {c.id: str(c.expect) for c in CLAIMS.values()}
    assert [p for r in audited.results for p in r.problems] == []
    assert audited.exit_status == 0


def test_every_mutant_is_refuted(audited: Audit) -> None:
    for result in audited.results:
        assert result.mutants["made"] == result.mutants["killed"], result.id
        assert result.mutants["made"] or result.truth in (Truth.NOT_A_CLAIM, Truth.NOT_ENCODED), result.id


def test_every_premise_that_the_document_leaves_out_is_needed(audited: Audit) -> None:
    for result in audited.results:
        if result.truth == Truth.PROVED_IF:
            assert result.necessity, result.id
            assert result.witness, result.id


def test_contradictions_name_claims() -> None:
    assert {c for claim in CLAIMS.values() for c in claim.contradicts} <= CLAIMS.keys()


def test_the_page_of_arguable_verdicts_names_those_that_are_established() -> None:
    page = Path(__file__).parents[2] / "docs" / "explanation" / "verdicts.md"
    rows = [line.split("|") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    named = {i.strip(): row[2].split()[0] for row in rows if row[1].strip() != "claim" for i in row[1].split(",")}
    assert len(named) > 30
    assert {i: str(CLAIMS[i].expect) for i in named} == named


def test_every_sentence_is_in_the_document(question_bank: Any) -> None:
    present = digests(read_document(question_bank))
    assert {c.id for c in CLAIMS.values() if c.sentence and c.sentence not in present} == set()
    about_it = [c for c in CLAIMS.values() if "multi_head_attention" in c.place.file]
    assert {c.id for c in about_it if not c.sentence and not c.quote} == set()


def certificates(audited: Audit) -> Iterator[tuple[str, Mapping[str, Any]]]:
    def parts(certificate: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        if certificate["kind"] == "all":
            for part in certificate["parts"]:
                yield from parts(part)
        else:
            yield certificate

    for result in audited.results:
        for reading in result.readings:
            if reading["certificate"] is not None:
                yield from ((result.id, c) for c in parts(reading["certificate"]))


def test_every_certificate_passes_the_second_evaluator(audited: Audit) -> None:
    checked = 0
    for _, certificate in certificates(audited):
        if certificate["kind"] in CHECKS:
            recheck(json.loads(json.dumps(certificate)))
            checked += 1
    assert checked > 40


def proved(text: str, sizes: str, *premises: str) -> Mapping[str, Any]:
    scope = Scope.of(sizes)
    for premise in premises:
        scope = scope.assuming(premise)
    names = {**scope.names}
    verdict = decide_relation(parse(text).value(names), scope)
    assert verdict.truth is Truth.PROVED
    assert verdict.certificate is not None
    return json.loads(json.dumps(dict(verdict.certificate)))


GENUINE: Mapping[str, Mapping[str, Any]] = {
    "identity": proved("2*n*h*d_k == 2*n*d_model", "n h d_k d_model", "h*d_k == d_model"),
    "order": proved("n*m + 1 <= 2*n*m + h", "n m h"),
    "order under a premise": proved("d_k + 1 <= d_model*1 + n - 1", "n d_k d_model", "d_k < d_model"),
    "remainder": proved("6*d_k != 512", "d_k"),
    "premise": proved("n*d_k != m*d_k", "n m d_k", "n != m"),
    "instance": proved("h*h == d_k + 1", "h d_k", "h == 3", "d_k == 8"),
}
TAMPERED: Mapping[str, Mapping[str, Any]] = {
    "identity": {
        "left": "2*n*h*d_k + 1",
        "right": "2*n*d_model + n",
        "denominator": "n - 1",
        "multiplier": "0",
        "cofactors": ["2*n + 1"],
        "relations": [{"source": "", "left": "h*d_k", "right": "n"}],
    },
    "order": {"difference": "n*m + h - 10", "weights": [["-1", "n"]], "least": {"n": -5, "m": 1, "h": 1}},
    "order under a premise": {
        "difference": "d_k*n - d_model*n",
        "weights": [["-1", "d_model - d_k - 1"]],
        "least": {"n": -9, "d_k": -9, "d_model": -9},
    },
    "remainder": {"difference": "6*d_k - 510", "modulus": 2},
    "premise": {"difference": "n*d_k - m*d_k + 1", "never 0": "n - 2*m"},
    "instance": {"op": "!=", "left": "h*h*h", "right": "d_k", "sizes": {"h": 3, "d_k": 9}},
}
"""For every field that a check reads, a change after which the certificate shows nothing."""


@pytest.mark.parametrize("name", GENUINE)
def test_the_samples_pass(name: str) -> None:
    recheck(GENUINE[name])


@pytest.mark.parametrize(("name", "field"), [(k, f) for k, fields in TAMPERED.items() for f in fields])
def test_a_tampered_certificate_is_refused(name: str, field: str) -> None:
    assert field in GENUINE[name]
    with pytest.raises(VerifierError):
        recheck({**GENUINE[name], field: TAMPERED[name][field]})


@pytest.mark.parametrize(("name", "field"), [(k, f) for k, fields in TAMPERED.items() for f in fields])
def test_a_certificate_without_a_field_is_refused(name: str, field: str) -> None:
    with pytest.raises(VerifierError):
        recheck({k: v for k, v in GENUINE[name].items() if k != field})


@pytest.mark.parametrize("certificate", [{}, {"kind": "nonsense"}, {"kind": None}, {"kind": "all", "parts": [{}]}])
def test_an_unknown_certificate_is_refused(certificate: dict[str, Any]) -> None:
    with pytest.raises(VerifierError, match="unknown kind"):
        recheck(certificate)


def test_the_second_evaluator_loads_no_sympy() -> None:
    code = "import sys, verifier.prove.recheck; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def fails_again(claim: Claim, reading: Mapping[str, Any], witness: Mapping[str, Any], dropped: str = "") -> bool:
    """Whether a witness really breaks a reading: kernels are run on real arrays or plain integers."""
    found = next(r for r in claim.readings if r.name == reading["name"])
    context = Context(claim, law=LAWS[witness["law"]] if "law" in witness else None).without([dropped])
    sizes = {**dict.fromkeys(claim.sizes, 1), **witness.get("sizes", {})}
    if "ray" in witness:
        ratios = [Fraction(r) for r in witness["ratio"]]
        return ratios == sorted(ratios) and ratios[-1] > 4 * ratios[0]
    if "returns" in witness:
        name = witness.get("kernel") or found.options["kernel"]
        return runs(name, sizes) == witness["returns"]
    return not holds_at(context.relation(found.relation, sizes))


def test_every_witness_fails_again(audited: Audit) -> None:
    replayed = 0
    for result in audited.results:
        for reading in result.readings:
            if reading["truth"] == Truth.REFUTED and reading["method"] in ("relation", "domain"):
                assert fails_again(CLAIMS[result.id], reading, reading["witness"]), result.id
                replayed += 1
    assert replayed > 8


def test_every_missing_premise_has_a_witness_that_fails(audited: Audit) -> None:
    for result in audited.results:
        proved = [r for r in result.readings if r["truth"] == Truth.PROVED and not r["printed"]]
        if any(r["method"] not in ("relation", "domain") for r in proved):
            continue  # those are replayed by the recheck of whole reports
        for name, witness in result.necessity.items():
            if "otherwise" not in witness:
                assert _breaks_one(result, proved, name, witness), (result.id, name)


def _breaks_one(result: Result, proved: list[dict[str, Any]], name: str, witness: Mapping[str, Any]) -> bool:
    every = [witness, *witness.get("also", ())]
    return all(any(fails_again(CLAIMS[result.id], r, w, name) for r in proved) for w in every)
