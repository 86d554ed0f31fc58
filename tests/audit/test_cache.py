"""A verdict is judged again exactly when its claim or the engine changed, and a broken cache is as good as none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verifier.audit import cache
from verifier.audit.run import Audit, audit

from .claims import HEADER, claim_text


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path / "cache")
    path = tmp_path / "claims.toml"
    path.write_text(HEADER + claim_text(), encoding="utf-8")
    return path


def cached(result: Audit) -> list[bool]:
    return [r.cached for r in result.results]


def test_second_run_is_cached_and_the_same(file: Path) -> None:
    first, second = audit([file]), audit([file])
    assert cached(first) == [False]
    assert cached(second) == [True]
    assert first.as_json == second.as_json


def test_no_cache_judges_again_and_writes_nothing(file: Path, tmp_path: Path) -> None:
    assert cached(audit([file], use_cache=False)) == [False]
    assert not (tmp_path / "cache").exists()
    audit([file])
    assert cached(audit([file], use_cache=False)) == [False]


def test_a_changed_claim_is_judged_again(file: Path) -> None:
    audit([file])
    file.write_text(HEADER + claim_text(relation='"shape(attention_scores) == (m, n)"'), encoding="utf-8")
    result = audit([file])
    assert cached(result) == [False]
    assert result.results[0].truth == "REFUTED"


def test_a_moved_claim_is_found_at_its_new_line(file: Path) -> None:
    audit([file])
    file.write_text("# a remark\n" + HEADER + claim_text(), encoding="utf-8")
    result = audit([file])
    assert cached(result) == [True]
    assert result.results[0].place == f"{file}:6"


def test_a_changed_engine_judges_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    audit([file])
    monkeypatch.setattr(cache, "engine_digest", lambda: "another")
    assert cached(audit([file])) == [False]


def test_the_digest_depends_on_every_source_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("1")
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    digests: set[str] = set()
    for content in ("1", "2"):
        (tmp_path / "a.py").write_text(content)
        cache.engine_digest.cache_clear()
        digests.add(cache.engine_digest())
    cache.engine_digest.cache_clear()
    assert len(digests) == 2


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", '{"id": "A"}', '{"unknown": 1}', "\x00"])
def test_damaged_entries_count_as_none(file: Path, tmp_path: Path, damage: str) -> None:
    audit([file])
    for entry in (tmp_path / "cache").iterdir():
        entry.write_text(damage)
    result = audit([file])
    assert cached(result) == [False]
    assert result.results[0].truth == "PROVED"


def test_an_entry_with_a_field_of_a_wrong_type_counts_as_none(file: Path, tmp_path: Path) -> None:
    audit([file])
    for entry in (tmp_path / "cache").iterdir():
        entry.write_text(json.dumps({**json.loads(entry.read_text()), "problems": 3}))
    assert audit([file]).exit_status == 0


def test_a_cache_that_cannot_be_written_is_no_error(file: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert audit([file]).exit_status == 0
