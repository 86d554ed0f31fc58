"""What libraries call attention computes what our kernels do, at every size."""

from __future__ import annotations

import pytest

from tests.shared import DATA
from verifier.check.same import same
from verifier.verdict import Truth

pytest.importorskip("jax", reason="the extra [jax] is not installed")
pytest.importorskip("equinox", reason="Equinox is not installed")
FILE = DATA / "jax" / "references.py"


@pytest.mark.parametrize(
    ("left", "right", "truth"),
    [
        ("one_head", "our_kernel", Truth.PROVED),
        ("equinox_module", "our_heads", Truth.PROVED),
        ("library", "mapped", Truth.PROVED),
        ("library", "without_scale", Truth.REFUTED),
    ],
)
def test_a_reference_implementation_is_told_from_others(left: str, right: str, truth: Truth) -> None:
    assert same(f"{FILE}:{left}", f"{FILE}:{right}").verdict is truth
