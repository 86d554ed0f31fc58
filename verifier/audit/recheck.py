"""`verifier recheck`: every verdict of a report once more from its JSON, by evaluation alone, without SymPy.

Certificates are checked as texts by exact arithmetic, and held against the kernels at sizes without coincidences, so
that a true identity about something else does not pass. Witnesses are run again. Verdicts must follow from the
readings, and the summary from the verdicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from ..dims import Relation, Scope
from ..dims.expression import parse
from ..errors import ExpressionError, VerifierError
from ..prove.facts import Facts
from ..prove.laws import ASSUMPTIONS, COUNTER_LAWS, STANDARD_LAWS
from ..prove.limits import Growing, limit
from ..prove.recheck import recheck as recheck_certificate
from ..prove.refute import decimal_value
from ..prove.same import same_term
from ..prove.search import models
from ..readings.rank import rank_bounds
from ..terms import as_term
from ..verdict import Stance, Truth, agreement
from . import different
from .arrays import Comparison, compare_on_arrays, failure, undefined
from .claim import Claim, Premise, Reading
from .context import Context
from .exact_run import run_exactly
from .methods import domain, elementwise, measured, rank
from .methods.limit import CLOSE, GROWING, calculated, numbers
from .methods.relation import holds_at
from .methods.same import elements_of

MODELS = 8
"""Sizes at which a proved relation of quantities is evaluated through the kernels."""
CERTIFIED = frozenset({Truth.PROVED, Truth.MEASURED, Truth.BOUNDED})


@dataclass(frozen=True)
class Failure:
    """A verdict that does not follow from what the report says."""

    claim: str
    fact: str

    def __str__(self) -> str:
        return f"{self.claim}: {self.fact}"


def recheck_report(data: Mapping[str, Any]) -> tuple[int, list[Failure]]:
    """How many certificates and witnesses were checked, and everything that is wrong.

    Raises:
        VerifierError: this is no report of `verifier audit --format json`.
    """
    if not isinstance(data.get("claims"), list) or not isinstance(data.get("summary"), Mapping):
        raise VerifierError("this is no report of an audit", remedy="write one with verifier audit --format json")
    checked = 0
    failures: list[Failure] = []
    for entry in data["claims"]:
        name = str(entry.get("id", "?")) if isinstance(entry, Mapping) else "?"
        try:
            for check in _checks(entry):
                checked += 1
                check()
        except VerifierError as error:
            failures.append(Failure(name, str(error)))
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, IndexError) as error:
            failures.append(Failure(name, f"the report is damaged here: {type(error).__name__}: {error}"))
    counts = Counter(str(e.get("truth")) for e in data["claims"] if isinstance(e, Mapping))
    if dict(counts) != dict(data["summary"]):
        failures.append(Failure("summary", f"{dict(data['summary'])} is not {dict(counts)}"))
    return checked, failures


def _checks(entry: Mapping[str, Any]) -> Iterator[Callable[[], None]]:
    """What there is to check of one claim, each as a call that raises where it fails."""
    truth = Truth(entry["truth"])
    yield lambda: _follows(entry, truth)
    if truth in (Truth.NOT_A_CLAIM, Truth.NOT_ENCODED):
        return
    context = Context(_claim(entry))
    for reading in entry["readings"]:
        found = Truth(reading["truth"])
        if found in CERTIFIED:
            yield lambda reading=reading: _certified(reading, context)
        elif found is Truth.REFUTED:
            yield lambda reading=reading: _refuted(reading, reading["witness"], context)
    for premise in entry["declared"]["assume"]:
        if premise[0] not in entry["necessity"]:
            raise VerifierError(f"nothing shows that the assumption {premise[0]!r} is needed")
    for name, witness in entry["necessity"].items():
        yield lambda name=name, witness=witness: _needed(name, witness, entry, context)


def _claim(entry: Mapping[str, Any]) -> Claim:
    declared = entry["declared"]
    return Claim(
        id=entry["id"],
        statement=entry["statement"],
        stance=Stance(entry["stance"]),
        expect=Truth(entry["expected"]),
        sizes=tuple(declared["sizes"]),
        given=tuple(Premise(*p) for p in declared["given"]),
        assume=tuple(Premise(*p) for p in declared["assume"]),
        arrays=dict(declared["arrays"]),
        method=entry["method"],
    )


def _require(condition: object, fact: str) -> None:
    if not condition:
        raise VerifierError(fact)


def _follows(entry: Mapping[str, Any], truth: Truth) -> None:
    """The verdict from its readings, the agreement from the verdict."""
    from .engine import combined

    if truth not in (Truth.NOT_A_CLAIM, Truth.NOT_ENCODED):
        counted = [Truth(r["truth"]) for r in entry["readings"] if not r["printed"]]
        expected = combined(counted, bool(entry["declared"]["assume"]))
        _require(truth is expected, f"the readings make it {expected}, not {truth}")
    if truth not in (Truth.MEASURED, Truth.BOUNDED):
        expected_agreement = agreement(truth, Stance(entry["stance"]))
        _require(
            entry["agreement"] == expected_agreement, f"the document {expected_agreement}, not {entry['agreement']}"
        )
    _require(entry["mutants"]["killed"] == entry["mutants"]["made"], "a mutant survived")


def _certified(reading: Mapping[str, Any], context: Context) -> None:
    certificate = reading["certificate"]
    _require(certificate, f"{reading['truth']} without a certificate")
    check = CHECKS.get(str(certificate["kind"]))
    if check is not None:
        check(certificate, reading, context)
        return
    recheck_certificate(certificate)
    _about_the_premises(certificate, context.scope)
    _about_the_kernels(certificate, reading, context)


def _about_the_premises(certificate: Mapping[str, Any], scope: Scope) -> None:
    """What an order takes from the premises (values, least values, facts) is so wherever they hold."""
    for part in certificate.get("parts", ()):
        _about_the_premises(part, scope)
    if certificate["kind"] != "order":
        return
    for sizes in islice(models(scope), 5 * MODELS):
        if not certificate.get("solved", {}).keys() | certificate["least"].keys() <= sizes.keys():
            continue  # a quotient that the proof named
        for name, value in certificate.get("solved", {}).items():
            _require(parse(value).value(sizes) == sizes[name], f"{name} is not {value} at {sizes}")
        for name, least in certificate["least"].items():
            _require(sizes[name] >= least, f"{name} is less than {least} at {sizes}")
        for text in (certificate["difference"], *(fact for _, fact in certificate["weights"])):
            _require(parse(text).value(sizes) >= 0, f"{text} is negative at {sizes}")


def _about_the_kernels(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> None:
    """The relation itself, evaluated through the kernels; the certificate's two sides must be the relation's."""
    relation_text = reading["relation"]
    for sizes in islice(models(context.scope), MODELS):
        if context.premises and not all(p.relation for p in context.premises):
            _holds_under_laws(relation_text, context)
            return
        relation = context.relation(relation_text, sizes)
        if relation.op == "O":
            continue
        _require(holds_at(relation), f"{relation_text} is false at {sizes}")
        if certificate["kind"] == "identity" and not certificate["defined"] and not isinstance(relation.left, tuple):
            for side in ("left", "right"):
                value = parse(certificate[side]).value(sizes)
                _require(
                    as_term(value).same(as_term(getattr(relation, side))),
                    f"the certificate is about {certificate[side]}, which is {value} at {sizes}",
                )


def _holds_under_laws(text: str, context: Context) -> None:
    for width in (1, 2, 3):
        for law in STANDARD_LAWS:
            sizes = {n: width if n == "d_k" else 1 for n in context.claim.sizes}
            relation = Context(context.claim, law=law).relation(text, sizes)
            _require(holds_at(relation), f"{text} is false under the law `{law.name}` at d_k = {width}")


def _comparison(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> Comparison:
    """The certificate's comparison, which must be the reading's."""
    comparison = Comparison.from_json(certificate)
    if certificate["kind"] != "rank":
        stated = Comparison.of(reading["relation"], context)
        _require(stated.as_json == comparison.as_json, "the certificate is about another relation")
    return comparison


def _same(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> None:
    comparison = _comparison(certificate, reading, context)
    terms, _ = elements_of(comparison)
    _require(str(terms[0]) == certificate["term"], "the normal form is another one")
    _require(same_term(terms[0], terms[1], comparison.scope), "the two sides have different normal forms")
    _require(undefined(comparison) is None, "a divisor may be 0")
    if run_exactly(comparison) is None:
        _require(compare_on_arrays(comparison) is None, "the two sides differ on real arrays")


def _different(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> None:
    different.recheck(certificate, _comparison(certificate, reading, context))


def _positive(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> None:
    comparison = _comparison(certificate, reading, context)
    terms, _ = elements_of(comparison)
    difference = terms[0] - terms[1] if comparison.op in (">=", ">") else terms[1] - terms[0]
    _require(
        str(difference) == certificate["term"] and elementwise.surely(comparison, difference),
        "the difference is not made of positive factors",
    )
    if run_exactly(comparison) is None:
        _require(compare_on_arrays(comparison, elementwise.HOLDS[comparison.op]) is None, "it fails on real arrays")


def _rank(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> None:
    comparison, _ = rank.comparison_of(reading["relation"], context)
    _require(
        comparison.as_json == Comparison.from_json(certificate).as_json, "the certificate is about another relation"
    )
    bounds = [str(b) for b in rank_bounds(comparison.nodes[0])]
    _require(certificate["bound"] in bounds, f"{certificate['bound']} is no bound of the rank")
    recheck_certificate(certificate["order"])


def _limit_of_arrays(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> None:
    comparison = _comparison(certificate, reading, context)
    terms, found = calculated(comparison, certificate["variable"])
    _require(found is not None and same_term(found, terms[1], comparison.scope), "the limit is another one")
    far = [n for n in numbers(comparison, certificate["variable"]) if not n["close"]]
    _require(not far, "real arrays do not come near the limit")


def _limit(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> None:
    relation = context.relation(reading["relation"])
    _require(str(as_term(relation.left)) == certificate["expression"], "the certificate is about another expression")
    found = limit(as_term(relation.left), Growing(certificate["variable"], facts=Facts.of(context.scope)), {})
    _require(found is not None and same_term(found, as_term(relation.right), context.scope), "the limit is another one")
    gaps = [_gap(reading["relation"], certificate["variable"], t, context) for t in GROWING]
    _require(gaps[-1] <= CLOSE and gaps[-1] <= gaps[0], "its values do not come near the limit")


def _gap(text: str, variable: str, value: int, context: Context) -> float:
    """How far the two sides are apart, relative to 1 + |limit|, where the size has this value and all others 2."""
    at = context.relation(text, {**dict.fromkeys(context.sizes, 2), variable: value})
    left, right = (float(decimal_value(as_term(side))) for side in (at.left, at.right))
    return abs(left - right) / (1 + abs(right))


def _domain(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> None:
    again = domain.establish(Reading("", reading["relation"], options=reading["options"]), context)
    _require(again.truth is Truth.PROVED, f"the kernel's paths make it {again.truth}")
    _require(dict(again.certificate or {}) == dict(certificate), "the certificate is about another kernel or condition")
    for sizes in islice(models(context.scope), domain.REPLAYED):
        condition = holds_at(context.relation(reading["relation"], sizes))
        returned = domain.runs(str(certificate["kernel"]), sizes)
        contradicts = {"iff": returned != condition, "only if": returned and not condition}
        _require(not contradicts.get(str(certificate["direction"])), f"the kernel does not keep to it at {sizes}")


def _measured(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> None:
    worst = certificate["worst"]
    row = measured.sample(certificate["kernel"], worst["d_k"], certificate["draws"], certificate["seed"])
    _require(abs(row["measured"] - worst["measured"]) < 1e-6, f"the sample at d_k = {worst['d_k']} is another one")
    _require(abs(worst["errors"]) <= measured.LARGEST, "the worst head size is too far away")


CHECKS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any], Context], None]] = {
    "same": _same,
    "different": _different,
    "positive": _positive,
    "rank": _rank,
    "limit": _limit,
    "limit of arrays": _limit_of_arrays,
    "domain": _domain,
    "measured": _measured,
}


def _needed(name: str, witness: Mapping[str, Any], entry: Mapping[str, Any], context: Context) -> None:
    """The witness of an assumption: with it dropped, a reading that was proved fails there."""
    if "otherwise" in witness:
        other = next(r for r in entry["readings"] if r["name"] == witness["otherwise"])
        _require(other["truth"] == Truth.REFUTED, f"the reading {witness['otherwise']!r} is not refuted")
        return
    if name in ASSUMPTIONS:
        _law_breaks(name, witness, entry, context)
        return
    proved = [r for r in entry["readings"] if Truth(r["truth"]) in CERTIFIED]
    _require(
        any(_refutes(r, witness, context.without([name])) for r in proved),
        f"without {name!r} nothing fails at the witness",
    )


def _law_breaks(name: str, witness: Mapping[str, Any], entry: Mapping[str, Any], context: Context) -> None:
    law = next((law for law in COUNTER_LAWS[name] if law.name == witness["law"]), None)
    _require(law is not None, f"{witness['law']!r} is no law that breaks {name!r} alone")
    sizes = {**dict.fromkeys(context.claim.sizes, 1), **witness["sizes"]}
    broken = Context(context.claim, law=law)
    proved = [r for r in entry["readings"] if Truth(r["truth"]) in CERTIFIED]
    _require(any(not holds_at(broken.relation(r["relation"], sizes)) for r in proved), "the law breaks nothing")


def _refuted(reading: Mapping[str, Any], witness: Mapping[str, Any] | None, context: Context) -> None:
    _require(witness, "REFUTED without a witness")
    _require(witness is not None and _refutes(reading, witness, context), "the witness does not refute the relation")


def _refutes(reading: Mapping[str, Any], witness: Mapping[str, Any], context: Context) -> bool:
    """Whether the relation fails at the witness, by running the kernels there."""
    method = reading["method"]
    if "identity" in witness:
        there = context.at(str(text) for text in witness.get("where", ()))
        identity = witness["identity"]
        if Comparison.of(reading["relation"], there).as_json != Comparison.from_json(identity).as_json:
            return False
        _require(next(models(there.scope), None), f"the premises do not admit {witness.get('where')}")
        _same(identity, reading, there)
        return True
    if method == "domain":
        return _domain_refutes(reading, witness, context)
    if method == "measured":
        experiment = witness["experiment"]
        row = measured.sample("attention_scores", witness["sizes"]["d_k"], experiment["draws"], experiment["seed"])
        return bool(row["measured"] != measured.prediction(reading["relation"], context, witness["sizes"]["d_k"]))
    if "returns" in witness:
        return _does_not_return(reading, witness, context)
    if method == "rank":
        comparison, ranked = rank.comparison_of(reading["relation"], context)
        return rank.fails_on(comparison, ranked, witness["sizes"], witness["arrays"]) is not None
    if method == "limit" and "arrays" in witness:
        return bool(_limit_fails(reading, witness, context))
    if "arrays" in witness:
        return _fails(Comparison.of(reading["relation"], context), witness)
    if "ray" in witness:
        return _ray_grows(reading["relation"], witness, context)
    if "law" in witness:
        law = next(law for law in STANDARD_LAWS if law.name == witness["law"])
        sizes = {**dict.fromkeys(context.claim.sizes, 1), **witness["sizes"]}
        return not holds_at(Context(context.claim, law=law).relation(reading["relation"], sizes))
    if "sizes" not in witness:
        return _always_false(context.relation(reading["relation"]))
    sizes = {**dict.fromkeys(context.claim.sizes, 1), **witness["sizes"]}
    _require(_admitted(sizes, context.scope), f"the sizes {witness['sizes']} break a premise")
    return not holds_at(context.relation(reading["relation"], sizes))


def _fails(comparison: Comparison, witness: Mapping[str, Any]) -> bool:
    _require(_admitted(witness["sizes"], comparison.scope), f"the sizes {witness['sizes']} break a premise")
    holds = elementwise.HOLDS.get(comparison.op)
    inputs = {n: comparison.arrays[n].restored(v) for n, v in witness["arrays"].items()}
    return failure(comparison, witness["sizes"], inputs, holds) is not None


def _admitted(sizes: Mapping[str, int], scope: Scope) -> bool:
    from ..prove.search import true_at

    known = all(type(v) is int and v >= scope.least.get(n, 1) for n, v in sizes.items())
    return known and all(true_at(a.relation, dict(sizes)) for a in scope.assumptions)


def _domain_refutes(reading: Mapping[str, Any], witness: Mapping[str, Any], context: Context) -> bool:
    sizes = {**dict.fromkeys(context.claim.sizes, 1), **witness["sizes"]}
    _require(_admitted(sizes, context.scope), f"the sizes {witness['sizes']} break a premise")
    returned = domain.runs(str(reading["options"]["kernel"]), sizes)
    condition = holds_at(context.relation(reading["relation"], sizes))
    return returned != condition


def _does_not_return(reading: Mapping[str, Any], witness: Mapping[str, Any], context: Context) -> bool:
    """Whether a kernel that the relation asks fails at the witness's sizes: nothing is true of its result there."""
    sizes = {**dict.fromkeys(context.claim.sizes, 1), **witness["sizes"]}
    _require(_admitted(sizes, context.scope), f"the sizes {witness['sizes']} break a premise")
    try:
        context.relation(reading["relation"], sizes)
    except ExpressionError:
        return True
    return False


def _limit_fails(reading: Mapping[str, Any], witness: Mapping[str, Any], context: Context) -> bool:
    comparison = Comparison.of(reading["relation"], context)
    inputs = {n: comparison.arrays[n].restored(v) for n, v in witness["arrays"].items()}
    left, right = comparison.at({**witness["sizes"], reading["options"]["variable"]: GROWING[-1]}, inputs)
    return bool(abs(left - right).max() > CLOSE)


def _ray_grows(text: str, witness: Mapping[str, Any], context: Context) -> bool:
    relation = context.relation(text)
    ratios: list[Any] = []
    for t in witness["t"]:
        sizes = {**dict.fromkeys(context.sizes, 1), **{n: parse(v).value({"t": t}) for n, v in witness["ray"].items()}}
        at = context.relation(text, sizes)
        ratios.append(as_term(at.left).number / as_term(at.right).number)  # pyright: ignore[reportOperatorIssue]
    return relation.op == "O" and all(b >= 2 * a > 0 for a, b in pairwise(ratios))


def _always_false(relation: Relation) -> bool:
    left, right = relation.left, relation.right
    return isinstance(left, tuple) and isinstance(right, tuple) and len(left) != len(right)
