from pathlib import Path

import pytest

from verifier.audit.load import Loaded, load

CLAIM = """
[[claim]]
id = "{id}"
statement = "There is a score for each pair."
relation = "shape(attention_scores) == (n, m)"
sizes = "n m d_k"
expect = "PROVED"
mutants = ["shape(attention_scores) == (m, n)"]
"""


def block(name: str = "C1", fence: str = "```", info: str = "claim") -> str:
    return f"{fence}{info}{CLAIM.format(id=name)}{fence}\n"


def loaded(path: Path, text: str) -> Loaded:
    file = path / "note.md"
    file.write_text(text, encoding="utf-8")
    return load([file])


def texts(found: Loaded) -> list[str]:
    return [f"{e.place.line if e.place else None}: {e.fact}" for e in found.errors]


def test_blocks_are_claims_and_their_lines_are_those_of_the_markdown_file(tmp_path: Path) -> None:
    found = loaded(tmp_path, f"# A *note*\n\nProse.\n\n## Scores ##\n\n{block('C1')}\nMore.\n\n{block('C2', '~~~~')}")
    assert texts(found) == []
    assert [(c.id, c.place.line, c.section) for c in found.claims] == [("C1", 8, "Scores"), ("C2", 20, "Scores")]
    assert found.document.title == "A note"


def test_a_document_table_holds_for_the_blocks_that_follow(tmp_path: Path) -> None:
    body = CLAIM.format(id="C1").replace('sizes = "n m d_k"\n', "")
    text = f'```claim\n[document]\ntitle = "T"\nsizes = "n m d_k"\n```\n\n```claim{body}```\n'
    found = loaded(tmp_path, text)
    assert texts(found) == []
    assert found.claims[0].sizes == ("n", "m", "d_k")
    assert found.document.title == "T"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x\n\n```claim\n[[claim]]\nid = \n```\n", "5: not TOML: Invalid value"),
        ("x\n\n```claim\n[[claim]]\nid = 'C'\nstatment = 'x'\n```\n", "6: unknown key 'statment'"),
        ("x\n```claim\n```\n", "2: an empty claim block"),
        ("x\n```claim\nThis is prose.\n```\n", "3: not TOML: Expected '=' after a key in a key/value pair"),
        ("x\n" + block().rstrip("`\n"), "2: a claim block without an end"),
        ("x\n" + block(info="claims"), "2: a block of 'claims' is not read"),
        ("x\n" + block(info="Claim"), "2: a block of 'Claim' is not read"),
        ("> ```claim\n> x\n> ```\n", "1: a claim block inside a quotation is not read"),
        ("Nothing but prose.\n", "None: no claims in this Markdown file"),
        ("```python\nclaim = 1\n```\n", "None: no claims in this Markdown file"),
    ],
)
def test_what_does_not_parse_is_an_error_with_its_line_and_not_prose(tmp_path: Path, text: str, expected: str) -> None:
    assert texts(loaded(tmp_path, text)) == [expected]


def test_the_other_blocks_are_still_read(tmp_path: Path) -> None:
    found = loaded(tmp_path, f"```claim\nbroken\n```\n\n{block('C2')}")
    assert [c.id for c in found.claims] == ["C2"]
    assert len(found.errors) == 1


def test_a_block_that_is_shown_inside_of_another_or_commented_out_is_not_read(tmp_path: Path) -> None:
    shown = f"````markdown\n{block('C1')}````\n\n<!--\n{block('C2')}-->\n\n{block('C3')}"
    assert [c.id for c in loaded(tmp_path, shown).claims] == ["C3"]


def test_a_block_in_a_list_is_read_at_its_indentation(tmp_path: Path) -> None:
    indented = "".join(f"      {line}\n" for line in block().splitlines())
    assert [c.id for c in loaded(tmp_path, f"- item\n\n{indented}").claims] == ["C1"]


def test_in_a_folder_markdown_without_claims_is_skipped_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("Nothing here.", encoding="utf-8")
    (tmp_path / "b.toml").write_text(CLAIM.format(id="C2"), encoding="utf-8")
    (tmp_path / "a.md").write_text(block("C1"), encoding="utf-8")
    for hidden in (".venv", "node_modules"):
        (tmp_path / hidden).mkdir()
        (tmp_path / hidden / "c.md").write_text("```claim\nbroken\n```\n", encoding="utf-8")
    found = load([tmp_path])
    assert texts(found) == []
    assert [c.id for c in found.claims] == ["C1", "C2"]


def test_one_id_in_two_files_is_told_with_both_places(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(block("C1"), encoding="utf-8")
    (tmp_path / "b.md").write_text("\n" + block("C1"), encoding="utf-8")
    found = load([tmp_path])
    assert [str(e).splitlines()[0] for e in found.errors] == [
        f"{tmp_path / 'b.md'}:3: the id C1 is taken by {tmp_path / 'a.md'}:2"
    ]
