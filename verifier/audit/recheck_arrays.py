"""Certificates about arrays and kernels, checked by running the kernels: the normal form has no part in it.

Each check raises where the certificate fails, and else says in words what it has shown: a proof's own steps, or runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from operator import eq
from typing import Any

import numpy as np

from ..dims import Scope
from ..dims.expression import parse
from ..errors import VerifierError
from ..prove.exact import Exact, Inexact
from ..prove.recheck import recheck
from ..prove.refute import decimal_value
from ..prove.residue import field
from ..prove.search import models, true_at
from ..prove.term_text import TermText
from ..terms import as_term
from . import different
from .arrays import Comparison, compare_on_arrays, failure
from .context import Context
from .exact_run import matches, rank_exceeds, run_exactly, sides
from .methods import domain, elementwise, measured, rank
from .methods.limit import CLOSE, GROWING, numbers
from .methods.relation import holds_at

DOMAIN = 150
"""Sizes at which a kernel is run on real arrays."""
FAMILY = 12
"""Sizes at which two functions that differ at all sizes are run."""
ON_FLOATS = "run on floats at several sizes, equal up to rounding"


def require(condition: object, message: str) -> None:
    """Fails where the condition does not hold."""
    if not condition:
        raise VerifierError(message)


def comparison_of(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> Comparison:
    """The certificate's comparison, which must be the reading's."""
    comparison = Comparison.from_json(certificate)
    stated = Comparison.of(reading["relation"], context)
    require(stated.as_json == comparison.as_json, "the certificate is about another relation")
    return comparison


def same(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> str:
    """Both sides and the term that both are said to be agree, at random arrays."""
    comparison = comparison_of(certificate, reading, context)
    replay = run_exactly(comparison, str(certificate["term"]))
    if replay is not None:
        return replay.shows
    require(compare_on_arrays(comparison) is None, "the two sides differ on real arrays")
    return ON_FLOATS


def differ(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> str:
    """At the inputs that the certificate writes down the first elements are what it says, and never equal."""
    comparison = comparison_of(certificate, reading, context)
    family = different.Family.of(comparison, certificate["inputs"])
    order = certificate["order"]
    recheck(order)
    ordered = order.get("relation", order)
    sides_of_order = [TermText(str(ordered[s])) for s in ("left", "right") if s in ordered]
    told = [TermText(str(text)) for text in certificate["elements"]]
    done = 0
    for sizes in islice(models(comparison.scope), FAMILY):
        try:
            found = [Exact.of(a[(0,) * a.ndim]) for a in sides(family.comparison, sizes, {}, Exact.of)]
        except (Inexact, TypeError):
            continue
        stated = [text.at(sizes, (), Exact.of) for text in told]
        require(all(a == b for a, b in zip(found, stated, strict=True)), f"the elements are {found} at {sizes}")
        require(found[0] != found[1], f"the elements are equal at {sizes}")
        proved = [text.at(sizes, (), Exact.of) for text in sides_of_order]
        require(all(map(eq, found, proved)), f"the order is one of other elements at {sizes}")
        done += 1
    require(done, "no element was computed")
    return "a difference run in exact arithmetic at several sizes, its order a proof checked in exact integers"


def positive(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> str:
    """The difference of the two sides is the term, which is made of what is never negative."""
    comparison = comparison_of(certificate, reading, context)
    replay = run_exactly(comparison, str(certificate["term"]))
    if replay is None:
        holds = compare_on_arrays(comparison, elementwise.HOLDS[comparison.op])
        require(holds is None, "it fails on real arrays")
        return ON_FLOATS
    if comparison.op in (">=", "<="):
        require(TermText(certificate["term"]).positive(), f"{certificate['term']} may be negative")
    return replay.shows


def ranks(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> str:
    """The bound is no more than what is stated, and no matrix that is tried has a higher rank than either."""
    stated, ranked = rank.comparison_of(reading["relation"], context)
    comparison = Comparison.from_json(certificate)
    require(comparison.as_json == stated.as_json and ranked == (True, False), "it is about another relation")
    order = certificate["order"]
    recheck(order)
    bound = parse(str(certificate["bound"]))
    for sizes in islice(models(comparison.scope), DOMAIN):
        limit = comparison.right.value(sizes)
        require(bound.value(sizes) <= limit, f"{certificate['bound']} is more than {limit} at {sizes}")
    tried = 0
    for right in (comparison.right, bound):
        exceeded, done = rank_exceeds(
            Comparison(comparison.op, comparison.left, right, comparison.arrays, comparison.scope)
        )
        require(exceeded is None, f"the rank is more than {right.text} at {exceeded}")
        tried += done
    require(tried, "no rank was computed")
    return "ranks computed modulo a random prime at several sizes, and the order of the bounds checked"


def limit_of_arrays(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> str:
    """The left side is the term at numbers, the right side is the limit, and real arrays come near it."""
    comparison = comparison_of(certificate, reading, context)
    require(certificate["variable"] == reading["options"]["variable"], "another size grows")
    _elements(comparison, str(certificate["term"]), str(certificate["limit"]))
    tried = numbers(comparison, certificate["variable"])
    require(tried and all(n["close"] for n in tried), "real arrays do not come near the limit")
    return f"the terms run without rounding, the limit approached on floats up to {GROWING[-1]}"


def _elements(comparison: Comparison, *texts: str) -> None:
    """Elements of the two sides are what these terms say, at drawn arrays without rounding."""
    done = 0
    for sizes, inputs in islice(comparison.drawn(small=6), 8):
        values = {n: field_array(a) for n, a in inputs.items()}
        try:
            for text, array in zip(texts, sides(comparison, sizes, values, field().of), strict=True):
                told = matches(TermText(text), array, {**sizes, **values}, field().of)
                require(told, f"the term {text[:60]} is no element at {sizes}")
        except (Inexact, TypeError):
            continue
        done += 1
    require(done, "the terms could not be evaluated")


def field_array(array: np.ndarray) -> np.ndarray:
    """The same numbers as residues; truth values and places as they are."""
    if array.dtype.kind != "f":
        return array
    made = np.empty(array.shape, object)
    for place, value in np.ndenumerate(array):
        made[place] = field().of(value)
    return made


def limit(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> str:
    """The expression has the left side's values, which come near the right side's."""
    variable, expression = certificate["variable"], TermText(certificate["expression"])
    require(variable == reading["options"].get("variable", variable), "another size grows")
    at_two = dict.fromkeys(context.sizes, 2)
    gaps: list[float] = []
    for t in GROWING:
        sizes = {**at_two, variable: t}
        relation = context.relation(reading["relation"], sizes)
        left, right = (float(decimal_value(as_term(side))) for side in (relation.left, relation.right))
        told = float(expression.at(sizes, (), Exact.of))
        require(abs(told - left) <= 1e-12 * (1 + abs(left)), "the certificate is about another expression")
        stated = float(TermText(certificate["limit"]).at(sizes, (), Exact.of))
        require(abs(stated - right) <= 1e-12 * (1 + abs(right)), "the limit is another one")
        gaps.append(abs(left - right) / (1 + abs(right)))
    require(gaps[-1] <= CLOSE and gaps[-1] <= gaps[0], "its values do not come near the limit")
    return f"values that come near the limit up to {GROWING[-1]}"


def domains(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> str:
    """The kernel returns and fails on real arrays as the condition says."""
    name, direction = reading["options"]["kernel"], reading["options"].get("direction", "iff")
    told = certificate["kernel"], certificate["direction"], certificate["condition"], certificate["sizes"]
    stated = name, direction, reading["relation"], list(context.claim.sizes)
    require(told == stated, "the certificate is about another kernel or condition")
    replayed = certificate["replayed"]
    require(type(replayed) is int and 0 < replayed <= domain.REPLAYED, "it was not run")
    for sizes in islice(models(context.scope), DOMAIN):
        condition, returned = holds_at(context.relation(reading["relation"], sizes)), domain.runs(name, sizes)
        wrong = {"iff": returned != condition, "only if": returned and not condition, "if": condition and not returned}
        require(not wrong[direction], f"{name} does not keep to it at {sizes}")
    return f"the kernel run at up to {DOMAIN} sizes"


def sampled(certificate: Mapping[str, Any], reading: Mapping[str, Any], context: Context) -> str:
    """The experiment's worst case comes out again."""
    worst = certificate["worst"]
    stated = {"draws": measured.DRAWS, "seed": measured.SEED, "kernel": "attention_scores", **reading["options"]}
    told = {name: certificate[name] for name in ("draws", "seed", "kernel")}
    require(all(stated[n] == v for n, v in told.items()), "the certificate is about another experiment")
    predicted = measured.prediction(reading["relation"], context, worst["d_k"])
    errors = (worst["measured"] - predicted) / worst["standard error"]
    require(abs(errors - worst["errors"]) < 1e-3, f"the worst is {errors:.4g} standard errors away")
    row = measured.sample(certificate["kernel"], worst["d_k"], certificate["draws"], certificate["seed"])
    require(abs(row["measured"] - worst["measured"]) < 1e-6, f"the sample at d_k = {worst['d_k']} is another one")
    require(abs(row["standard error"] - worst["standard error"]) < 1e-6, "the standard error is another one")
    require(abs(worst["errors"]) <= measured.LARGEST, "the worst head size is too far away")
    return "the experiment repeated from its seed"


def fails(comparison: Comparison, told: Mapping[str, Any]) -> bool:
    """Whether the relation fails on the arrays of a witness."""
    require(admitted(told["sizes"], comparison.scope), f"the sizes {told['sizes']} break a premise")
    inputs = {n: comparison.arrays[n].restored(v) for n, v in told["arrays"].items()}
    return failure(comparison, told["sizes"], inputs, elementwise.HOLDS.get(comparison.op)) is not None


def admitted(sizes: Mapping[str, int], scope: Scope) -> bool:
    """Whether the sizes are such, and satisfy the premises."""
    known = all(type(v) is int and v >= scope.least.get(n, 1) for n, v in sizes.items())
    return known and all(true_at(a.relation, dict(sizes)) for a in scope.assumptions)


CHECKS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any], Context], str]] = {
    "same": same,
    "different": differ,
    "positive": positive,
    "rank": ranks,
    "limit": limit,
    "limit of arrays": limit_of_arrays,
    "domain": domains,
    "measured": sampled,
}
