"""PyTorch's own attention computes what our kernels compute, for every size; where it does not, sizes show it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")

from verifier.check.same import same

FILE = Path(__file__).parent.parent / "data" / "torch" / "references.py"


@pytest.mark.parametrize(
    ("ours", "kernel", "verdict"),
    [
        ("attention", "scaled_dot_product_attention", "PROVED"),
        ("causal_attention", "scaled_dot_product_attention", "REFUTED"),
        ("softmax", "softmax", "PROVED"),
    ],
)
def test_a_function_of_pytorch_is_a_kernel(ours: str, kernel: str, verdict: str) -> None:
    assert same(f"{FILE}:{ours}", f"verifier.kernels.{kernel}:{kernel}").verdict == verdict


@pytest.mark.parametrize(
    ("ours", "kernel", "bind"),
    [("masked_attention", "scaled_dot_product_attention", "mask=mask"), ("layer_norm", "layer_norm", "bias=bias")],
)
def test_optional_arguments_are_bound(ours: str, kernel: str, bind: str) -> None:
    assert same(f"{FILE}:{ours}", f"verifier.kernels.{kernel}:{kernel}", [bind]).verdict == "PROVED"


def test_two_functions_of_pytorch() -> None:
    assert same(f"{FILE}:causal_attention", f"{FILE}:causal_by_hand").verdict == "PROVED"
