"""The command line: texts line by line, JSON by contract, SARIF by schema, exit statuses."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.sarif import valid_sarif
from verifier.cli import app

SOURCE = textwrap.dedent(
    """\
    import numpy as np
    from jaxtyping import Float


    def attend(
        weights: Float[np.ndarray, "n m"], v: Float[np.ndarray, "m d_v"]
    ) -> Float[np.ndarray, "n d_v"]:
        out = weights.T @ v
        return out


    def split(x: Float[np.ndarray, "n d"], h: int) -> Float[np.ndarray, "n {h} _"]:
        return x.reshape(x.shape[0], h, x.shape[1] // h)


    def turn(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "d n"]:
        return x.T
    """
)
GOLDEN = """\
ATT002  axis 1 of [m, n] against axis 0 of [m, d_v]: n against m, and nothing makes them equal
    model.py:8   out = weights.T @ v    weights: [n, m]   v: [m, d_v]
                       ^^^^^^^^^^^^^
    breaks at    n = 1, m = 2, d_v = 1        (n = 2, m = 2, d_v = 2 hides it)
    why          where n != m
    fix          use weights as it is, [n, m], not transposed

ATT020  needs d % h == 0, which nothing declares: reshaping [n, d] to [n, h, d // h]: d % h == 0 does not always hold
    model.py:13   return x.reshape(x.shape[0], h, x.shape[1] // h)    x: [n, d]
                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    breaks at    h = 2, n = 1, d = 1        (h = 2, n = 2, d = 2 hides it)
    why          ATT004 without it
    fix          # verifier: given d % h == 0    or    assert d % h == 0

REFUTED     attend                           model.py:5
PROVED_IF   split                            model.py:12   given d % h == 0
PROVED      turn                             model.py:16

3 functions: 1 breaks, 1 right where its requirement holds, 1 right for every size
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "model.py"
    file.write_text(SOURCE)
    return file


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["check", "--no-cache", *arguments])


def test_the_report_reads_like_this(model: Path) -> None:
    result = run("model.py")
    assert result.stdout == GOLDEN
    assert result.exit_code == 1


def test_nothing_to_report_is_status_0(model: Path) -> None:
    result = run("model.py:turn")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].split()[:2] == ["PROVED", "turn"]


def test_a_premise_on_the_command_line_settles_a_requirement(model: Path) -> None:
    assert run("model.py:split", "--given", "d % h == 0").exit_code == 0


def test_a_premise_in_pyproject_settles_a_requirement(model: Path) -> None:
    (model.parent / "pyproject.toml").write_text('[tool.verifier]\ngiven = ["d % h == 0"]\n')
    assert run("model.py:split").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nowhere.py"], "there is no such file"),
        (["model.py:nothing"], "no annotated function 'nothing'"),
        (["plain.py"], "no annotated function"),
        (["model.py", "--given", "d %"], "error"),
        (["model.py", "--given", "d + 1"], "no comparison"),
        (["model.py", "--given", "d == h == 2"], "--given 'd == h == 2': a chain"),
        (["model.py", "--given", "1/0 == h"], "division by zero"),
    ],
)
def test_wrong_use_is_status_2_with_its_reason(model: Path, arguments: list[str], text: str) -> None:
    (model.parent / "plain.py").write_text("def f(x):\n    return x\n")
    result = run(*arguments)
    assert result.exit_code == 2
    assert text in result.output


def test_a_premise_about_no_size_is_told(model: Path) -> None:
    assert "no function has the sizes of --given 'zz == 3'" in run("model.py", "--given", "zz == 3").output


def test_an_unknown_setting_is_status_2(model: Path) -> None:
    (model.parent / "pyproject.toml").write_text("[tool.verifier]\nspeed = 3\n")
    result = run("model.py")
    assert result.exit_code == 2 and "no setting 'speed'" in result.output


def test_the_json_keeps_its_contract(model: Path) -> None:
    data = json.loads(run("model.py", "--format", "json").stdout)
    assert data["summary"] == {"REFUTED": 1, "PROVED_IF": 1, "PROVED": 1}
    first = data["functions"][0]
    assert {"name", "file", "line", "verdict", "assumptions", "paths", "findings", "seconds"} <= set(first)
    finding = first["findings"][0]
    assert {"code", "severity", "line", "message", "sizes", "replayed"} <= set(finding)
    assert (finding["code"], finding["severity"], finding["line"], finding["replayed"]) == ("ATT002", "error", 8, True)
    assert finding["sizes"] == {"n": 1, "m": 2, "d_v": 1}


def test_the_sarif_fits_its_schema(model: Path) -> None:
    (model.parent / "broken.py").write_text("x = = 1\n")
    data = valid_sarif(run("model.py", "--format", "sarif").stdout)
    unread = valid_sarif(run("broken.py", "--format", "sarif").stdout)
    assert unread["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert data["version"] == "2.1.0" and "sarif-2.1.0" in data["$schema"]
    (log,) = data["runs"]
    rules = log["tool"]["driver"]["rules"]
    assert [r["id"] for r in rules] == ["ATT002", "ATT020"]
    for result in log["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error") and result["message"]["text"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "model.py"
        assert 1 <= place["region"]["startColumn"] <= place["region"]["endColumn"]


def test_annotations_for_a_pull_request_name_file_and_line(model: Path) -> None:
    lines = run("model.py", "--format", "github").stdout.splitlines()
    assert lines[0].startswith("::error file=") and ",line=8,title=ATT002::" in lines[0]
    assert lines[1].startswith("::warning file=")


def test_the_report_may_go_to_a_file(model: Path) -> None:
    result = run("model.py", "-o", "report.txt")
    assert result.stdout == "" and (model.parent / "report.txt").read_text() == GOLDEN


def test_shapes_only_leaves_values_alone(model: Path) -> None:
    model.write_text(
        'import numpy as np\nfrom jaxtyping import Float\n\n\ndef f(x: Float[np.ndarray, "h n d"]) -> Float[np.ndarray, "n h*d"]:\n'
        "    h, n, d = x.shape\n    return x.reshape(n, h * d)\n"
    )
    assert run("model.py").exit_code == 1
    assert run("model.py", "--shapes-only").exit_code == 0
