"""The rules by which shapes are inferred, one by one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from verifier.check.bare.contract import Contract
from verifier.check.bare.hints import array_type_of, holds_bare
from verifier.check.bare.infer import ways
from verifier.check.bare.supposed import Supposed
from verifier.check.bare.ties import is_contract, solutions
from verifier.check.bare.wording import families
from verifier.check.discovery import Target, subjects_of
from verifier.check.finding import Report
from verifier.check.judge import judge
from verifier.check.loading import forget
from verifier.cli import app
from verifier.dims import Relation, symbol
from verifier.graph.node import Obligation, ShapeMismatch

DOC = Path(__file__).parents[2] / "docs" / "how-to" / "check-without-axes.md"


def reports(tmp_path: Path, text: str) -> dict[str, Report]:
    file = tmp_path / "written.py"
    file.write_text(text)
    forget()
    return {s.name: judge(s) for s in subjects_of(Target(file))}


def mismatch(purpose: str, *shapes: tuple[Any, ...]) -> ShapeMismatch:
    return ShapeMismatch(Obligation(False, purpose, joined=shapes))


def test_an_equation_is_solved_for_an_axis_of_a_later_array() -> None:
    x, y, d, h = map(symbol, ("x0", "y0", "self.d", "self.h"))
    homes = {"x0": "x", "y0": "y"}
    assert [(a, str(s)) for a, s in solutions(Relation("==", x, y), homes)] == [("y0", "x0"), ("x0", "y0")]
    assert [(a, str(s)) for a, s in solutions(Relation("==", 2 * x * d, d * h * 2), homes)] == [("x0", "self.h")]
    assert [(a, str(s)) for a, s in solutions(Relation("==", x + 1, y), homes)] == [("y0", "x0 + 1")]
    assert not list(solutions(Relation("==", x // h, d), homes))  # several sizes have one quotient
    assert not list(solutions(Relation("<=", x, d), homes))
    assert not list(solutions(Relation("==", d, h), homes))


def test_weights_and_other_arrays_ask_of_an_axis_and_what_the_code_laid_out_does_not() -> None:
    d, k, x0, x1, y0 = map(symbol, ("self.d", "self.k", "x0", "x1", "y0"))
    supposed = Supposed({"x": 2, "y": 1}, solved={"x1": d})
    free = Supposed({"x": 2, "y": 1})
    assert is_contract("x1", d, free, mismatch("@", (x0, x1), (d, k)), False)  # weights
    assert is_contract("y0", x0, supposed, mismatch("+", (x0, d), (y0,)), False)  # another array of the caller's
    assert not is_contract("x0", d, supposed, mismatch("@", (x0, d), (x0, d)), False)  # scores without a transpose
    assert not is_contract("x0", k, supposed, mismatch("@", (x0, k), (x0, k)), False)
    assert is_contract("x0", k, supposed, AssertionError(), True)  # the code says it itself
    assert not is_contract("x1", d, free, mismatch("+", (d, x1), (d,)), False)  # a bias of columns added to rows
    assert is_contract("x1", x0, free, mismatch("+", (x0, x1), (x1, x0)), False)  # a matrix and its transpose
    assert not is_contract("x0", 1, free, mismatch("+", (x0, x1), (x0 + 1, x1)), False, asked=False)


def test_equal_ranks_come_first() -> None:
    groups = list(ways(["x", "y"]))
    assert [set(r.values()) for r in groups[0]] == [{3}, {2}, {4}, {1}, {5}, {0}]
    assert all(abs(r["x"] - r["y"]) == 1 for r in groups[1])
    assert sum(map(len, groups)) == 36
    assert len(list(ways(list("abcde")))) == 1


def test_which_hints_are_arrays_without_axes() -> None:
    assert array_type_of(np.ndarray) == (np.ndarray, "")
    assert array_type_of(np.typing.NDArray[np.bool_]) == (np.ndarray, "b")
    for other in (int, object, Any, list, dict, type):
        assert array_type_of(other) is None
    assert holds_bare(tuple[np.ndarray, int] | None)
    assert not holds_bare(list[int])


def rows(*shapes: list[str]) -> list[Contract]:
    return [
        Contract({"x": s}, {"x": "float"}, [], [], f"[{', '.join(s)}]", {"x": f'Float[A, "{" ".join(s)}"]'})
        for s in shapes
    ]


def test_contracts_that_differ_in_front_are_told_as_one() -> None:
    (family,) = families(rows(["x0", "x1", "self.d"], ["x0", "self.d"], ["self.d"]))
    assert family.text == "x: [..., self.d] -> [..., self.d]   with ... of 0 to 2 axes"
    assert family.annotations == {"x": 'Float[A, "*batch self.d"]'}
    assert len(families(rows(["x0", "self.d"], ["self.d", "x1"]))) == 2
    assert len(families(rows(["x0", "x1", "x0"], ["x0", "x0"]))) == 2
    assert len(families(rows(["self.d", "x1", "x2"], ["x0", "x1"]))) == 2


def test_what_is_listed(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    found = reports(
        tmp_path,
        "import numpy as np\nfrom torch import nn\n\n"
        "def plain(x, y):\n    return x + y\n\n"
        "def kept(x: np.ndarray):\n    return x\n\n"
        "def only_returns(n: int) -> np.ndarray:\n    return np.zeros(n)\n\n"
        "class M(nn.Module):\n    def forward(self, x, mask=None):\n        return x if mask is None else x[mask]\n\n"
        "    def other(self, x):\n        return x\n",
    )
    assert {n: r.verdict for n, r in found.items()} == {"kept": "PROVED_IF", "M.forward": "PROVED_IF"}
    assert found["M.forward"].contract[0]["shapes"].keys() == {"x"}


def test_what_is_not_decided_fails_only_where_somebody_annotated(tmp_path: Path) -> None:
    text = "import numpy as np\n\ndef odd(x: np.ndarray, y: set):\n    return x\n"
    file = tmp_path / "odd.py"
    file.write_text(text)
    run = CliRunner().invoke(app, ["check", "--no-cache", str(file)])
    assert (run.exit_code, "UNSUPPORTED" in run.output) == (1, True)  # nothing at all was decided
    file.write_text(text + "\n\ndef fine(x: np.ndarray):\n    return x\n")
    assert CliRunner().invoke(app, ["check", "--no-cache", str(file)]).exit_code == 0


def test_sizes_that_only_running_breaks_are_no_finding(tmp_path: Path) -> None:
    text = (
        "import numpy as np\n\ndef branch(x: np.ndarray, y: np.ndarray):\n"
        "    if x.sum() > 0:\n        return x\n    return x + y\n"
    )
    report = reports(tmp_path, text)["branch"]
    assert report.verdict in ("UNSUPPORTED", "TESTED")
    assert not [f for f in report.findings if f.severity == "error"]


def test_an_argument_that_may_be_left_out_is_no_failure_where_it_is(tmp_path: Path) -> None:
    text = (
        "import numpy as np\nfrom typing import Optional\n\n"
        "def scaled(x: np.ndarray, by: Optional[np.ndarray] = None):\n    return x * by.sum()\n\n"
        "def of_a_dict(x: np.ndarray, by: Optional[dict] = None):\n    return x * by['a']\n"
    )
    found = reports(tmp_path, text)
    assert found["scaled"].verdict == "PROVED_IF"
    assert found["scaled"].contract[0]["absent"] == []
    assert found["of_a_dict"].verdict == "UNSUPPORTED"


def test_a_configuration_is_no_size(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    text = (
        "from torch import nn\n\nclass M(nn.Module):\n    def __init__(self, config):\n        super().__init__()\n"
        "        self.fc = nn.Linear(config.width, config.width)\n\n    def forward(self, x):\n        return self.fc(x)\n"
    )
    report = reports(tmp_path, text)["M.forward"]
    assert (report.verdict, report.reason) == ("UNSUPPORTED", "M(config) has no annotation, and is no size")


def test_a_mistake_in_every_interpretation_is_told_of_matrices(tmp_path: Path) -> None:
    text = (
        "import numpy as np\n\ndef mixed(q: np.ndarray, k: np.ndarray, v: np.ndarray):\n    s = np.exp(q @ k.T)\n"
        "    return s / s.sum(axis=0) @ v\n"
    )
    report = reports(tmp_path, text)["mixed"]
    assert [(f.code, f.line) for f in report.findings] == [("ATT033", 5)]
    assert report.verdict == "REFUTED"


def test_the_guide_shows_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    text = DOC.read_text()
    blocks = [b for b in re.split(r"^(?! |$).*\n", text, flags=re.M) if b.startswith(("\n    ", "    "))]
    code, printed = ("\n".join(line[4:] for line in b.strip("\n").splitlines()) for b in blocks[:2])
    (wrong,) = re.findall(r"^ +(REFUTED .*)$", text, flags=re.M)
    (tmp_path / "model.py").write_text(code + "\n")
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(app, ["check", "--no-cache", "model.py"])
    assert run.output.startswith(printed)
    data = json.loads(CliRunner().invoke(app, ["check", "--no-cache", "--format", "json", "model.py"]).output)
    assert data["functions"][0]["contract"][0]["shapes"] == {"x": ["x0", "x1", "self.n_embd"]}
    (tmp_path / "model.py").write_text(code.replace("k.transpose(-2, -1)", "k") + "\n")
    assert wrong in CliRunner().invoke(app, ["check", "--no-cache", "model.py"]).output


def test_a_family_has_no_gaps() -> None:
    def row(*shape: str) -> Contract:
        return Contract({"x": list(shape)}, {"x": "float"}, [], [], f"[{', '.join(shape)}]", {})

    found = families([row("x0", "x1", "d"), row("d"), row("x0", "x1", "x2", "d")])
    assert [(f.least.shapes["x"], f.most) for f in found] == [(["x0", "x1", "d"], 1), (["d"], 0)]
