"""Every way in which a file is no config has its own sentence, with line and column where they help."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.config import UnreadableConfig, load
from verifier.config.read import MAX_BYTES, parse, read_file

CASES = [
    (b"", "is empty", None),
    (b"   \n", "is empty", None),
    (b"[1, 2]", "holds a list", None),
    (b'"text"', "holds a string", None),
    (b"null", "holds null", None),
    (b"{}", "empty object", None),
    (b'{"a": 1,}', "is not JSON", (1, 9)),
    (b"{\n 'a': 1}", "is not JSON", (2, 2)),
    (b'{\n "a": True}', "is not JSON", (2, 7)),
    (b'{\n // width\n "a": 1}', "is not JSON", (2, 2)),
    (b'{"a": {"b": 1}', "is not JSON", (1, 15)),
    (b"<html></html>", "is not JSON", (1, 1)),
    (b'{\n "a": NaN}', "NaN is no JSON number", (2, 7)),
    (b'{"x": "NaN", "a": -Infinity}', "-Infinity is no JSON number", (1, 19)),
    (b'{"a": 1,\n "a": 2}', "'a' is given twice, on lines 1 and 2", (2, 2)),
    (b'{"a": "\xff"}', "byte 0xff is no UTF-8", (1, 8)),
    ('{"a": 1}'.encode("utf-16"), "UTF-16", None),
    ('{"a": 1}'.encode("utf-16-le"), "zero bytes", None),
    (b"[" * 100_000, "nested deeper than 64", (1, 65)),
    (b'{"a":' * 70 + b"1" + b"}" * 70, "nested deeper than 64", (1, 321)),
    (b'{"a": ' + b"9" * 5000 + b"}", "more than 4000 digits", None),
]


@pytest.mark.parametrize(("data", "fact", "where"), CASES)
def test_bad_input(data: bytes, fact: str, where: tuple[int, int] | None) -> None:
    with pytest.raises(UnreadableConfig) as caught:
        parse(data, "config.json")
    assert fact in caught.value.fact
    place = caught.value.place
    assert place is not None
    assert place.file == "config.json"
    if where:
        assert (place.line, place.column) == where


def test_a_mark_in_front_is_fine() -> None:
    assert parse(b"\xef\xbb\xbf" + b'{"a": 1}', "x") == {"a": 1}


def test_a_key_in_two_objects_is_not_twice() -> None:
    assert parse(b'{"a": {"b": 1}, "c": {"b": 2}}', "x") == {"a": {"b": 1}, "c": {"b": 2}}


def test_large_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    with path.open("wb") as file:
        file.truncate(100 * 2**20)
    with pytest.raises(UnreadableConfig, match="104,857,600 bytes"):
        read_file(path)
    assert MAX_BYTES < 100 * 2**20


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(UnreadableConfig, match="no such file"):
        load(tmp_path / "absent.json")
    with pytest.raises(UnreadableConfig, match="no such file"):
        load(tmp_path)


@pytest.mark.parametrize("value", [{"a": 1}, {"weights": {"hidden": 1}}, {"version": "1.0", "model": 3}])
def test_json_that_is_no_config(value: dict[str, object]) -> None:
    with pytest.raises(UnreadableConfig, match="no config of a model"):
        load(value)


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    try:
        assert isinstance(parse(data, "x"), dict)
    except UnreadableConfig as error:
        assert error.fact


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda v: st.lists(v) | st.dictionaries(st.text(), v),
        max_leaves=20,
    )
)
def test_any_json(value: object) -> None:
    try:
        assert parse(json.dumps(value).encode(), "x") == value
    except UnreadableConfig as error:
        assert error.fact
