import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from verifier.cli import app

RIGHT = """[[claim]]
id = "right"
statement = "There is a score for each pair."
relation = "shape(attention_scores) == (n, m)"
sizes = "n m d_k"
expect = "PROVED"
mutants = ["shape(attention_scores) == (m, n)"]
"""


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    file = tmp_path / "c.toml"
    file.write_text(RIGHT, encoding="utf-8")
    return file


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["audit", "--no-cache", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_html_goes_to_standard_output_without_a_file(claims: Path) -> None:
    code, out, _ = run(str(claims), "--format", "html")
    assert code == 0
    assert out.startswith("<!DOCTYPE html>")
    assert out.endswith("</html>\n")


@pytest.mark.parametrize(("form", "begins"), [("html", "<!DOCTYPE html>"), ("json", "{"), ("text", "claims\n")])
def test_every_format_goes_to_a_file(claims: Path, tmp_path: Path, form: str, begins: str) -> None:
    to = tmp_path / "report"
    code, out, _ = run(str(claims), "--format", form, "-o", str(to))
    assert (code, out) == (0, "")
    text = to.read_text(encoding="utf-8")
    assert text.startswith(begins)
    assert "right" in text
    assert "\x1b" not in text


def test_json_is_the_same_in_a_file_and_on_standard_output(claims: Path, tmp_path: Path) -> None:
    to = tmp_path / "report.json"
    run(str(claims), "--format", "json", "-o", str(to))
    written, printed = json.loads(to.read_text()), json.loads(run(str(claims), "--format", "json")[1])
    for report in (written, printed):
        report["claims"][0].pop("seconds")
    assert written == printed


def test_one_claim_is_explained_into_a_file(claims: Path, tmp_path: Path) -> None:
    to = tmp_path / "report.txt"
    assert run(str(claims), "--explain", "right", "-o", str(to))[0] == 0
    assert "What would refute it" in to.read_text()


def test_a_failing_audit_is_written_and_fails(claims: Path, tmp_path: Path) -> None:
    claims.write_text(RIGHT.replace('"PROVED"', '"REFUTED"'), encoding="utf-8")
    to = tmp_path / "report.html"
    assert run(str(claims), "--format", "html", "-o", str(to))[0] == 1
    assert "the verdict is PROVED, pinned is REFUTED" in to.read_text()


def test_mistakes_are_written_and_told(claims: Path, tmp_path: Path) -> None:
    claims.write_text(RIGHT.replace("statement", "statment"), encoding="utf-8")
    to = tmp_path / "report.html"
    code, _, err = run(str(claims), "--format", "html", "-o", str(to))
    assert code == 2
    assert "c.toml:3: unknown key 'statment'" in err
    assert "unknown key" in to.read_text()


def test_a_file_that_cannot_be_written_is_told_without_a_traceback(claims: Path, tmp_path: Path) -> None:
    code, _, err = run(str(claims), "--format", "html", "-o", str(tmp_path / "no" / "folder.html"))
    assert code == 2
    assert f"error: {tmp_path / 'no' / 'folder.html'}: cannot be written: No such file or directory" in err
