"""A claim whose sentence is gone from the document is STALE; one whose sentence was only set differently is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.audit.document import digest, normalise, sentences
from verifier.audit.run import Audit, audit

from .claims import HEADER, claim_text

TEXT = "Heads are many. Scores are n by m: always!\n\nAll is well."


def against(folder: Path, text: str, **changes: str) -> Audit:
    document = folder / "document.txt"
    document.write_text(text, encoding="utf-8")
    file = folder / "claims.toml"
    file.write_text(HEADER + claim_text(**changes), encoding="utf-8")
    return audit([file], document=document, use_cache=False)


@pytest.mark.parametrize("key", ["quote", "sentence"])
@pytest.mark.parametrize(
    ("text", "stale"),
    [
        (TEXT, False),
        (TEXT.replace("Scores are n by m", "scores  ARE\nn by m"), False),
        (TEXT.replace("n by m", "m by n"), True),
        ("", True),
    ],
)
def test_changed_sentences_are_noticed(key: str, text: str, stale: bool, tmp_path: Path) -> None:
    value = "Scores are n by m" if key == "quote" else digest("Scores are n by m")
    result = against(tmp_path, text, **{key: f'"{value}"'})
    problems = [f"STALE: its sentence is not in {tmp_path / 'document.txt'} any more"] if stale else []
    assert result.results[0].problems == problems
    assert result.exit_status == (1 if stale else 0)


def test_shipped_claims_are_fresh_and_one_changed_word_is_noticed(question_bank: Path, tmp_path: Path) -> None:
    assert audit(document=question_bank).exit_status == 0
    changed = tmp_path / "changed.txt"
    changed.write_text(
        question_bank.read_text(encoding="utf-8").replace("cross-attention", "crossattention"), encoding="utf-8"
    )
    stale = [r.id for r in audit(document=changed).results if any(p.startswith("STALE") for p in r.problems)]
    assert "TF8.a" in stale
    assert "TF1.a" not in stale


@pytest.mark.parametrize("data", [None, b"\xff\xfe"])
def test_unreadable_documents_are_mistakes(data: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "document.txt"
    if data is not None:
        path.write_bytes(data)
    result = audit(document=path)
    fact = "there is no such document" if data is None else "the document cannot be read"
    assert str(result.errors[0]).startswith(f"{path}: {fact}")
    assert result.exit_status == 2
    assert result.results


@given(st.text(max_size=80))
def test_normalising_twice_changes_nothing_and_sentences_are_normal(text: str) -> None:
    assert all(normalise(s) == s and s for s in sentences(text))
    assert digest(text) == digest(f"  {text}\n")
