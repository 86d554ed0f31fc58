"""The bug cases written in JAX: found with their line, and the corrected code is clean."""

from __future__ import annotations

import pytest

from tests.check.cases import Case, shared
from tests.check.test_cases import reports, serious

pytest.importorskip("jax", reason="the extra [jax] is not installed")

from verifier.check.discovery import Target, subjects_of
from verifier.check.replay import failure_at
from verifier.check.variants import Variant
from verifier.dims import Scope
from verifier.prove.search import models

SHARED = shared("jax")


@pytest.mark.skipif(
    not SHARED, reason="the shared cases are not beside this checkout (VERIFIER_SHARED names their folder)"
)
@pytest.mark.parametrize("case", SHARED, ids=lambda c: c.name)
def test_a_published_bug_is_found_and_its_correction_is_clean(case: Case) -> None:
    told = reports(case)
    buggy, fixed = told["buggy"], told["fixed"]
    lines = [f.line for f in buggy.findings if f.severity in ("error", "warning")]
    assert lines and set(lines) <= case.span("buggy")
    assert not serious(fixed), serious(fixed)
    assert fixed.verdict in ("PROVED", "PROVED_IF", "BOUNDED")
    required = [a for a in fixed.assumptions if any(a in f.message for f in fixed.findings)]
    assert set(required) <= set(case.assumes)
    for premise in set(case.assumes) - set(required):
        assert passes_without(case, premise), f"{premise} is needed and was not asked for"


def passes_without(case: Case, premise: str) -> bool:
    """Whether JAX itself accepts the corrected code at small sizes that break the premise."""
    (fixed,) = [s for s in subjects_of(Target(case.file)) if s.name == "fixed"]
    names = {a for f in reports(case)["buggy"].findings for a in f.sizes}
    broken = [s for s in models(Scope.of(sorted(names)), points=400) if not eval(premise, {}, dict(s))]
    return all(failure_at(fixed.function, None, Variant(()), s) is None for s in broken[:6])
