"""Judging claims: every reading, every premise left out once, every mutant, and what follows for the document."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any

from ..dims import Relation, Scope
from ..errors import ContradictoryAssumptions, ExpressionError, NeedsConcreteSize, VerifierError
from ..prove.facts import Facts
from ..prove.laws import ASSUMPTIONS, COUNTER_LAWS
from ..prove.search import satisfying
from ..verdict import Agreement, Truth, Verdict, agreement
from .arrays import Comparison, differs_without_coincidences
from .claim import Claim, Reading, Result
from .context import Context
from .exact_run import run_exactly
from .limits import SECONDS, TookTooLong, within
from .methods import find
from .methods.relation import decide_relation, holds_at
from .mutants import array_mutants, mutants_of

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23)
"""Pairwise different sizes for mutants: no coincidence hides a difference there."""
OF_ARRAYS = frozenset({"same", "limit", "elementwise", "rank"})
LAW_WIDTHS = (1, 2, 3)
"""Head sizes at which finite laws are enumerated."""


def judge(claim: Claim, seconds: float = SECONDS) -> Result:
    """The verdict of a claim, with whatever makes it fail as `problems`; UNDECIDED after so much processor time.

    Raises:
        VerifierError: the claim itself is wrong (unknown symbol or kernel, contradictory premises), with its place.
    """
    started = time.perf_counter()
    result = _blank(claim)
    try:
        with within(seconds):
            _judge(claim, result)
    except TookTooLong:
        result = _blank(claim)
        result.reason = f"it took more than {seconds:g} s of processor time"
        result.timed_out = True
    except VerifierError as error:
        raise error.at(claim.place) from None
    result.agreement = str(agreement(Truth(result.truth), claim.stance))
    if Truth(result.truth) in (Truth.MEASURED, Truth.BOUNDED) and result.necessity:
        result.agreement = str(Agreement.OVERSTATES)
    if result.truth != claim.expect:
        result.problems.append(f"the verdict is {result.truth}, pinned is {claim.expect}")
    result.seconds = round(time.perf_counter() - started, 4)
    return result


def _blank(claim: Claim) -> Result:
    return Result(
        id=claim.id,
        section=claim.section,
        item=claim.item,
        statement=claim.statement,
        stance=str(claim.stance),
        truth=str(Truth.UNDECIDED),
        agreement="",
        method=claim.method,
        expected=str(claim.expect),
        note=claim.note,
        contradicts=list(claim.contradicts),
        conflicts=dict(claim.conflicts),
        place=str(claim.place),
        declared=_declared(claim),
    )


def _declared(claim: Claim) -> dict[str, Any]:
    """What the relations of a claim speak of: all that a second evaluator needs besides the relations."""
    return {
        "sizes": list(claim.sizes),
        "arrays": dict(claim.arrays),
        "given": [[p.name, p.relation] for p in claim.given],
        "assume": [[p.name, p.relation] for p in claim.assume],
    }


def _judge(claim: Claim, result: Result) -> None:
    if claim.expect is Truth.NOT_ENCODED:
        result.truth, result.method = str(Truth.NOT_ENCODED), "none"
        return
    context = Context(claim)
    if claim.method == "not_a_claim":
        verdict = find(claim.method).establish(Reading("", ""), context)
        result.truth, result.reason = str(verdict.truth), verdict.reason
        return
    with _located(claim, "given", "assume"):
        result.model = _model(context.scope)
    verdicts = [(reading, _established(claim, reading, context)) for reading in claim.readings]
    result.readings = [
        {
            "name": reading.name,
            "method": reading.method or claim.method,
            "options": dict(reading.options),
            "relation": reading.relation,
            "printed": reading.printed,
            "truth": str(verdict.truth),
            "reason": verdict.reason,
            "witness": verdict.witness,
            "certificate": verdict.certificate,
            "steps": list(verdict.steps),
        }
        for reading, verdict in verdicts
    ]
    counted = [(r, v) for r, v in verdicts if not r.printed]
    _combine(claim, counted, result)
    proved = [r for r, v in counted if v.truth in (Truth.PROVED, Truth.MEASURED, Truth.BOUNDED)]
    if proved:
        _premises_are_needed(claim, context, proved, result)
    _mutants(claim, context, proved, result)


def _established(claim: Claim, reading: Reading, context: Context) -> Verdict:
    """The method's verdict on a reading; what the method refuses is told at the reading's line.

    Raises:
        VerifierError: the reading is wrong, or asks for more than can be computed.
    """
    try:
        return _method(claim, reading).establish(reading, context)
    except VerifierError as error:
        raise error.at(reading.place if reading.place.file else claim.place) from None
    except NeedsConcreteSize as error:
        raise VerifierError(str(error), place=reading.place, remedy="write that size as a number") from None
    except ZeroDivisionError:
        fact = f"{reading.relation} divides by what is 0 at every size"
        raise VerifierError(fact, place=reading.place, remedy="leave the division out") from None
    except (MemoryError, RecursionError, OverflowError):
        fact = f"{reading.relation} is too large to compute"
        raise VerifierError(fact, place=reading.place, remedy="use smaller numbers, or split it") from None


@contextmanager
def _located(claim: Claim, *keys: str) -> Generator[None]:
    """Errors that come from what stands under these keys carry the line of the first that is there."""
    try:
        yield
    except VerifierError as error:
        raise error.at(next((claim.places[k] for k in keys if k in claim.places), claim.place)) from None


def _method(claim: Claim, reading: Reading) -> ModuleType:
    with _located(claim, "method"):
        return find(reading.method or claim.method)


def _model(scope: Scope) -> dict[str, int]:
    """Sizes at which the premises hold.

    Raises:
        ContradictoryAssumptions: there are none among those tried: whatever is said under them is vacuous.
    """
    found = None if Facts.of(scope).contradictory else satisfying(scope)
    if found is None:
        texts = "; ".join(a.text for a in scope.assumptions)
        fact = f"vacuous: no sizes were found that satisfy {texts}"
        raise ContradictoryAssumptions(fact, remedy="drop or correct one of them")
    return found


def combined(truths: Sequence[Truth], conditional: bool) -> Truth:
    """The truth of a statement whose counted readings have these.

    It is undecided where one is; refuted where all are; where some fail it holds under the condition that it is read as
    the others do. An experiment or a bounded check under one reading does not become a proof because another fails.
    """
    good = [t for t in truths if t not in (Truth.REFUTED, Truth.UNDECIDED)]
    if Truth.UNDECIDED in truths:
        return Truth.UNDECIDED
    if not good:
        return Truth.REFUTED
    weakest = next((t for t in good if t is not Truth.PROVED), Truth.PROVED)
    if weakest is Truth.PROVED and (conditional or len(good) < len(truths)):
        return Truth.PROVED_IF
    return weakest


def _combine(claim: Claim, counted: list[tuple[Reading, Verdict]], result: Result) -> None:
    """One verdict of several readings, with the reason, witness and certificate that show it best."""
    truth = combined([v.truth for _, v in counted], bool(claim.assume))
    good = [(r, v) for r, v in counted if v.truth not in (Truth.REFUTED, Truth.UNDECIDED)]
    bad = [(r, v) for r, v in counted if v.truth is Truth.REFUTED]
    telling = {
        Truth.UNDECIDED: [v for _, v in counted if v.truth is Truth.UNDECIDED],
        Truth.REFUTED: [v for _, v in bad],
        Truth.PROVED_IF: [v for _, v in bad] or [v for _, v in good],
    }.get(truth) or [v for _, v in good if v.truth is truth]
    result.truth, result.reason = str(truth), telling[0].reason
    result.witness = None if telling[0].witness is None else dict(telling[0].witness)
    result.assumptions = [p.relation or p.name for p in (*claim.given, *claim.assume)]
    if good and truth is not Truth.UNDECIDED:
        _take(result, good[0][1])
    if good and bad and truth is not Truth.UNDECIDED:
        named = {r.without: _otherwise(r, v) for r, v in reversed(bad) if r.without}
        unnamed = [_otherwise(r, v) for r, v in bad if not r.without]
        if unnamed:
            named.update({f"reading: {r.name}": unnamed[0] for r, _ in good})
        result.assumptions += named
        result.necessity.update(named)


def _otherwise(reading: Reading, verdict: Verdict) -> dict[str, Any]:
    """What happens to the statement under another reading, which leaves a condition out."""
    return {"otherwise": reading.name, **(verdict.witness or {})}


def _take(result: Result, verdict: Verdict) -> None:
    result.certificate = dict(verdict.certificate) if verdict.certificate is not None else None


def _premises_are_needed(claim: Claim, context: Context, proved: list[Reading], result: Result) -> None:
    """Each unstated condition, left out, must make the statement fail at a witness."""
    # What the document itself says of a law is shown to matter too, where exact moments at small sizes can show it.
    exact = all((r.method or claim.method) == "relation" for r in proved)
    stated = [p for p in claim.given if p.name in ASSUMPTIONS] if exact else []
    for premise in (*claim.assume, *stated):
        if premise.name in ASSUMPTIONS:
            witness = _without_law(context, premise.name, proved)
        else:
            weaker = context.without([premise.name])
            verdicts = [_established(claim, reading, weaker) for reading in proved]
            refuted = next((v for v in verdicts if v.truth is Truth.REFUTED), None)
            witness = None if refuted is None else dict(refuted.witness or {"reason": refuted.reason})
        if witness is None:
            result.problems.append(f"the assumption {premise.name!r} is not shown to be needed")
        else:
            result.necessity[premise.name] = witness
            if result.witness is None and premise in claim.assume:
                result.witness = {"without": premise.name, **witness}


def _without_law(context: Context, name: str, proved: list[Reading]) -> dict[str, Any] | None:
    """Finite laws that keep every assumption but one, and what the statement's two sides are under them."""
    found: dict[str, Any] | None = None
    for law in COUNTER_LAWS[name]:
        broken = _first_failure(Context(context.claim, law=law), proved)
        if broken is None:
            continue
        if found is None:
            found = {"law": law.name, **broken}
        else:
            found.setdefault("also", []).append({"law": law.name, **broken})
    return found


def _first_failure(context: Context, readings: Iterable[Reading]) -> dict[str, Any] | None:
    for width in LAW_WIDTHS:
        sizes = {n: width if n == "d_k" else 1 for n in context.claim.sizes}
        for reading in readings:
            relation = context.relation(reading.relation, sizes)
            if not holds_at(relation):
                return {
                    "sizes": {"d_k": width},
                    "left": str(relation.left),
                    "right": str(relation.right),
                    "relation": relation.op,
                }
    return None


def _mutants(claim: Claim, context: Context, proved: list[Reading], result: Result) -> None:
    """The claim's own mutants must be refuted; those made from a proved relation too, unless they say the same."""
    first = claim.readings[0]
    for text in claim.mutants:
        result.mutants["made"] += 1
        place = claim.places.get("mutants", claim.place)
        verdict = _established(claim, replace(first, name="mutant", relation=text, place=place), context)
        if verdict.truth is Truth.REFUTED:
            result.mutants["killed"] += 1
        else:
            result.problems.append(f"the mutant {text} is {verdict.truth}, not refuted")
    for reading in proved:
        method = reading.method or claim.method
        if method in OF_ARRAYS:
            made = [(t, _array_killed(t, reading, claim, context)) for t in _array_mutants(reading, claim)]
        elif method == "relation":
            made = [(t, _killed(t, reading.relation, context)) for t in mutants_of(reading.relation)]
        else:
            continue
        for text, killed in made:
            if killed is None:
                continue
            result.mutants["made"] += 1
            result.mutants["killed"] += killed
            if not killed:
                result.problems.append(f"the mutant {text} is not refuted")


def _array_mutants(reading: Reading, claim: Claim) -> list[str]:
    return array_mutants(reading.relation, claim.arrays, reading.method or claim.method)


def _array_killed(text: str, reading: Reading, claim: Claim, context: Context) -> bool | None:
    """Whether a made mutant of arrays is refuted, without coincidences where it can be run; None where it is none."""
    mutant = replace(reading, relation=text)
    try:
        if (reading.method or claim.method) == "same":
            if differs_without_coincidences(text, context):
                return True
            if run_exactly(Comparison.of(text, context)):
                return None  # one function on random arrays: another form of the statement, no mutant of it
        truth = _established(claim, mutant, context).truth
    except (VerifierError, TypeError, AttributeError):
        return None  # what does not run at these sizes says nothing
    return None if truth is Truth.PROVED else truth is Truth.REFUTED


def _killed(text: str, original: str, context: Context) -> bool | None:
    """Whether a made mutant is refuted at prime sizes; None where it is no relation or says the same."""
    try:
        mutant, relation = context.relation(text), context.relation(original)
    except (ExpressionError, ZeroDivisionError):
        return None  # a changed name or number can leave no relation
    if _same(mutant, relation):
        return None
    verdict = decide_relation(mutant, _at_primes(context.scope))
    if verdict.truth is Truth.REFUTED:
        return True
    general = decide_relation(mutant, context.scope)
    if general.truth is Truth.PROVED:
        return None  # true as well: another form of the statement, no mutant of it
    return general.truth is Truth.REFUTED


def _same(left: Relation, right: Relation) -> bool:
    return str(left) == str(right) or (left.op, str(left.right), str(left.left)) == (
        right.op,
        str(right.left),
        str(right.right),
    )


def _at_primes(scope: Scope) -> Scope:
    """The scope with its free sizes pairwise different primes."""
    facts = Facts.of(scope)
    free = [n for n in scope.least if n not in facts.solved]
    for name, prime in zip(free, PRIMES, strict=False):
        scope = scope.assuming(f"{name} == {prime}")
    return scope
