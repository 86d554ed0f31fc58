"""The README's commands are the ones that continuous integration runs, and its output is what the audit prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from verifier.cli import app

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def words(text: str) -> str:
    return " ".join(text.split())


def test_two_commands_are_run_word_for_word_by_the_integration() -> None:
    commands = [b.strip() for b in blocks("sh")]
    assert all(len(c.splitlines()) == 1 for c in commands)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pattern = re.search(r"grep '(.*)' README.md", script)
    assert pattern
    assert [line for line in README.splitlines() if re.search(pattern[1], line)] == commands
    assert commands[0].endswith("verifier audit")
    assert commands[1].endswith("pytest")


def rows(text: str) -> set[str]:
    """The rows of the table, each with the lines below it that have no id; column widths differ."""
    found: list[str] = []
    for line in text.splitlines():
        if line.startswith(" ") and found:
            found[-1] += f" {line}"
        else:
            found.append(line)
    return {words(row) for row in found}


def in_order_of_words(row: str) -> list[str]:
    """A row's words as a multiset: where the columns break lines depends on the other rows."""
    return sorted(row.split())


def test_output_shown_is_what_the_audit_prints() -> None:
    printed = [in_order_of_words(r) for r in rows(CliRunner().invoke(app, ["audit"]).stdout)]
    (block,) = blocks("text")
    for row in rows(block):
        shown = in_order_of_words(row)
        # A row may be shown without its last remarks, never with other words.
        assert any(not _missing(shown, p) and _id(row, p) for p in printed), row


def test_code_shown_has_the_findings_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,), (shown,) = blocks("python"), blocks("console")
    command, _, output = shown.partition("\n")
    assert command == "$ .venv/bin/verifier check attention.py"
    (tmp_path / "attention.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    printed = CliRunner().invoke(app, ["check", "attention.py"]).stdout
    assert [words(line) for line in printed.splitlines()] == [words(line) for line in output.splitlines()]


def _missing(shown: list[str], printed: list[str]) -> list[str]:
    left = list(printed)
    for word in shown:
        if word not in left:
            return [word]
        left.remove(word)
    return []


def _id(row: str, printed: list[str]) -> bool:
    return row.split()[0] in printed


def test_every_linked_file_is_there() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", README):
        assert (ROOT / target).is_file(), target


def test_it_is_two_screens() -> None:
    assert len(README.splitlines()) <= 100
