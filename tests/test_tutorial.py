"""The tutorial does what it says: its file is refuted as it tells, and each of its two corrections is accepted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from verifier.cli import app

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "tutorial" / "first-claim.md").read_text(encoding="utf-8")
FILE, ASSUMED = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def run(folder: Path, text: str, *arguments: str) -> tuple[int, str]:
    path = folder / "first.toml"
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(app, ["audit", str(path), *arguments])
    return result.exit_code, " ".join(result.output.split())


def test_the_first_attempt_is_refuted_as_told(tmp_path: Path) -> None:
    status, text = run(tmp_path, FILE)
    assert status == 1
    assert "memory.1: the verdict is REFUTED, pinned is PROVED" in text
    assert "fails at n = 1, m = 2 ([1, 1, 2] against [1, 1, 1])" in text


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        (FILE.replace("(h, n, n)", "(h, n, m)"), "PROVED"),
        (FILE.replace('expect = "PROVED"\n', ASSUMED), "PROVED_IF"),
    ],
)
def test_both_corrections_are_accepted(text: str, truth: str, tmp_path: Path) -> None:
    status, shown = run(tmp_path, text)
    assert status == 0
    assert f" {truth} " in shown
    assert "certificate" in run(tmp_path, text, "--explain", "memory.1")[1]


def test_the_quote_is_held_against_the_text(tmp_path: Path) -> None:
    document = tmp_path / "my_text.txt"
    quote = re.search(r"^> (.*)$", PAGE, re.MULTILINE)
    assert quote
    for text, status in ((quote[1], 0), (quote[1].replace("twice", "three times"), 1)):
        document.write_text(f"Before. {text} After.", encoding="utf-8")
        fixed = FILE.replace("(h, n, n)", "(h, n, m)")
        assert run(tmp_path, fixed, "--document", str(document))[0] == status
