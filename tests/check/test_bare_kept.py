"""What calls leave behind, in objects and in globals, where no annotation names an axis."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.check.discovery import Target, subjects_of
from verifier.check.later_calls import LaterCalls
from verifier.frontends.explorer import OutOfTime

from .test_bare_rules import reports

HEAD = "from typing import Optional\nimport torch\nfrom torch import nn, Tensor\n"
ONE_ROW = "every call of one object passes the same arrays, with as many axes"


def module(body: str, made: str = "", takes: str = "x: Tensor", fields: str = "") -> str:
    indented = "\n".join(f"        {line}" for line in body.splitlines())
    kept = "\n".join(f"        {line}" for line in made.splitlines())
    return (
        f"{HEAD}class M(nn.Module):\n    {fields or 'pass'}\n    def __init__(self, d: int):\n        super().__init__()\n"
        f"        self.w = nn.Linear(d, d)\n{kept}\n    def forward(self, {takes}) -> Tensor:\n{indented}\n"
    )


LASTING = {
    "a global": HEAD
    + "G = {}\ndef f(x: Tensor) -> Tensor:\n    return x + G.setdefault('t', torch.zeros(x.shape[1]))\n",
    "a default": HEAD
    + "def f(x: Tensor, mem=[]) -> Tensor:\n    if not mem:\n        mem.append(torch.zeros(x.shape[-1]))\n    return x + mem[0]\n",
    "a class": module("return x + self.D.setdefault('t', torch.zeros(x.shape[1]))", fields="D = {}"),
}


@pytest.mark.parametrize("name", LASTING)
def test_what_one_try_leaves_is_not_found_by_the_next(tmp_path: Path, name: str) -> None:
    pytest.importorskip("torch")
    (report,) = reports(tmp_path, LASTING[name]).values()
    assert report.verdict == "TESTED", report
    assert "outlives" in report.reason


RANK = "if self.r is None:\n    self.r = x.ndim\nreturn x.permute(*range(self.r))"
MASK = "x = self.w(x)\nif mask is not None:\n    self.last = mask\n    return x\nreturn x if self.last is None else x * self.last"
CALLS = [
    ("the rank of the first call is kept", module(RANK, "self.r = None"), [ONE_ROW]),
    ("a mask is kept for calls without one",
     module(MASK, "self.last = None", "x: Tensor, mask: Optional[Tensor] = None"), [ONE_ROW]),
    ("each rank wants other sizes alike",
     module("y = x + self.prev\nself.prev = x.mean(0)\nreturn y", "self.register_buffer('prev', torch.zeros(d))"),
     [ONE_ROW, "every call of one object has the same x1 and x2 and x3"]),
    ("a counter", module("self.n += 1\nreturn self.w(x)", "self.n = 0"), []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "wanted"), CALLS, ids=[c[0] for c in CALLS])
def test_calls_of_different_rows_meet_in_one_object(tmp_path: Path, name: str, text: str, wanted: list[str]) -> None:
    pytest.importorskip("torch")
    (report,) = reports(tmp_path, text).values()
    assert report.verdict == "PROVED_IF"
    assert [a for a in report.assumptions if "every call" in a] == wanted


CACHE = (
    "k = self.w(x)\nif self.cache is not None:\n    k = torch.cat([self.cache, k], 1)\nself.cache = k\nreturn x @ k.mT"
)


def test_the_result_is_told_where_later_calls_return_it_too(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (report,) = reports(tmp_path, module(CACHE, "self.cache = None")).values()
    assert report.verdict == "PROVED_IF"
    assert [r["result"] for r in report.contract] == [""]
    (report,) = reports(tmp_path, module("self.last = self.w(x)\nreturn self.last", "self.last = None")).values()
    assert {len(r["result"]) > 2 for r in report.contract} == {True}


def test_a_row_tells_its_own_requirements(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = HEAD + (
        "class M(nn.Module):\n    def __init__(self, d: int, h: int):\n        super().__init__()\n"
        "        self.w, self.h = nn.Linear(d, d), h\n"
        "    def forward(self, x: Tensor) -> Tensor:\n        return self.w(x).reshape(x.shape[0], self.h, -1)\n"
    )
    (report,) = reports(tmp_path, text).values()
    rows = {len(r["shapes"]["x"]): r["conditions"] for r in report.contract}
    assert all(rows.values())
    assert rows[2] in (["self.d % self.h == 0"], ["d % self.h == 0"], ["self.w.in_features % self.h == 0"])
    assert rows[1] == ["1 % self.h == 0"]


def test_pairs_of_rows_that_time_leaves_untried_are_not_supposed_to_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("verifier.check.judge.MAX_ACROSS", 1)
    (report,) = reports(tmp_path, CALLS[-1][1]).values()
    assert ONE_ROW in report.assumptions
    across = LaterCalls(next(iter(subjects_of(Target(tmp_path / "written.py")))), [], until=-1.0)
    with pytest.raises(OutOfTime):
        across.in_time()
