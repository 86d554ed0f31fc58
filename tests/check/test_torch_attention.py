"""PyTorch's attention under each of its arguments is the same function written out, and mistakes are told apart."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mha-verifier[torch]'")

from verifier.check.same import same
from verifier.errors import VerifierError

FILE = Path(__file__).parent.parent / "data" / "torch" / "attention.py"
KERNEL = "verifier.kernels.multi_head_attention:multi_head_attention"


@pytest.mark.parametrize(
    ("function", "bind", "verdict"),
    [
        ("module_attention", (), "PROVED"),
        ("module_attention_with_parameters", (), "PROVED"),
        ("mha_masked", ("mask=mask",), "PROVED"),
        ("functional_mha", (), "PROVED"),
        ("seq_first", (), "PROVED"),
        ("no_transpose", (), "REFUTED"),
    ],
)
def test_the_module_is_our_kernel(function: str, bind: tuple[str, ...], verdict: str) -> None:
    assert same(f"{FILE}:{function}", KERNEL, bind, ["h*k == d"]).verdict == verdict


@pytest.mark.parametrize(
    ("left", "right", "given", "verdict"),
    [
        ("gqa_sdpa", "gqa_hand", "H % g == 0", "PROVED"),
        ("gqa_sdpa", "gqa_expand", "H % g == 0", "PROVED"),
        ("gqa_sdpa", "gqa_repeat_wrong", "H % g == 0", "REFUTED"),
        ("causal_sdpa", "causal_tril", None, "PROVED"),
        ("causal_sdpa", "causal_add", None, "PROVED"),
        ("causal_sdpa", "causal_mask_arg", None, "PROVED"),
        ("bool_mask", "bool_mask_where", None, "PROVED"),
        ("bool_mask", "bool_mask_add", None, "PROVED"),
        ("bool_mask", "bool_mask_zeros_like", None, "PROVED"),
        ("add_mask", "add_mask_hand", None, "PROVED"),
        ("scale_sdpa", "scale_hand", None, "PROVED"),
        ("fused", "fused_reshape", "d % h == 0", "PROVED"),
        ("fused", "separate", "d % h == 0", "PROVED"),
        ("fused", "separate_wrong", "d % h == 0", "REFUTED"),
        ("encoder_layer_post", "encoder_hand", "d % heads == 0", "REFUTED"),
    ],
)
def test_two_ways_to_write_it(left: str, right: str, given: str | None, verdict: str) -> None:
    result = same(f"{FILE}:{left}", f"{FILE}:{right}", (), [given] if given else [])
    assert result.verdict == verdict, result.reason


def test_an_axis_that_only_expressions_name_is_told(tmp_path: Path) -> None:
    file = tmp_path / "expressions.py"
    file.write_text(
        "from jaxtyping import Float\nfrom torch import Tensor\n\n\n"
        'def f(q: Float[Tensor, "g*r n"]) -> Float[Tensor, "g*r n"]:\n    return q\n'
    )
    with pytest.raises(VerifierError, match=r"the axis g\*r speaks of g, and no argument has an axis g"):
        same(f"{file}:f", f"{file}:f")


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("written_through_reshape", "zero_where_one_axis_is_single", "PROVED"),
        ("written_through_contiguous", "zero_where_one_axis_is_single", "PROVED"),
        ("read_after_the_base_changed", "transposed_zero_where_single", "PROVED"),
    ],
)
def test_what_may_be_a_view_is_asked_where_it_is_written_to(left: str, right: str, verdict: str) -> None:
    assert same(f"{FILE}:{left}", f"{FILE}:{right}").verdict == verdict


def test_the_documented_example_is_what_the_page_says(tmp_path: Path) -> None:
    page = (FILE.parent.parent.parent.parent / "docs" / "how-to" / "compare-two-functions.md").read_text()
    block = page.partition("`mha.py`:\n\n")[2].partition("    $ verifier same")[0]
    file = tmp_path / "mha.py"
    code = "\n".join(line.removeprefix("    ") for line in block.splitlines() if line.startswith("    ") or not line)
    file.write_text(code)
    assert "def module_attention(" in code
    result = same(f"{file}:module_attention", "verifier.kernels:multi_head_attention", (), ["h*k == d"])
    assert (result.verdict, result.assumptions) == ("PROVED", ["h*k == d", "left out: mask"])
    wrong = tmp_path / "mha_untransposed.py"
    wrong.write_text(code.replace(".permute(0, 2, 1)", ""))
    assert same(f"{wrong}:module_attention", KERNEL, (), ["h*k == d"]).verdict == "REFUTED"
