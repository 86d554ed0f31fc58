"""Nobody is told that no shapes pass where the real function returns for some."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_bare_rules import reports

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn, Tensor\n"


def layer(made: str) -> str:
    return (
        f"{HEAD}class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.g = nn.{made}\n"
        "    def forward(self, x: Tensor):\n        return self.g(x)\n"
    )


def function(*lines: str) -> str:
    return HEAD + "def f(x: Tensor):\n" + "".join(f"    {line}\n" for line in lines)


RIGHT = {
    "a stand-in's gap": layer("LPPool1d(2, 2)"),
    "three channels": HEAD + "def f(x: Tensor, y: Tensor):\n    return torch.cross(x, y)\n",
    "an operation that stand-ins lack": function("return x.kthvalue(2).values"),
    "a power of sizes": function("n = x.shape[0]", "return x.view(n ** n, -1)"),
    "unpacked": function("q, k, v = x", "return q + k + v"),
    "a tenth": function("return x[: int(x.shape[0] * 0.1)].amax(0)"),
    "all but one size": function("return x * (10 // (x.shape[0] - 1))"),
    "groups": function("return F.group_norm(x, 2)"),
}
WRONG = {
    "a name that is not there": function("return x + x.undefined"),
    "unequal ranks": function("return torch.cat([x, x[:1].unsqueeze(0)], 0)"),
    "lengths of numbers": function("return x.reshape(-1)[:2] @ torch.ones(3)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_real_arrays_pass_is_not_refuted(tmp_path: Path, name: str) -> None:
    pytest.importorskip("torch")
    (report,) = reports(tmp_path, RIGHT[name]).values()
    assert report.verdict == "UNDECIDED" or report.contract, report
    if not report.contract:
        assert "real arrays pass: x [" in report.reason
        assert not [f for f in report.findings if f.severity == "error"]


@pytest.mark.parametrize("name", WRONG)
def test_what_no_real_array_passes_is_refuted(tmp_path: Path, name: str) -> None:
    pytest.importorskip("torch")
    (report,) = reports(tmp_path, WRONG[name]).values()
    assert report.verdict == "REFUTED", report


MADE = {
    "TransformerEncoderLayer(8, 2, batch_first=True)": ["x0", "x1", "8"],
    "GRU(23, 5)": ["x0", "x1", "23"],
    "InstanceNorm2d(4, affine=True)": ["x0", "4", "x2", "x3"],
}


@pytest.mark.parametrize("made", MADE)
def test_a_size_that_a_library_asks_for_by_number_is_the_contract(tmp_path: Path, made: str) -> None:
    pytest.importorskip("torch")
    text = layer(made).replace("self.g(x)", "self.g(x)[0]" if "GRU" in made else "self.g(x)")
    (report,) = reports(tmp_path, text).values()
    assert report.verdict == "PROVED_IF", report
    assert MADE[made] in [r["shapes"]["x"] for r in report.contract]


def test_a_number_that_a_branch_asks_for_hides_no_mistake(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = function("if x.shape[-1] == 4:", "    return x", "return x.undefined")
    (report,) = reports(tmp_path, text).values()
    assert report.verdict != "PROVED_IF", report


@pytest.mark.parametrize("said", ["b, t = idx.shape\n        assert t <= self.n", "assert idx.shape[1] <= self.n"])
def test_an_assertion_is_a_condition_where_elements_are_ints(tmp_path: Path, said: str) -> None:
    pytest.importorskip("torch")
    text = (
        f"{HEAD}class M(nn.Module):\n    def __init__(self, n: int, d: int):\n        super().__init__()\n"
        "        self.n = n\n        self.e = nn.Embedding(9, d)\n"
        f"    def forward(self, idx: Tensor) -> Tensor:\n        {said}\n        return self.e(idx)\n"
    )
    (report,) = reports(tmp_path, text).values()
    assert report.verdict == "PROVED_IF", report
    assert {"idx": ["idx0", "idx1"]} in [r["shapes"] for r in report.contract]
    assert {(*r["conditions"], r["elements"]["idx"]) for r in report.contract} == {("idx1 <= self.n", "int")}
