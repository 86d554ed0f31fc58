"""Every mistake in a claim file is told with its line and what to do; the texts are golden."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.audit.run import audit

from .claims import HEADER, claim_text

ASK_FOR = "use numbers, names, + - * / // % **, comparisons, (a, b) and calls such as flops(kernel, h=1)"
LAWS = "zero means, unit variances, query and key independent, coordinates independent"
SIZES_KEY = "sizes: size symbols, separated by blanks; those of [document] where absent"

# Lines: 1-4 [document], 5 [[claim]], 6 id, 7 statement, 8 expect, 9 relation, 10 mutants, 11 whatever is added.
MISTAKES: dict[str, tuple[dict[str, str | None], str, str]] = {
    "unknown symbol": ({"relation": '"d_q == n"'}, "9: unknown name 'd_q' (column 1)", "did you mean d_v?"),
    "symbol like no other": (
        {"relation": '"n == zzzz"'},
        "9: unknown name 'zzzz' (column 6)",
        "known: d_k, d_model, d_v, h, m, n",
    ),
    "unknown function": (
        {"relation": '"flop(softmax) == 1"'},
        "9: unknown function 'flop' (column 1)",
        "did you mean flops?",
    ),
    "missing kernel": (
        {"relation": '"n == flops(multi_head_atention)"'},
        "9: there is no kernel 'multi_head_atention' (column 6)",
        "did you mean multi_head_attention?",
    ),
    "kernel without that size": (
        {"relation": '"flops(softmax, d_model=3) == 1"'},
        "9: softmax has no size 'd_model' (column 1)",
        "sizes: m",
    ),
    "size not declared": (
        {"sizes": '"n"'},
        "9: attention_scores needs the size d_k (column 1)",
        "declare d_k or pass d_k=...",
    ),
    "no relation": ({"relation": '"n + 1"'}, "9: 'n + 1' is no relation", "compare two quantities, or use O(f, g)"),
    "relation of relations": (
        {"relation": '"O(n, m) == 1"'},
        "9: a relation is compared (column 1)",
        "compare quantities",
    ),
    "wrong arguments": (
        {"relation": '"sqrt(n, m) == 1"'},
        "9: sqrt(): too many positional arguments (column 1)",
        "write sqrt(x)",
    ),
    "no argument": ({"relation": '"O(n)"'}, "9: O(): missing a required argument: 'g' (column 1)", "write O(f, g)"),
    "no kernel": ({"relation": '"flops(3) == 1"'}, "9: flops() wants a name first (column 1)", "flops(kernel, ...)"),
    "shape and number": (
        {"relation": '"shape(softmax) == 3"'},
        "9: a shape is compared with something that is none",
        "write (n, m)",
    ),
    "order of shapes": (
        {"relation": '"shape(attention_scores) != (n, m)"'},
        "9: shapes cannot be compared by !=",
        "compare one axis: rows, columns",
    ),
    "arithmetic on a shape": (
        {"relation": '"shape(softmax) + 1 == 2"'},
        "9: no number to compute with (column 1)",
        ASK_FOR,
    ),
    "division by zero": ({"relation": '"1/(n - n) == 1"'}, "9: division by zero (column 1)", "exclude that size"),
    "root of a negative number": (
        {"relation": '"sqrt(0 - n) == 1"'},
        "9: (-1) is a root of a negative number",
        "add a premise that excludes it",
    ),
    "a size that is none": (
        {"relation": '"flops(softmax, m=n/2) == 1"'},
        "9: m = (1/2)*n is no whole number (column 1)",
        "pass a size, such as an assumed quotient",
    ),
    "a negative size": (
        {"relation": '"flops(softmax, m=0-3) == 1"'},
        "9: m = -3 is no size (column 1)",
        "a size is not negative",
    ),
    "code": (
        {"relation": "\"__import__('os').getcwd() == 1\""},
        "9: only a named function can be called (column 1)",
        ASK_FOR,
    ),
    "attribute": ({"relation": '"n == m.__class__"'}, "9: a dot is not allowed here (column 6)", ASK_FOR),
    "string": ({"relation": "\"n == 'a'\""}, "9: a string is not allowed here (column 6)", ASK_FOR),
    "tower of powers": (
        {"relation": '"9**9**9**9 == 1"'},
        "9: an exponent must be a plain number of at most 64 (column 4)",
        "write the product out",
    ),
    "large power": (
        {"relation": '"(n+m+h+d_k+d_v+1)**60 == 1"'},
        "9: a power of more than 4000 terms (column 1)",
        "compare the factors",
    ),
    "long": (
        {"relation": f'"{"n + " * 600}n == 1"'},
        "9: the expression has 2406 characters, more than 2000",
        "split it",
    ),
    "deep": ({"relation": f'"{"-" * 100}n == 1"'}, "9: nested deeper than 40 (column 40)", "split the expression"),
    "broken mutant": ({"mutants": '["n == m.x"]'}, "10: a dot is not allowed here (column 6)", ASK_FOR),
    "mutant that is no relation": (
        {"mutants": '["n"]'},
        "10: 'n' is no relation",
        "compare two quantities, or use O(f, g)",
    ),
    "unknown symbol in a mutant": (
        {"mutants": '["x == n"]'},
        "10: unknown name 'x' (column 1)",
        "known: d_k, d_model, d_v, h, m, n",
    ),
    "no mutant": (
        {"mutants": None},
        "6: A has no mutant: a check that cannot fail says nothing",
        'add mutants = ["..."], a relation close to yours that must be refuted',
    ),
    "no reading": ({"relation": None}, "6: A has no relation", 'add relation = "..." or [[claim.reading]]'),
    "contradictory premises": (
        {"given": '["n < m", "m < n"]'},
        "11: vacuous: no sizes were found that satisfy n < m; m < n",
        "drop or correct one of them",
    ),
    "impossible premise": (
        {"given": '["n == 0"]'},
        "11: vacuous: no sizes were found that satisfy n == 0",
        "drop or correct one of them",
    ),
    "premise with an unknown symbol": (
        {"given": '["x == n"]'},
        "11: unknown name 'x' (column 1)",
        "known: d_k, d_model, d_v, h, m, n",
    ),
    "premise that is no relation": ({"given": '{ "a" = "n + 1" }'}, "11: 'n + 1' is no relation", "compare two sizes"),
    "premise of more than sizes": (
        {"given": '["1/n == 2"]'},
        "11: '1/n == 2' compares more than sizes",
        "multiply quotients and roots out",
    ),
    "premise that is no text": ({"given": '{ "a" = 3 }'}, "11: the premise 'a' is no text", 'write "n == m"'),
    "premises of a wrong type": (
        {"given": '"n == m"'},
        "11: given must map names to relations",
        'given = { "name" = "n == m" }',
    ),
    "premise twice": (
        {"given": '["n == m"]', "assume": '["n == m"]'},
        "12: assume names the premise 'n == m' a second time",
        "assume: conditions that it needs and does not state",
    ),
    "assumption of no law": (
        {"given": '["zero meens"]'},
        "11: the premise 'zero meens' is neither a relation nor an assumption of a law",
        f"write a relation, or one of: {LAWS}",
    ),
    "unknown method": ({"method": '"relatoin"'}, "11: there is no method 'relatoin'", "did you mean relation?"),
    "unknown key": ({"expects": '"PROVED"'}, "11: unknown key 'expects'", "did you mean expect?"),
    "unknown verdict": ({"expect": '"PROOVED"'}, "8: expect = 'PROOVED' is not one of them", "did you mean PROVED?"),
    "unknown stance": ({"stance": '"assert"'}, "11: stance = 'assert' is not one of them", "did you mean asserts?"),
    "no verdict": ({"expect": None}, "5: a claim without expect", "expect: the pinned verdict"),
    "no id": ({"id": None}, "5: a claim without id", "id: a name that no other claim has"),
    "id with a blank": ({"id": '"A 1"'}, "6: id contains a blank", "id: a name that no other claim has"),
    "control character": (
        {"statement": '"a\\u001b[31m"'},
        "7: statement contains a control character",
        "statement: the statement in your own words",
    ),
    "text turned round": (
        {"statement": '"a\\u202eb"'},
        "7: statement contains a control character",
        "statement: the statement in your own words",
    ),
    "a number for a text": (
        {"statement": "3"},
        "7: statement must be a text, not 3",
        "statement: the statement in your own words",
    ),
    "a text for a list": (
        {"mutants": '"n == m"'},
        "10: mutants must be a list of texts, not 'n == m'",
        "mutants: relations that must be refuted",
    ),
    "a list of numbers": (
        {"contradicts": "[1]"},
        "11: contradicts must be a list of texts, not [1]",
        "contradicts: ids of statements of this document that it contradicts; as a table, each with why",
    ),
    "a contradiction that is no text": (
        {"contradicts": "{ B = 1 }"},
        "11: contradicts says no text of B",
        "contradicts: ids of statements of this document that it contradicts; as a table, each with why",
    ),
    "a claim against itself": (
        {"contradicts": '["A"]'},
        "11: contradicts names the claim itself",
        "contradicts: ids of statements of this document that it contradicts; as a table, each with why",
    ),
    "a text for a table": (
        {"options": '"x"'},
        "11: options must be a table, not 'x'",
        "options: what else the method needs",
    ),
    "sizes that are none": ({"sizes": '"n m-1"'}, "11: sizes contains 'm-1', which is no name of a size", SIZES_KEY),
    "a word of the language": ({"sizes": '"n if"'}, "11: sizes contains 'if', which is no name of a size", SIZES_KEY),
    "size twice": ({"sizes": '"n m n"'}, "11: sizes names n twice", SIZES_KEY),
    "too many sizes": (
        {"sizes": f'"{" ".join(f"s{i}" for i in range(17))}"'},
        "11: sizes names 17 sizes, more than 16",
        SIZES_KEY,
    ),
    "readings of a wrong type": (
        {"relation": None, "reading": "3"},
        "10: reading must be written in double brackets",
        "reading: several formal readings: [[claim.reading]] with name and relation",
    ),
    "reading without a name": (
        {"relation": None, "reading": '[{ relation = "n == n" }]'},
        "10: a claim without name",
        "name: what this reading takes the statement to say",
    ),
    "unknown key of a reading": (
        {"relation": None, "reading": '[{ name = "a", relaton = "n == n" }]'},
        "10: unknown key 'relaton'",
        "did you mean relation?",
    ),
    "printed that is no truth value": (
        {"relation": None, "reading": '[{ name = "a", relation = "n == n", printed = "no" }]'},
        "10: printed must be true or false",
        "printed: true where this is the text as transcribed, shown but not counted",
    ),
    "only the printed reading": (
        {"relation": None, "reading": '[{ name = "a", relation = "n == n", printed = true }]'},
        "10: every reading is the printed one",
        "add the restored reading, without printed = true",
    ),
    "reading twice": (
        {"relation": None, "reading": '[{ name = "a", relation = "n == n" }, { name = "a", relation = "n == m" }]'},
        "10: reading has two entries named 'a'",
        "reading: several formal readings: [[claim.reading]] with name and relation",
    ),
    "no kind": (
        {"expect": '"NOT_A_CLAIM"'},
        "5: A is no claim of mathematics, but of which kind?",
        "kind: convention, empirical, pedagogical, ambiguous",
    ),
    "no reason": (
        {"expect": '"NOT_A_CLAIM"', "kind": '"empirical"'},
        "11: A needs a reason",
        "say why it is no mathematics",
    ),
    "domain of no kernel": (
        {"method": '"domain"'},
        "9: the method domain needs a kernel",
        'options = { kernel = "split_heads" }',
    ),
    "direction": (
        {"method": '"domain"', "options": '{ kernel = "split_heads", direction = "both" }'},
        "9: direction = 'both' is none",
        "one of: iff, if, only if",
    ),
    "domain of a kernel with other sizes": (
        {"method": '"domain"', "relation": '"n == m"', "options": '{ kernel = "decode_step" }'},
        "9: decode_step has the size t, which the claim does not declare",
        'sizes = "d_model h t d_k d_v"',
    ),
    "domain by more than sizes": (
        {"method": '"domain"', "options": '{ kernel = "split_heads" }'},
        "9: 'shape(attention_scores) == (n, m)' compares more than sizes",
        "the condition speaks of sizes only",
    ),
    "no array": (
        {"method": '"same"', "relation": '"n == n"'},
        "9: 'n == n' speaks of no array",
        'declare it: arrays = { x = "n d_model" }',
    ),
    "no equation": (
        {"method": '"same"', "relation": '"x < x"', "arrays": '{ x = "n" }'},
        "9: 'x < x' is no equation of arrays",
        "write left == right, or !=",
    ),
    "axes that are none": (
        {"method": '"same"', "relation": '"x == x"', "arrays": '{ x = "n(" }'},
        "12: the axes of x: 'n(' is no axis: not an expression: '(' was never closed",
        "see jaxtyping's documentation of axes",
    ),
    "axes without a size": (
        {"method": '"same"', "relation": '"x == x"', "arrays": '{ x = "*b n" }'},
        "9: the axis *b of x has no size",
        "name every axis",
    ),
    "axes that are no text": (
        {"method": '"same"', "relation": '"x == x"', "arrays": "{ x = 3 }"},
        "12: the axes of x must be a text",
        'x = "n d_model"',
    ),
    "permutation of a matrix": (
        {"method": '"same"', "relation": '"x == x"', "arrays": '{ x = "permutation n m" }'},
        "9: the permutation x has 2 axes",
        'x = "permutation n"',
    ),
    "huge array": (
        {"method": '"same"', "relation": '"x == x"', "arrays": '{ x = "9999 9999" }'},
        "9: x is too large to try: [9999, 9999]",
        "name its axes",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_is_told_at_its_line(name: str, tmp_path: Path) -> None:
    changes, fact, remedy = MISTAKES[name]
    file = tmp_path / "claims.toml"
    good = claim_text(id='"good"')
    file.write_text(HEADER + claim_text(**changes) + good, encoding="utf-8")
    result = audit([file], use_cache=False)
    assert [str(e) for e in result.errors] == [f"{file}:{fact}\n    fix  {remedy}"]
    assert [(r.id, r.truth) for r in result.results] == [("good", "PROVED")]
    assert result.exit_status == 2


FILES: dict[str, tuple[bytes, str]] = {
    "not TOML": (
        b"[document\n",
        ":1:10: not TOML: Expected ']' at the end of a table declaration\n    fix  see https://toml.io",
    ),
    "no date": (b"x = 2020-02-31\n", ":1:"),
    "not UTF-8": (b"\xff\xfe[document]", ": is no UTF-8 text: invalid start byte at byte 0\n    fix  save it as UTF-8"),
    "nested without end": (b"x = " + b"[" * 5000, ": not TOML: nested too deeply\n    fix  see https://toml.io"),
    "huge": (b"# " + b"x" * 5_000_000, ": has more than 4000000 bytes\n    fix  split it into several files"),
    "unknown table": (b'[documents]\ntitle = "t"\n', ":1: unknown table 'documents'\n    fix  use [document]"),
    "unknown key of the document": (
        b'[document]\ntitel = "t"\n',
        ":2: unknown key 'titel'\n    fix  did you mean title?",
    ),
    "document of a wrong type": (b"document = 3\n", ":1: document must be a table\n    fix  write [document]"),
    "one claim in single brackets": (
        b"[claim]\nid = 'A'\n",
        ":1: claim must be a list of tables\n    fix  write [[claim]]",
    ),
    "claim that is no table": (b"claim = [3]\n", ": a claim must be a table\n    fix  write [[claim]]"),
    "title of a wrong type": (
        b"[document]\ntitle = 3\n",
        ":2: title must be a text, not 3\n    fix  title: what the claims are about",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_other_files_are_still_reported(name: str, tmp_path: Path) -> None:
    data, text = FILES[name]
    (tmp_path / "bad.toml").write_bytes(data)
    (tmp_path / "good.toml").write_text(HEADER + claim_text(id='"good"'), encoding="utf-8")
    result = audit([tmp_path], use_cache=False)
    assert len(result.errors) == 1
    assert str(result.errors[0]).startswith(f"{tmp_path / 'bad.toml'}{text}")
    assert [r.id for r in result.results] == ["good"]
    assert result.exit_status == 2


def test_a_folder_named_like_a_claim_file_is_searched(tmp_path: Path) -> None:
    (tmp_path / "x.toml").mkdir()
    (tmp_path / "x.toml" / "good.toml").write_text(HEADER + claim_text(), encoding="utf-8")
    result = audit([tmp_path], use_cache=False)
    assert not result.errors
    assert [r.id for r in result.results] == ["A"]


def test_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text("\ufeff" + HEADER + claim_text(), encoding="utf-8")
    assert audit([tmp_path], use_cache=False).exit_status == 0


def test_empty_folder_is_a_mistake(tmp_path: Path) -> None:
    result = audit([tmp_path])
    assert [str(e) for e in result.errors] == [
        f"no claims in {tmp_path}\n    fix  give a file or folder with [[claim]] tables"
    ]
    assert result.exit_status == 2


def test_missing_file_is_a_mistake(tmp_path: Path) -> None:
    result = audit([tmp_path / "absent.toml"])
    assert (
        str(result.errors[0]) == f"{tmp_path / 'absent.toml'}: there is no such file or folder\n    fix  check the path"
    )
    assert result.exit_status == 2


def test_duplicate_ids_name_the_first(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(HEADER + claim_text(), encoding="utf-8")
    (tmp_path / "b.toml").write_text(HEADER + claim_text(), encoding="utf-8")
    result = audit([tmp_path], use_cache=False)
    a, b = tmp_path / "a.toml", tmp_path / "b.toml"
    assert [str(e) for e in result.errors] == [f"{b}:5: the id A is taken by {a}:5\n    fix  give it another id"]
    assert [r.place for r in result.results] == [f"{a}:5"]


def test_a_file_given_twice_is_read_once(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(HEADER + claim_text(), encoding="utf-8")
    assert audit([file, tmp_path], use_cache=False).exit_status == 0


def test_unknown_claim_is_a_mistake_with_the_nearest() -> None:
    result = audit(only=["TF1.x"])
    assert str(result.errors[0]).startswith("there is no claim TF1.x\n    fix  did you mean TF1.")
    assert result.exit_status == 2
