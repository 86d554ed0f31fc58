"""What Flax calls attention computes what our kernels do, at every size."""

from __future__ import annotations

import pytest

from tests.shared import DATA
from verifier.check.same import same
from verifier.errors import VerifierError
from verifier.verdict import Truth

pytest.importorskip("jax", reason="the extra [jax] is not installed")
pytest.importorskip("flax", reason="Flax is not installed")
FILE = DATA / "jax" / "flax_references.py"


@pytest.mark.parametrize(
    ("left", "right", "truth"),
    [
        ("flax_attention", "our_attention", Truth.PROVED),
        ("flax_weights", "our_attention", Truth.PROVED),
        ("flax_module", "our_heads", Truth.PROVED),
        ("flax_biased", "our_heads", Truth.PROVED),
        ("linen_module", "our_heads", Truth.PROVED),
        ("unscaled", "flax_attention", Truth.REFUTED),
        ("flax_swapped", "our_heads", Truth.REFUTED),
    ],
)
def test_a_reference_implementation_is_told_from_others(left: str, right: str, truth: Truth) -> None:
    assert same(f"{FILE}:{left}", f"{FILE}:{right}").verdict is truth


@pytest.mark.parametrize(
    ("target", "remedy"),
    [
        ("flax.nnx:MultiHeadAttention", "makes it and sets its parameters"),
        ("flax.nnx:dot_product_attention", "calls it"),
        (f"{DATA / 'jax' / 'flax_modules.py'}:Head.__call__", "makes the module"),
    ],
)
def test_a_layer_itself_is_no_function_and_the_remedy_says_what_to_write(target: str, remedy: str) -> None:
    with pytest.raises(VerifierError) as told:
        same(target, f"{FILE}:our_attention")
    assert remedy in str(told.value.remedy)
