"""At which sizes a kernel works: it returns exactly where a condition holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...dims import Relation, is_dim
from ...dims.dim import evaluate
from ...dims.expression import holds
from ...errors import VerifierError
from ...frontends.explorer import explore
from ...frontends.signature import symbolic_call, symbols_in
from ...prove.decide import decide
from ...prove.facts import Facts
from ...prove.search import models, satisfying
from ...readings import trace
from ...verdict import Truth, Verdict
from ..claim import Reading
from ..context import Context
from ..quantities import kernel, real_arguments

DIRECTIONS = ("iff", "if", "only if")
REPLAYED = 40
"""Sizes at which the kernel is run on real arrays besides."""


def establish(reading: Reading, context: Context) -> Verdict:
    """`relation` is the condition under which the kernel `options.kernel` returns, and outside which it fails.

    Every path of the kernel is compared with the condition: a path that returns must imply it, a path that fails
    must contradict it. `options.direction = "only if"` or `"if"` asks one half. The kernel is also run on real
    arrays at small sizes, and must do there what the paths say.
    """
    name, direction = _options(reading)
    function = kernel(name)
    scope = context.scope
    arguments = trace(function).arguments
    missing = [s for s in symbols_in(arguments) if s not in context.sizes]
    if missing:
        fact = f"{name} has the size {missing[0]}, which the claim does not declare"
        raise VerifierError(fact, remedy=f'sizes = "{" ".join(symbols_in(arguments))}"')
    paths = explore(lambda: symbolic_call(function, arguments, (), context.sizes), scope)
    condition = context.relation(reading.relation)
    if not all(is_dim(s) or type(s) is int for s in (condition.left, condition.right)):
        raise VerifierError(
            f"{reading.relation!r} compares more than sizes", remedy="the condition speaks of sizes only"
        )
    steps: list[str] = []
    for path in paths:
        works = path.error is None
        if (works and direction == "if") or (not works and direction == "only if"):
            continue
        wanted = condition if works else condition.negated()
        opposite = wanted.negated()
        facts = Facts.of(scope, path.conditions)
        steps.append(f"{name} {'returns' if works else 'fails'} where {_show(path.conditions)}: so {wanted}")
        if decide(wanted, facts) is True:
            continue
        witness = satisfying(scope, (*path.conditions, opposite))
        if witness is not None:
            found = {
                "sizes": witness,
                "returns": works,
                "condition": holds(condition, lambda s, at=witness: evaluate(s, at)),
            }
            return Verdict(Truth.REFUTED, f"{name} {'returns' if works else 'fails'} there", witness=found)
        return Verdict(Truth.UNDECIDED, f"it is open whether {wanted} where {_show(path.conditions)}")
    replayed = 0
    for sizes in models(scope):
        if replayed >= REPLAYED:
            break
        expected = holds(condition, lambda s, sizes=sizes: evaluate(s, sizes))
        returned = runs(name, sizes)
        if (direction == "iff" and returned != expected) or (direction == "only if" and returned and not expected):
            raise VerifierError(f"{name} at {sizes} does not do what its paths say: please report this")
        replayed += 1
    certificate: dict[str, Any] = {
        "kind": "domain",
        "kernel": name,
        "condition": reading.relation,
        "direction": direction,
        "replayed": replayed,
        "sizes": list(context.claim.sizes),
    }
    return Verdict(Truth.PROVED, f"every path of {name}", certificate=certificate, steps=tuple(steps))


def _options(reading: Reading) -> tuple[str, str]:
    """The kernel, and which half of the condition is asked.

    Raises:
        VerifierError: the kernel is not named, or the direction is none.
    """
    name, direction = reading.options.get("kernel"), reading.options.get("direction", "iff")
    if not isinstance(name, str):
        raise VerifierError("the method domain needs a kernel", remedy='options = { kernel = "split_heads" }')
    if direction not in DIRECTIONS:
        raise VerifierError(f"direction = {direction!r} is none", remedy=f"one of: {', '.join(DIRECTIONS)}")
    return name, str(direction)


def runs(name: str, sizes: Mapping[str, int]) -> bool:
    """Whether the kernel returns on real arrays of these sizes."""
    function = kernel(name)
    try:
        function(**real_arguments(trace(function).arguments, sizes, lambda _, shape: np.ones(shape)))
    except ValueError:
        return False
    return True


def _show(conditions: tuple[Relation, ...]) -> str:
    return " and ".join(map(str, conditions)) or "always"
