"""Published mistakes in PyTorch code are found with their line, and the corrected code is clean."""

from __future__ import annotations

import pytest

from tests.check.cases import Case, shared
from tests.check.test_cases import hold

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")
SHARED = shared("torch")


@pytest.mark.skipif(
    not SHARED, reason="the shared cases are not beside this checkout (VERIFIER_SHARED names their folder)"
)
@pytest.mark.parametrize("case", SHARED, ids=lambda c: c.name)
def test_a_published_bug_is_found_and_its_correction_is_clean(case: Case) -> None:
    hold(case)
