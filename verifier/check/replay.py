"""The function on real arrays: a failure that does not happen there is not reported as one."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np

from ..dims import Scope
from ..errors import NeedsConcreteSize, Unsupported
from ..frontends.front_end import carry_out
from ..prove.search import models, true_at
from .annotated import hints_of, match
from .arguments import Builder
from .lasting import Lasting
from .leaves import Real
from .locating import is_guard, is_unmade, making_arguments, spot_of
from .variants import Variant

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)


@contextmanager
def quietly() -> Generator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def failure_at(
    function: Callable[..., Any], owner: type | None, variant: Variant, sizes: Mapping[str, int], seed: int = 0
) -> Exception | None:
    """What the function raises on real arrays of these sizes, or its result's misfit; None where all is well.

    A guard of the function's own (an `assert`, a `raise`) is no failure.
    """
    try:
        with quietly(), Lasting(function).undone():
            hints = hints_of(function)

            def run() -> None:
                with making_arguments():
                    call = Builder(variant.again(), Real(sizes, seed)).call(function, owner)
                value = call.run(function)
                if "return" in hints:
                    match(value, hints["return"], call.bindings, "the result")

            carry_out(run)
    except Unsupported:
        raise
    except Exception as error:
        spot = spot_of(error)
        return None if is_unmade(error, owner) or (spot is not None and is_guard(spot)) else error
    except NeedsConcreteSize:
        return None
    return None


def adversarial(scope: Scope) -> list[dict[str, int]]:
    """Sizes that bring out mistakes: pairwise different primes, all equal, ones among them; premises kept."""
    names = list(scope.least)
    tried: list[dict[str, int]] = [
        dict(zip(names, (PRIMES * (2 + len(names) // len(PRIMES)))[shift:], strict=False)) for shift in (0, 1, 3)
    ]
    tried += [dict.fromkeys(names, size) for size in (1, 2, 3)]
    tried += [{**dict.fromkeys(names, 4), name: 1} for name in names]
    tried += [{**dict(zip(names, PRIMES * (1 + len(names) // len(PRIMES)), strict=False)), name: 6} for name in names]
    kept = [
        s for s in tried
        if all(s[n] >= low for n, low in scope.least.items()) and all(true_at(a.relation, s) for a in scope.assumptions)
    ]  # fmt: skip
    known = [*kept, *islice(models(scope, points=4_000), 12)]
    return sorted(
        {tuple(s.items()): s for s in known}.values(), key=lambda s: (max(s.values(), default=0), sum(s.values()))
    )
