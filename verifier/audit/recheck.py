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
from typing import Any, NamedTuple

from ..dims import Relation, Scope, identical, symbol
from ..dims.dim import floors_of
from ..dims.expression import parse
from ..errors import ExpressionError, VerifierError
from ..prove.derive import check_premises, check_solved
from ..prove.laws import ASSUMPTIONS, COUNTER_LAWS, STANDARD_LAWS
from ..prove.recheck import recheck as recheck_certificate
from ..prove.search import models
from ..terms import as_term
from ..verdict import Stance, Truth, agreement
from .arrays import Comparison
from .claim import Claim, Premise
from .context import Context
from .methods import domain, measured, rank
from .methods.limit import CLOSE, GROWING
from .methods.relation import holds_at
from .recheck_arrays import CHECKS, admitted, fails, require

MODELS = 8
"""Sizes at which a proved relation of quantities is evaluated through the kernels."""
WITNESS = "a witness, on which the kernels were run"
CERTIFIED = frozenset({Truth.PROVED, Truth.MEASURED, Truth.BOUNDED})


@dataclass(frozen=True)
class Failure:
    """A verdict that does not follow from what the report says."""

    claim: str
    fact: str

    def __str__(self) -> str:
        return f"{self.claim}: {self.fact}"


class Rechecked(NamedTuple):
    """How many certificates and witnesses were checked, everything that is wrong, and what the rest rests on."""

    checked: int
    failures: list[Failure]
    shown: Mapping[str, int]


def recheck_report(data: Mapping[str, Any]) -> Rechecked:
    """Checks every verdict of a report.

    Raises:
        VerifierError: this is no report of `verifier audit --format json`.
    """
    if not isinstance(data.get("claims"), list) or not isinstance(data.get("summary"), Mapping):
        raise VerifierError("this is no report of an audit", remedy="write one with verifier audit --format json")
    checked = 0
    shown: Counter[str] = Counter()
    failures: list[Failure] = []
    for entry in data["claims"]:
        name = str(entry.get("id", "?")) if isinstance(entry, Mapping) else "?"
        try:
            for check in _checks(entry):
                checked += 1
                shown[check()] += 1
        except VerifierError as error:
            failures.append(Failure(name, str(error)))
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, IndexError) as error:
            failures.append(Failure(name, f"the report is damaged here: {type(error).__name__}: {error}"))
    counts = Counter(str(e.get("truth")) for e in data["claims"] if isinstance(e, Mapping))
    if dict(counts) != dict(data["summary"]):
        failures.append(Failure("summary", f"{dict(data['summary'])} is not {dict(counts)}"))
    return Rechecked(checked, failures, dict(shown.most_common()))


def _checks(entry: Mapping[str, Any]) -> Iterator[Callable[[], str]]:
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


def _follows(entry: Mapping[str, Any], truth: Truth) -> str:
    """The verdict from its readings, the agreement from the verdict."""
    from .engine import combined

    unread = truth is Truth.UNDECIDED and not entry["readings"]  # its time was over
    if not unread and truth not in (Truth.NOT_A_CLAIM, Truth.NOT_ENCODED):
        counted = [Truth(r["truth"]) for r in entry["readings"] if not r["printed"]]
        expected = combined(counted, bool(entry["declared"]["assume"]))
        require(truth is expected, f"the readings make it {expected}, not {truth}")
    if truth not in (Truth.MEASURED, Truth.BOUNDED):
        expected_agreement = agreement(truth, Stance(entry["stance"]))
        require(
            entry["agreement"] == expected_agreement, f"the document {expected_agreement}, not {entry['agreement']}"
        )
    stated = [p[1] or p[0] for key in ("given", "assume") for p in entry["declared"].get(key, ())]
    if truth not in (Truth.NOT_A_CLAIM, Truth.NOT_ENCODED) and not unread:
        shown = entry["assumptions"][: len(stated)]
        require(shown == stated, f"the assumptions shown, {shown}, are not those declared, {stated}")
    extra = entry["assumptions"][len(stated) :]
    without = [name for name in extra if name not in entry["necessity"]]
    require(not without, f"nothing shows that {', '.join(map(str, without))} is needed")
    require(entry["mutants"]["killed"] == entry["mutants"]["made"], "a mutant survived")
    return "a verdict that follows from its readings"


def _certified(reading: Mapping[str, Any], context: Context) -> str:
    """Checks a certificate; in words, what that has shown."""
    certificate = reading["certificate"]
    require(certificate, f"{reading['truth']} without a certificate")
    check = CHECKS.get(str(certificate["kind"]))
    if check is not None:
        return check(certificate, reading, context)
    recheck_certificate(certificate)
    _about_the_premises(certificate, context.scope)
    _about_the_kernels(certificate, reading, context)
    return "a proof, its steps checked in exact integers"


def _about_the_premises(certificate: Mapping[str, Any], scope: Scope) -> None:
    """What a certificate takes from the premises follows from them."""
    for part in certificate.get("parts", ()):
        _about_the_premises(part, scope)
    if certificate["kind"] == "identity":
        for relation in certificate["relations"]:
            _is_premise(relation, certificate["defined"], scope)
    elif certificate["kind"] == "order":
        if any(floors_of(s) for a in scope.assumptions for s in (a.relation.left, a.relation.right)):
            _at_models(certificate, scope)  # quotients that the proof named are not derived again
        else:
            check_premises(certificate, scope)
    elif certificate["kind"] == "remainder":
        check_solved(certificate["solved"], scope)
    elif certificate["kind"] in ("premise", "contradiction"):
        never = parse(certificate["never 0"])
        for sizes in islice(models(scope), 5 * MODELS):
            require(never.value(sizes) != 0, f"{certificate['never 0']} is 0 at {sizes}")


def _at_models(certificate: Mapping[str, Any], scope: Scope) -> None:
    for sizes in islice(models(scope), 5 * MODELS):
        if not certificate["solved"].keys() | certificate["least"].keys() <= sizes.keys():
            continue
        for name, value in certificate["solved"].items():
            require(parse(value).value(sizes) == sizes[name], f"{name} is not {value} at {sizes}")
        for name, least in certificate["least"].items():
            require(sizes[name] >= least, f"{name} is less than {least} at {sizes}")
        for text in (certificate["difference"], *(fact for _, fact in certificate["weights"])):
            require(parse(text).value(sizes) >= 0, f"{text} is negative at {sizes}")


def _is_premise(relation: Mapping[str, str], defined: Mapping[str, str], scope: Scope) -> None:
    """An equation that an identity uses is a premise, or says what a root is."""
    name = relation["source"].removesuffix(" is a root")
    if name in defined:
        base, _, order = defined[name].rpartition("**")
        stated = relation["left"], f"({relation['right']})", f"(1/{relation['left'].removeprefix(name + '**')})"
        require(stated == (f"{name}**{order[3:-1]}", base, order), f"{relation} does not say what {name} is")
        return
    known = [a.relation for a in scope.assumptions if a.text == relation["source"] and a.relation.op == "=="]
    require(known, f"{relation['source']} is no premise")
    left, right = parse(relation["left"]), parse(relation["right"])
    quotients = {n: parse(text) for n, text in defined.items() if "//" in text}
    names = {n: symbol(n) for n in (*scope.least, *left.names, *right.names)}
    values = {**names, **{n: q.value(names) for n, q in quotients.items()}}
    told = left.value(values) - right.value(values)
    stated = known[0].left - known[0].right
    same = any(identical(told, sign * stated) for sign in (1, -1))
    require(same, f"{relation['left']} = {relation['right']} is not the premise {relation['source']}")


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
        require(holds_at(relation), f"{relation_text} is false at {sizes}")
        if certificate["kind"] == "identity" and not certificate["defined"] and not isinstance(relation.left, tuple):
            for side in ("left", "right"):
                value = parse(certificate[side]).value(sizes)
                require(
                    as_term(value).same(as_term(getattr(relation, side))),
                    f"the certificate is about {certificate[side]}, which is {value} at {sizes}",
                )


def _holds_under_laws(text: str, context: Context) -> None:
    """Under every law that keeps all assumptions, which must all be named; one left out is a law that breaks it."""
    missing = [name for name in ASSUMPTIONS if name not in {p.name for p in context.premises}]
    require(not missing, f"{text} needs a law: nothing says {', '.join(missing)}")
    for width in (1, 2, 3):
        for law in STANDARD_LAWS:
            sizes = {n: width if n == "d_k" else 1 for n in context.claim.sizes}
            relation = Context(context.claim, law=law).relation(text, sizes)
            require(holds_at(relation), f"{text} is false under the law `{law.name}` at d_k = {width}")


def _needed(name: str, witness: Mapping[str, Any], entry: Mapping[str, Any], context: Context) -> str:
    """The witness of an assumption: with it dropped, a reading that was proved fails there."""
    premises = {p[0] for key in ("given", "assume") for p in entry["declared"][key]}
    if "otherwise" in witness and name not in premises:
        other = next(r for r in entry["readings"] if r["name"] == witness["otherwise"])
        require(other["truth"] == Truth.REFUTED, f"the reading {witness['otherwise']!r} is not refuted")
        return "another reading that is refuted"
    if name in ASSUMPTIONS:
        _law_breaks(name, witness, entry, context)
        return "a law under which the statement fails, its moments exactly"
    proved = [r for r in entry["readings"] if Truth(r["truth"]) in CERTIFIED]
    weaker = context.without([name])
    require(any(_refutes(r, witness, weaker) for r in proved), f"without {name!r} nothing fails at the witness")
    return WITNESS


def _law_breaks(name: str, witness: Mapping[str, Any], entry: Mapping[str, Any], context: Context) -> None:
    law = next((law for law in COUNTER_LAWS[name] if law.name == witness["law"]), None)
    require(law is not None, f"{witness['law']!r} is no law that breaks {name!r} alone")
    sizes = {**dict.fromkeys(context.claim.sizes, 1), **witness["sizes"]}
    broken = Context(context.claim, law=law)
    proved = [r for r in entry["readings"] if Truth(r["truth"]) in CERTIFIED]
    require(any(not holds_at(broken.relation(r["relation"], sizes)) for r in proved), "the law breaks nothing")


def _refuted(reading: Mapping[str, Any], witness: Mapping[str, Any] | None, context: Context) -> str:
    require(witness, "REFUTED without a witness")
    require(witness is not None and _refutes(reading, witness, context), "the witness does not refute the relation")
    return WITNESS


def _refutes(reading: Mapping[str, Any], witness: Mapping[str, Any], context: Context) -> bool:
    """Whether the relation fails at the witness, by running the kernels there."""
    method = reading["method"]
    if "identity" in witness:
        there = context.at(str(text) for text in witness.get("where", ()))
        identity = witness["identity"]
        if Comparison.of(reading["relation"], there).as_json != Comparison.from_json(identity).as_json:
            return False
        require(next(models(there.scope), None), f"the premises do not admit {witness.get('where')}")
        CHECKS["same"](identity, reading, there)
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
        return fails(Comparison.of(reading["relation"], context), witness)
    if "ray" in witness:
        return _ray_grows(reading["relation"], witness, context)
    if "law" in witness:
        law = next(law for law in STANDARD_LAWS if law.name == witness["law"])
        sizes = {**dict.fromkeys(context.claim.sizes, 1), **witness["sizes"]}
        return not holds_at(Context(context.claim, law=law).relation(reading["relation"], sizes))
    if "sizes" not in witness:
        return _always_false(context.relation(reading["relation"]))
    sizes = {**dict.fromkeys(context.claim.sizes, 1), **witness["sizes"]}
    require(admitted(sizes, context.scope), f"the sizes {witness['sizes']} break a premise")
    return not holds_at(context.relation(reading["relation"], sizes))


def _domain_refutes(reading: Mapping[str, Any], witness: Mapping[str, Any], context: Context) -> bool:
    sizes = {**dict.fromkeys(context.claim.sizes, 1), **witness["sizes"]}
    require(admitted(sizes, context.scope), f"the sizes {witness['sizes']} break a premise")
    returned = domain.runs(str(reading["options"]["kernel"]), sizes)
    condition = holds_at(context.relation(reading["relation"], sizes))
    return returned != condition


def _does_not_return(reading: Mapping[str, Any], witness: Mapping[str, Any], context: Context) -> bool:
    """Whether a kernel that the relation asks fails at the witness's sizes: nothing is true of its result there."""
    sizes = {**dict.fromkeys(context.claim.sizes, 1), **witness["sizes"]}
    require(admitted(sizes, context.scope), f"the sizes {witness['sizes']} break a premise")
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
